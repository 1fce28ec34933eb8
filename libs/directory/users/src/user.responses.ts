import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Metadata } from '#platform/common';
import { restorableUntil } from '#directory/organizations';
import type { ListedUser, UserDetails } from './users.query.js';
import type { User } from './user.entity.js';
import { namesShownIn, presentFields, USER_FIELD_NAMES, type UserFieldName } from './user-fields.js';
import { withAllFields, withFieldsShownIn } from './with-user-fields.js';

const ID = { example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' };
const EMAIL = { format: 'email', example: 'jane.doe@example.com' };
const TIME = { format: 'date-time', example: '2026-01-15T09:00:00.000Z' };
const STATUS = {
  enum: ['active', 'suspended', 'pending', 'deleted'],
  description:
    'Status of the user. `pending`: the user has not accepted the invitation yet, or has not confirmed the email address yet. `suspended`: the user cannot sign in. `deleted`: the user was deleted and can still be restored.',
  example: 'active',
};
const METADATA = {
  type: 'object',
  additionalProperties: true,
  description: 'Your own custom data.',
  example: { team: 'sales' },
} as const;
const MFA_METHODS = {
  type: 'array' as const,
  items: { type: 'string', enum: ['totp', 'sms', 'email', 'passkey'] },
  description: 'Methods of the MFA factors that the user has added.',
  example: ['totp'],
};

const LISTED_FIELDS = namesShownIn('list');
const CREATED_FIELDS = namesShownIn('created');
const ALWAYS_IN_UPDATED: ReadonlySet<UserFieldName> = new Set(namesShownIn('updated'));

/** Returns the fields that are not null. */
const present = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as never;

const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null;

export class UserRoleSummaryResponse {
  @ApiProperty({ example: 'role_member' }) id!: string;
  @ApiProperty({ example: 'member' }) name!: string;
}

export class UserRoleResponse extends UserRoleSummaryResponse {
  @ApiProperty({ type: [String], description: 'Permissions of the role.', example: ['organizations:read', 'members:read'] })
  permissions!: string[];
}

export class UserOrganizationResponse {
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({ example: 'Acme Inc.' }) name!: string;
  @ApiProperty({ description: 'Name of the role of the membership.', example: 'member' }) role!: string;
}

export class IdentityProviderLinkResponse {
  @ApiProperty({ description: 'Name that the identity provider had when the identity was linked.', example: 'Acme SSO' })
  provider!: string;
  @ApiProperty({ description: 'Id of the user at the identity provider (`sub` in the ID token).', example: '00u1a2b3c4' })
  externalId!: string;
}

class IdentifiedUser {
  @ApiProperty(ID) id!: string;
  @ApiProperty(EMAIL) email!: string;
}

export class ListedOrganizationResponse {
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({ example: 'Acme Inc.' }) name!: string;
}

export class UserListItemResponse extends withFieldsShownIn(IdentifiedUser, 'list') {
  @ApiProperty(STATUS) status!: string;
  @ApiProperty({ description: 'Whether the email address is verified.' }) emailVerified!: boolean;
  @ApiProperty({ description: 'Whether the user has an MFA factor.' }) mfaEnabled!: boolean;
  @ApiProperty({
    type: [UserRoleSummaryResponse],
    description:
      'Roles that the user has in the organization of the request path. With `includeDescendants`: in the organization in `organization`.',
  })
  roles!: UserRoleSummaryResponse[];
  @ApiPropertyOptional({
    type: ListedOrganizationResponse,
    description:
      'With `includeDescendants`: the organization that manages the user. If this organization is not in the list, an organization that has the user as a member.',
  })
  organization?: ListedOrganizationResponse;
  @ApiProperty(METADATA) metadata!: Metadata;
  @ApiPropertyOptional({ ...TIME, description: 'Time of the last successful sign-in. Absent if the user never signed in.' })
  lastLoginAt?: string;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty(TIME) updatedAt!: string;

  static from(user: ListedUser): UserListItemResponse {
    return {
      id: user.id,
      email: user.email,
      ...presentFields(LISTED_FIELDS, user),
      status: user.status,
      emailVerified: user.emailVerified,
      mfaEnabled: user.mfaEnabled,
      roles: user.roles.map(({ id, name }) => ({ id, name })),
      ...(user.organizationId === undefined
        ? {}
        : { organization: { id: user.organizationId, name: user.organizationName ?? '' } }),
      metadata: user.metadata,
      ...present({ lastLoginAt: timeOf(user.lastLoginAt) }),
      createdAt: user.createdAt.toISOString(),
      updatedAt: user.updatedAt.toISOString(),
    };
  }
}

export class UserResponse extends withAllFields(IdentifiedUser) {
  @ApiProperty(STATUS) status!: string;
  @ApiProperty({ description: 'Whether the email address is verified.' }) emailVerified!: boolean;
  @ApiProperty({ description: 'Whether the phone number is verified.' }) phoneVerified!: boolean;
  @ApiProperty({ description: 'Whether the user has an MFA factor.' }) mfaEnabled!: boolean;
  @ApiProperty(MFA_METHODS) mfaMethods!: string[];
  @ApiProperty({
    type: [UserRoleResponse],
    description:
      'Roles that the user has in the organization of the request path. In the response of `GET /v1/auth/me`: roles that the user has in the organization that manages the user.',
  })
  roles!: UserRoleResponse[];
  @ApiProperty({
    type: [UserOrganizationResponse],
    description:
      'Organizations in which the user is a member. Organizations that the caller does not have access to are left out.',
  })
  organizations!: UserOrganizationResponse[];
  @ApiProperty(METADATA) metadata!: Metadata;
  @ApiProperty({ type: [IdentityProviderLinkResponse], description: 'Linked identities of the user.' })
  identityProviders!: IdentityProviderLinkResponse[];
  @ApiPropertyOptional({ ...TIME, description: 'Time of the last successful sign-in. Absent if the user never signed in.' })
  lastLoginAt?: string;
  @ApiPropertyOptional({ ...TIME, description: 'Time of the last password change. Absent if the user never set a password.' })
  lastPasswordChangeAt?: string;
  @ApiPropertyOptional({ ...TIME, description: 'Time of the suspension. Present only while the user is suspended.' })
  suspendedAt?: string;
  @ApiPropertyOptional({
    description: 'Reason for the suspension. Present only while the user is suspended.',
    example: 'Left the company',
  })
  suspendedReason?: string;
  @ApiPropertyOptional({ ...TIME, description: 'Time of the deletion. Present only while the user is deleted.' })
  deletedAt?: string;
  @ApiPropertyOptional({
    ...TIME,
    description: 'Time until which the user can be restored. Present only while the user is deleted.',
    example: '2026-02-14T09:00:00.000Z',
  })
  restorableUntil?: string;
  @ApiPropertyOptional({
    description:
      'Id of the SCIM connection that provisions the user. Absent if there is none. Only the connection can change the email address, the names, the phone number and the status of the user, unless it has `allowLocalChanges`.',
    example: 'scim_01kf2bav4hf7r8v2m5n9q1c3ek',
  })
  managedBy?: string;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty(TIME) updatedAt!: string;

  static from(user: UserDetails): UserResponse {
    const { lastLoginAt, lastPasswordChangeAt, suspendedAt, suspendedReason, deletedAt, managedBy } = user;
    return {
      id: user.id,
      email: user.email,
      ...presentFields(USER_FIELD_NAMES, user),
      status: user.status,
      emailVerified: user.emailVerified,
      phoneVerified: user.phoneVerified,
      mfaEnabled: user.mfaEnabled,
      mfaMethods: user.mfaMethods,
      roles: user.roles.map((role) => ({ id: role.id, name: role.name, permissions: [...role.permissions] })),
      organizations: [...user.organizations],
      metadata: user.metadata,
      identityProviders: [...user.identityProviders],
      ...present({ lastLoginAt: timeOf(lastLoginAt), lastPasswordChangeAt: timeOf(lastPasswordChangeAt) }),
      ...(user.status === 'suspended' ? present({ suspendedAt: timeOf(suspendedAt), suspendedReason }) : {}),
      ...present({ managedBy }),
      ...(deletedAt ? { deletedAt: deletedAt.toISOString(), restorableUntil: restorableUntil(deletedAt).toISOString() } : {}),
      createdAt: user.createdAt.toISOString(),
      updatedAt: user.updatedAt.toISOString(),
    };
  }
}

export class CreatedUserResponse extends withFieldsShownIn(IdentifiedUser, 'created') {
  @ApiProperty({ enum: ['pending'] }) status!: string;
  @ApiProperty({ description: 'Whether the email address is verified.', example: false }) emailVerified!: boolean;
  @ApiProperty(TIME) createdAt!: string;

  static from(user: User): CreatedUserResponse {
    const { id, email, status, emailVerified, createdAt } = user;
    const fields = presentFields(CREATED_FIELDS, user);
    return { id, email, ...fields, status, emailVerified, createdAt: createdAt.toISOString() };
  }
}

/** The names, the metadata and the fields of the request after an update. */
export class UpdatedUserResponse extends withAllFields(IdentifiedUser) {
  @ApiProperty(METADATA) metadata!: Metadata;
  @ApiProperty(TIME) updatedAt!: string;

  static from(user: User, sent: { readonly [Name in UserFieldName]?: unknown }): UpdatedUserResponse {
    const { id, email, metadata, updatedAt } = user;
    const names: UserFieldName[] = USER_FIELD_NAMES.filter((name) => ALWAYS_IN_UPDATED.has(name) || sent[name] !== undefined);
    return { id, email, ...presentFields(names, user), metadata, updatedAt: updatedAt.toISOString() };
  }
}

export class SuspendedUserResponse {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ enum: ['suspended'] }) status!: string;
  @ApiProperty(TIME) suspendedAt!: string;
  @ApiProperty({ example: 'Left the company' }) suspendedReason!: string;

  static from({ id, status, suspendedAt, suspendedReason }: User): SuspendedUserResponse {
    return { id, status, suspendedAt: suspendedAt?.toISOString() ?? '', suspendedReason: suspendedReason ?? '' };
  }
}

export class UserStatusResponse {
  @ApiProperty(ID) id!: string;
  @ApiProperty(STATUS) status!: string;
  @ApiProperty(TIME) updatedAt!: string;

  static from({ id, status, updatedAt }: User): UserStatusResponse {
    return { id, status, updatedAt: updatedAt.toISOString() };
  }
}

export class InvitationResponse {
  @ApiProperty(ID) userId!: string;
  @ApiProperty(EMAIL) email!: string;
  @ApiProperty({ ...TIME, description: 'Time at which the invitation link expires.', example: '2026-01-22T09:00:00.000Z' })
  expiresAt!: string;
}
