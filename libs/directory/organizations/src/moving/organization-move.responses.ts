import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type Caller, hasPermission, permissionsAt } from '#platform/common';
import { ANY_SETTING, SettingOriginResponse, UsersOutOfLineResponse } from '../settings/settings-explained.requests.js';
import { SETTING_FIELDS, type SettingField } from '../settings/settings.js';
import { ancestorPath, type ChangedSettings, type MovePlan } from './move-plan.js';
import type { InheritedGrant, InheritedWebhook } from './organization-inheritance.js';
import type { PermissionChange } from './permission-changes.js';

const ORGANIZATION_ID = { example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' };

export class MovedBetweenResponse {
  @ApiProperty({ type: SettingOriginResponse, description: 'Previous parent organization.' }) from!: SettingOriginResponse;
  @ApiProperty({ type: SettingOriginResponse, description: 'New parent organization.' }) to!: SettingOriginResponse;
}

export class MoveDepthResponse {
  @ApiProperty({
    type: 'integer',
    example: 3,
    description: 'Number of levels from the root organization to the deepest moved organization, before the move.',
  })
  from!: number;
  @ApiProperty({ type: 'integer', example: 4, description: 'The same number after the move.' }) to!: number;
  @ApiProperty({ type: 'integer', example: 10, description: 'Maximum number of levels.' }) limit!: number;
}

const SOURCED_VALUE = {
  type: 'object' as const,
  required: ['value', 'source'],
  properties: {
    value: ANY_SETTING,
    source: { oneOf: [{ type: 'string' as const, enum: ['default'] }, { $ref: '#/components/schemas/SettingOriginResponse' }] },
  },
};

export class MovedSettingsResponse {
  @ApiProperty(ORGANIZATION_ID) id!: string;
  @ApiProperty({ example: 'Acme Europe' }) name!: string;
  @ApiProperty({
    description:
      'Settings whose effective values change, by name, with the source of each value: `default`, or the organization that sets the value. Fields of the password policy are named `passwordPolicy.minLength` and so on.',
    type: 'object',
    additionalProperties: { type: 'object', required: ['from', 'to'], properties: { from: SOURCED_VALUE, to: SOURCED_VALUE } },
    example: {
      requireMfa: {
        from: { value: false, source: 'default' },
        to: { value: true, source: { id: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd', name: 'Acme Europe' } },
      },
    },
  })
  changes!: ChangedSettings['changes'];
  @ApiProperty({ type: 'integer', example: 42, description: 'Number of users that the organization manages.' })
  userCount!: number;
  @ApiProperty({ type: UsersOutOfLineResponse }) usersOutOfLine!: UsersOutOfLineResponse;
}

const ORIGIN_OR_NULL = [{ $ref: '#/components/schemas/SettingOriginResponse' }, { type: 'null' }];

export class MovedLockResponse {
  @ApiProperty({ enum: SETTING_FIELDS, example: 'requireMfa' }) setting!: SettingField;
  @ApiProperty({
    oneOf: ORIGIN_OR_NULL,
    description: 'Ancestor that locked the setting. `null`: no ancestor did, and the lock begins.',
  })
  from!: SettingOriginResponse | null;
  @ApiProperty({
    oneOf: ORIGIN_OR_NULL,
    description: 'Ancestor that locks the setting after the move. `null`: no ancestor does, and the lock ends.',
  })
  to!: SettingOriginResponse | null;
}

/** The permission that shows the name of a holder. */
const READ_PERMISSIONS = { user: 'members:read', api_key: 'api_keys:read', oauth_client: 'oauth_clients:read' } as const;

export class MovedGrantResponse {
  @ApiProperty({
    ...ORGANIZATION_ID,
    description: 'Ancestor organization in which the user, API key or OAuth client has the permissions.',
  })
  organizationId!: string;
  @ApiProperty({ example: 'Acme Europe' }) organizationName!: string;
  @ApiProperty({ enum: ['assignment', 'group', 'break_glass', 'api_key', 'oauth_client'], example: 'assignment' })
  source!: InheritedGrant['source'];
  @ApiPropertyOptional({ example: 'role_admin', description: 'Absent for an API key or OAuth client.' }) roleId?: string;
  @ApiPropertyOptional({ example: 'admin', description: 'Absent for an API key or OAuth client.' }) roleName?: string;
  @ApiPropertyOptional({
    example: 'group_01kf2bav4hf7r8v2m5n9q1c3ek',
    description: 'Group with the role. Present only if `source` is `group`.',
  })
  groupId?: string;
}

export class MovedPermissionsResponse {
  @ApiProperty({ enum: ['user', 'api_key', 'oauth_client'], example: 'user' }) type!: 'user' | 'api_key' | 'oauth_client';
  @ApiProperty({ example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) id!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'ada@example.com',
    description:
      'Email address of the user, or name of the API key or OAuth client. `null` if the caller does not have the permission `members:read`, `api_keys:read` or `oauth_clients:read` in the ancestor organization.',
  })
  name!: string | null;
  @ApiProperty({ type: [String], example: ['users:read', 'users:write'], description: 'Permissions that are gained or lost.' })
  permissions!: readonly string[];
  @ApiProperty({ type: [MovedGrantResponse], description: 'Roles and API keys with these permissions.' })
  because!: MovedGrantResponse[];
}

export class MovedWebhookResponse {
  @ApiProperty({ example: 'whk_01kf2bj5nyf3k7t9w1m4c8x6vd' }) id!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Billing',
    description: '`null` if the caller does not have the permission `webhooks:read` in the organization of the webhook.',
  })
  name!: string | null;
  @ApiProperty({ ...ORGANIZATION_ID, description: 'Ancestor organization of the webhook.' }) organizationId!: string;
  @ApiProperty({ example: 'Acme Europe' }) organizationName!: string;
}

