import { holdsPermission, SERVICE_PERMISSIONS, type ServicePermission } from '#common';
import { OWNER_FLAGS } from '#memberships';
import { ApiProperty } from '@nestjs/swagger';
import type { ApiKey } from './api-key.entity.js';

const UNUSED_AFTER_DAYS = 90;
const KEY_ID = 'key_01kf0000000000000000000000';

/** Who made a key. */
export class ApiKeyMakerResponse {
  @ApiProperty({ enum: ['user', 'key', 'platform'], example: 'user' }) type!: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The user, or the API key.',
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  id!: string | null;
}

/** A key as it is shown: enough to tell it from others, never enough to use it. */
export class ApiKeyResponse {
  @ApiProperty({ example: KEY_ID })
  id!: string;

  @ApiProperty({ example: 'Billing sync' })
  name!: string;

  @ApiProperty({ description: 'What the key may do.', type: [String], example: ['users:read', 'members:*'] })
  scopes!: string[];

  @ApiProperty({ description: 'The beginning of the key.', example: 'service_sk_4fK2aQ' })
  prefix!: string;

  @ApiProperty({ description: 'The end of the key.', example: 'x7Qd' })
  last4!: string;

  @ApiProperty({ description: 'The key works in this organization and those below.', example: 'org_01kf0000000000000000000000' })
  organizationId!: string;

  @ApiProperty({ description: 'Who made it, or rotated to it.' })
  createdBy!: ApiKeyMakerResponse;

  @ApiProperty({
    description: 'The user who created it, or the owner of the key that did; null where the platform did.',
    type: 'string',
    nullable: true,
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  ownerId!: string | null;

  @ApiProperty({ description: 'The key that this one took over from.', type: 'string', nullable: true, example: null })
  rotatedFromId!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  expiresAt!: string | null;

  @ApiProperty({
    description: 'Exact to a minute.',
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: '2026-01-15T10:00:00.000Z',
  })
  lastUsedAt!: string | null;

  @ApiProperty({ description: 'The address that it was last used from.', type: 'string', nullable: true, example: '203.0.113.7' })
  lastUsedIp!: string | null;

  @ApiProperty({
    description: 'From where the key works, in CIDR form; null: from everywhere.',
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    example: ['203.0.113.0/24'],
  })
  allowedNetworks!: string[] | null;

  @ApiProperty({
    description:
      'Permissions that the key has and that no operation required of it (`x-required-permission`) in the last 90 days; of a younger key, since ' +
      'it was created. To grant permissions and to act on people a key may need more than operations require.',
    type: [String],
    example: ['users:write'],
  })
  unusedPermissions!: string[];

  @ApiProperty({
    description: 'Set while the owner is suspended or deleted, or lacks permissions of the key; updated within a minute.',
    type: 'string',
    enum: [...OWNER_FLAGS, null],
    nullable: true,
    example: null,
  })
  flag!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  flaggedAt!: string | null;

  @ApiProperty({ description: 'Refused while it is flagged: the setting `disableFlaggedApiKeys`.', example: false })
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

/** A new key: the one time that it is shown whole. */
export class NewApiKeyResponse extends ApiKeyResponse {
  @ApiProperty({ description: 'The key. Shown this once; only its hash is kept.', example: 'service_sk_…' })
  key!: string;

  static of(apiKey: ApiKey, key: string, now: Date): NewApiKeyResponse {
    return { ...ApiKeyResponse.from(apiKey, now), key };
  }
}

function unusedPermissions({ scopes, permissionsUsed }: ApiKey, now: Date): string[] {
  const since = new Date(now.getTime() - UNUSED_AFTER_DAYS * 86_400_000).toISOString().slice(0, 10);
  const isUsed = (permission: string): boolean => (permissionsUsed[permission] ?? '') >= since;
  const isAskedFor = (permission: string): boolean =>
    isUsed(permission) || (ALSO_ASKED_WITH[permission] ?? []).some(isUsed) || permission === NEVER_REQUIRED;
  return SERVICE_PERMISSIONS.filter((permission) => holdsPermission(scopes, permission) && !isAskedFor(permission));
}

/** Permissions that operations ask for beside the one that they require. */
const ALSO_ASKED_WITH: Readonly<Partial<Record<string, readonly string[]>>> = {
  'events:read': ['webhooks:read', 'webhooks:write'],
};
/** What it lets its holder grant is no operation of its own. */
const NEVER_REQUIRED: ServicePermission = 'permissions:grant';
