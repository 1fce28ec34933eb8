import { ApiProperty } from '@nestjs/swagger';
import { SCIM_MODES, type ScimConnection, type ScimMode } from './scim-connection.entity.js';
import type { ScimToken } from './scim-token.entity.js';

const TIME_OR_NULL = { type: String, format: 'date-time', nullable: true, example: '2026-01-15T10:00:00.000Z' } as const;

export class ScimConnectionResponse {
  @ApiProperty({ example: 'scim_01kf2bav4hf7r8v2m5n9q1c3ek' }) id!: string;
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) organizationId!: string;
  @ApiProperty({ example: 'Okta' }) name!: string;

  @ApiProperty({
    description: 'Base URL of the SCIM API, which you enter in the identity provider.',
    format: 'uri',
    example: 'https://id.example.com/scim/v2/scim_01kf2bav4hf7r8v2m5n9q1c3ek',
  })
  baseUrl!: string;

  @ApiProperty({ description: 'Whether the connection can take over existing users of verified domains.', example: false })
  adoptExistingUsers!: boolean;

  @ApiProperty({
    description: 'Whether the API and the dashboard can also change the users and groups of the connection.',
    example: false,
  })
  allowLocalChanges!: boolean;

  @ApiProperty({
    enum: SCIM_MODES,
    description:
      '`preview`: changes are only recorded. `applying`: the recorded changes are applied. `active`: changes apply at once. `stopped`: changes are rejected, because a limit was exceeded. `rolling_back`: suspended and deleted users are restored.',
    example: 'active',
  })
  mode!: ScimMode;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Maximum number of users whom the connection can suspend or delete within an hour, or null.',
    example: 100,
  })
  maxRemovals!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'The same as a percentage, or null.', example: null })
  maxRemovalPercent!: number | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Time until which the limits do not apply, or null.' })
  limitsPausedUntil!: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Time at which a limit last stopped the connection, or null.' })
  stoppedAt!: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-15T10:00:00.000Z' }) createdAt!: string;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T10:00:00.000Z' }) updatedAt!: string;

  static from(connection: ScimConnection, serviceUrl: string): ScimConnectionResponse {
    const { id, organizationId, name, adoptExistingUsers, allowLocalChanges, mode, maxRemovals, maxRemovalPercent } = connection;
    const { limitsPausedUntil, stoppedAt, createdAt, updatedAt } = connection;
    return {
      id,
      organizationId,
      name,
      baseUrl: `${serviceUrl}/scim/v2/${id}`,
      adoptExistingUsers,
      allowLocalChanges,
      mode,
      maxRemovals,
      maxRemovalPercent,
      limitsPausedUntil: limitsPausedUntil?.toISOString() ?? null,
      stoppedAt: stoppedAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}

export class ScimTokenResponse {
  @ApiProperty({ example: 'scimt_01kf2bav4hf7r8v2m5n9q1c3ek' }) id!: string;
  @ApiProperty({ example: 'scim_01kf2bav4hf7r8v2m5n9q1c3ek' }) connectionId!: string;
  @ApiProperty({ example: 'Okta' }) name!: string;
  @ApiProperty({ description: 'Last four characters of the token.', example: 'x7Qd' }) last4!: string;

  @ApiProperty({
    description: 'IP addresses and networks (CIDR) from which the token can be used, or null for all networks.',
    type: [String],
    nullable: true,
    example: null,
  })
  allowedNetworks!: string[] | null;

  @ApiProperty({
    description: 'Id of the previous token, which was rotated to create this token, or null.',
    type: String,
    nullable: true,
    example: null,
  })
  rotatedFromId!: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Time at which the token expires, or null.' }) expiresAt!: string | null;
  @ApiProperty({ ...TIME_OR_NULL, description: 'Time of the last use, recorded at most once a minute.' }) lastUsedAt!:
    | string
    | null;
  @ApiProperty({ format: 'date-time', example: '2026-01-15T10:00:00.000Z' }) createdAt!: string;

  static from(token: ScimToken): ScimTokenResponse {
    const { id, connectionId, name, last4, allowedNetworks, rotatedFromId, expiresAt, lastUsedAt, createdAt } = token;
    return {
      id,
      connectionId,
      name,
      last4,
      allowedNetworks,
      rotatedFromId,
      expiresAt: expiresAt?.toISOString() ?? null,
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
    };
  }
}

export class CreatedScimTokenResponse extends ScimTokenResponse {
  @ApiProperty({
    description: 'The token. It is returned only once.',
    example: 'scim.Xq3vB8n5Tz0kYw7rLm2cHd9sJf4gPa6eUo1iKx5bNq8',
  })
  token!: string;

  static of(token: ScimToken, secret: string): CreatedScimTokenResponse {
    return { ...ScimTokenResponse.from(token), token: secret };
  }
}