export class MovedAccessResponse {
  @ApiProperty({ type: [MovedPermissionsResponse] }) gained!: MovedPermissionsResponse[];
  @ApiProperty({ type: [MovedPermissionsResponse] }) lost!: MovedPermissionsResponse[];
}

export class MovedWebhooksResponse {
  @ApiProperty({ type: [MovedWebhookResponse], description: 'Webhooks that begin to receive the events.' })
  gained!: MovedWebhookResponse[];
  @ApiProperty({ type: [MovedWebhookResponse], description: 'Webhooks that stop receiving the events.' })
  lost!: MovedWebhookResponse[];
}

/** The effects of a move: of a move that took place, or of a preview. */
export class OrganizationMoveResponse {
  @ApiProperty(ORGANIZATION_ID) id!: string;
  @ApiProperty({ example: 'Acme Berlin' }) name!: string;
  @ApiProperty({ type: MovedBetweenResponse }) parent!: MovedBetweenResponse;
  @ApiProperty({
    type: 'integer',
    example: 4,
    description: 'Number of moved organizations: the organization and its descendants.',
  })
  organizationCount!: number;
  @ApiProperty({ type: 'integer', example: 42, description: 'Number of users that the moved organizations manage.' })
  userCount!: number;
  @ApiProperty({ type: MoveDepthResponse }) depth!: MoveDepthResponse;
  @ApiProperty({ type: [MovedSettingsResponse], description: 'Moved organizations whose effective settings change.' })
  settings!: MovedSettingsResponse[];
  @ApiProperty({ type: [MovedLockResponse], description: 'Settings whose lock by an ancestor begins, ends or changes.' })
  locks!: MovedLockResponse[];
  @ApiProperty({
    type: MovedAccessResponse,
    description: 'Users and API keys that gain or lose permissions in the moved organizations, through roles in ancestors.',
  })
  permissions!: MovedAccessResponse;
  @ApiProperty({ type: MovedWebhooksResponse, description: 'Webhooks of ancestors, which include the events of descendants.' })
  webhooks!: MovedWebhooksResponse;

  /** Omits the names of users, API keys and webhooks that the caller can't read in their organizations. */
  static from(plan: MovePlan, caller: Caller): OrganizationMoveResponse {
    const { organization, parent, previousParent, organizationCount, userCount, depth, settings, locks } = plan;
    const nameOf = (id: string): string => (id === organization.id ? organization.name : (plan.names.get(id) ?? id));
    const canRead = (permission: string, organizationId: string): boolean =>
      hasPermission(permissionsAt(caller, ancestorPath(plan, organizationId)), permission);
    const permissionsOf = (change: PermissionChange): MovedPermissionsResponse => {
      const { holder, permissions, grants } = change;
      const permission = READ_PERMISSIONS[holder.type];
      const isNamed = grants.some(({ organizationId }) => canRead(permission, organizationId));
      return {
        ...holder,
        name: isNamed ? holder.name : null,
        permissions,
        because: grants.map(({ organizationId, source, role, group }) => ({
          organizationId,
          organizationName: nameOf(organizationId),
          source,
          ...(role ? { roleId: role.id, roleName: role.name } : {}),
          ...(group ? { groupId: group.id } : {}),
        })),
      };
    };
    const webhookOf = ({ id, name, organizationId }: InheritedWebhook): MovedWebhookResponse => ({
      id,
      name: canRead('webhooks:read', organizationId) ? name : null,
      organizationId,
      organizationName: nameOf(organizationId),
    });
    return {
      id: organization.id,
      name: organization.name,
      parent: { from: previousParent, to: { id: parent.id, name: parent.name } },
      organizationCount,
      userCount,
      depth,
      settings: [...settings],
      locks: [...locks],
      permissions: { gained: plan.permissions.gained.map(permissionsOf), lost: plan.permissions.lost.map(permissionsOf) },
      webhooks: { gained: plan.webhooks.gained.map(webhookOf), lost: plan.webhooks.lost.map(webhookOf) },
    };
  }
}
