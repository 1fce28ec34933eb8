import { CREATOR_KINDS, hasPermission, SERVICE_PERMISSIONS, type ServicePermission } from '#platform/common';
import { choiceOrNull } from '#platform/http';
import { OWNER_FLAGS } from '#directory/memberships';
import { ApiProperty } from '@nestjs/swagger';
import type { ApiKey } from './api-key.entity.js';

const UNUSED_AFTER_DAYS = 90;
const KEY_ID = 'key_01kf0000000000000000000000';

export class ApiKeyMakerResponse {
  @ApiProperty({
    description: 'Type of the creator: a user, an API key (`key`), a machine client (`oauth`) or a platform key (`platform`).',
    enum: CREATOR_KINDS,
    example: 'user',
  })
  type!: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Id of the user or the API key that created the key, or null if it was created with a platform key.',
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  id!: string | null;
}

/** An API key without its secret value. */
export class ApiKeyResponse {
  @ApiProperty({ example: KEY_ID })
  id!: string;

  @ApiProperty({ example: 'Billing sync' })
  name!: string;

  @ApiProperty({ description: 'Permissions of the key.', type: [String], example: ['users:read', 'members:*'] })
  scopes!: string[];

  @ApiProperty({ description: 'First characters of the key.', example: 'service_sk_4fK2aQ' })
  prefix!: string;

  @ApiProperty({ description: 'Last four characters of the key.', example: 'x7Qd' })
  last4!: string;

  @ApiProperty({
    description: 'Id of the organization of the key. The key has access to this organization and its descendants.',
    example: 'org_01kf0000000000000000000000',
  })
  organizationId!: string;

  @ApiProperty({
    description: 'Creator of the key. If the key was created by a rotation, this is the caller who rotated the previous key.',
  })
  createdBy!: ApiKeyMakerResponse;

  @ApiProperty({
    description:
      'Id of the owner: the user who created the key, or the owner of the API key that created it. Null if the key was created with a platform key.',
    type: 'string',
    nullable: true,
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  ownerId!: string | null;

  @ApiProperty({
    description: 'Id of the previous key, which was rotated to create this key. Null if this key was not created by a rotation.',
    type: 'string',
    nullable: true,
    example: null,
  })
  rotatedFromId!: string | null;

  @ApiProperty({
    description: 'Time at which the key expires, or null if it does not expire.',
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: null,
  })
  expiresAt!: string | null;

  @ApiProperty({
    description: 'Time of the last use, accurate to one minute, or null if the key was never used.',
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: '2026-01-15T10:00:00.000Z',
  })
  lastUsedAt!: string | null;

  @ApiProperty({
    description: 'IP address of the last use, or null if the key was never used.',
    type: 'string',
    nullable: true,
    example: '203.0.113.7',
  })
  lastUsedIp!: string | null;

  @ApiProperty({
    description: 'Networks (CIDR) from which the key can be used, or null for all networks.',
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    example: ['203.0.113.0/24'],
  })
  allowedNetworks!: string[] | null;

  @ApiProperty({
    description:
      'Permissions of the key that were not required by any request with this key in the last 90 days, or since the key was created. ' +
      'In the OpenAPI document, `x-required-permission` is the permission that an operation requires. ' +
      'Even if a permission is in this list, the key needs the permission to grant it to others, and to manage users who have it.',
    type: [String],
    example: ['users:write'],
  })
  unusedPermissions!: string[];

  @ApiProperty({
    description:
      'Problem with the owner of the key, or null if there is no problem. `owner_suspended`: the owner is suspended. `owner_deleted`: the owner is deleted. `permissions_lost`: the owner no longer has all permissions of the key. The service updates this field within one minute.',
    ...choiceOrNull(OWNER_FLAGS),
    example: null,
  })
  flag!: string | null;

  @ApiProperty({
    description: 'Time at which the key was flagged, or null if it is not flagged.',
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: null,
  })
  flaggedAt!: string | null;

  @ApiProperty({
    description: 'Whether the key is disabled because it is flagged and the setting `disableFlaggedApiKeys` is enabled.',
    example: false,
  })
  disabled!: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-01-15T10:00:00.000Z' })
  createdAt!: string;

  static from(key: ApiKey, now: Date): ApiKeyResponse {
    const { id, name, scopes, prefix, last4, organizationId, rotatedFromId, expiresAt, lastUsedAt, createdAt } = key;
    return {
      id,
      name,
      scopes,
      prefix,
      last4,
      organizationId: organizationId ?? '',
      createdBy: { type: key.createdByType, id: key.createdById },
      ownerId: key.ownerId,
      rotatedFromId,
      expiresAt: expiresAt?.toISOString() ?? null,
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      lastUsedIp: key.lastUsedIp,
      allowedNetworks: key.allowedNetworks,
      unusedPermissions: unusedPermissions(key, now),
      flag: key.flag,
      flaggedAt: key.flaggedAt?.toISOString() ?? null,
      disabled: key.disabledAt !== null,
      createdAt: createdAt.toISOString(),
    };
  }
}

export class CreatedApiKeyResponse extends ApiKeyResponse {
  @ApiProperty({
    description: 'The API key. It is returned only once, because only a hash of it is stored.',
    example: 'service_sk_…',
  })
  key!: string;

  static of(apiKey: ApiKey, key: string, now: Date): CreatedApiKeyResponse {
    return { ...ApiKeyResponse.from(apiKey, now), key };
  }
}

function unusedPermissions({ scopes, permissionsUsed }: ApiKey, now: Date): string[] {
  const since = new Date(now.getTime() - UNUSED_AFTER_DAYS * 86_400_000).toISOString().slice(0, 10);
  const isUsed = (permission: string): boolean => (permissionsUsed[permission] ?? '') >= since;
  const isNeeded = (permission: string): boolean =>
    isUsed(permission) || (ALSO_USED_BY[permission] ?? []).some(isUsed) || permission === NEVER_REQUIRED;
  return SERVICE_PERMISSIONS.filter((permission) => hasPermission(scopes, permission) && !isNeeded(permission));
}

/** An operation that requires a permission in the value also checks the permission in the property name. */
const ALSO_USED_BY: Readonly<Partial<Record<string, readonly string[]>>> = {
  'events:read': ['webhooks:read', 'webhooks:write'],
};
/** The permission that no operation requires. It is never reported as unused. */
const NEVER_REQUIRED: ServicePermission = 'permissions:grant';
