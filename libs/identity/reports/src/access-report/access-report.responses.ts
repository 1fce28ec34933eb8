import { ApiProperty } from '@nestjs/swagger';
import { type Actor, ACTOR_TYPES } from '#platform/common';

const TEXT_OR_NULL = { type: 'string', nullable: true } as const;
const TIME_OR_NULL = { type: 'string', nullable: true, format: 'date-time', example: '2026-01-15T09:00:00.000Z' } as const;

export const ACCESS_KINDS = ['user', 'api_key'] as const;
/** The sources of permissions: a role assignment, a group, temporary break-glass access, or the scopes of an API key. */
export const ACCESS_SOURCES = ['assignment', 'group', 'break_glass', 'scopes'] as const;
export const ACCESS_STATUSES = ['active', 'suspended', 'pending', 'disabled'] as const;

export class AccessAssignerResponse {
  @ApiProperty({ description: 'Kind of the actor.', enum: ACTOR_TYPES, example: 'user' }) type!: Actor['type'];

  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'Id of the user or of the API key, or null for the service itself.',
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  id!: string | null;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description:
      'Email address, if the actor is a user of the tenant whom the caller can read and who was not deleted permanently.',
    example: 'admin@example.com',
  })
  email!: string | null;
}

/** One line of an access report. */
export class AccessReportRowResponse {
  @ApiProperty({ description: 'Whether a user or an API key has the permissions.', enum: ACCESS_KINDS, example: 'user' })
  kind!: (typeof ACCESS_KINDS)[number];

  @ApiProperty({ description: 'Id of the user or API key.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) id!: string;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description:
      "Email address of the user. Null for an API key, and in an inherited line if the caller can't read the users of the organization in `organizationId`.",
    example: 'jane.doe@example.com',
  })
  email!: string | null;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'Name of the user or API key. Null if unknown, and in the same cases as `email` in an inherited line.',
    example: 'Jane Doe',
  })
  name!: string | null;

  @ApiProperty({
    description: 'Only `active` users and API keys can use their permissions. Deleted users are not in the report.',
    enum: ACCESS_STATUSES,
    example: 'active',
  })
  status!: (typeof ACCESS_STATUSES)[number];

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Id of the role, or null for an API key.', example: 'role_admin' })
  roleId!: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Name of the role, or null for an API key.', example: 'admin' })
  role!: string | null;

  @ApiProperty({
    description: 'Permissions of the role, or scopes of the API key.',
    type: [String],
    example: ['organizations:read', 'members:read'],
  })
  permissions!: string[];

  @ApiProperty({
    description:
      'Source of the permissions: a role assignment, a group with the role, temporary break-glass access, or the scopes of an API key.',
    enum: ACCESS_SOURCES,
    example: 'assignment',
  })
  source!: (typeof ACCESS_SOURCES)[number];

  @ApiProperty({ description: 'Whether the permissions are inherited from an ancestor organization.', example: false })
  inherited!: boolean;

  @ApiProperty({
    description: 'Id of the organization in which the role was assigned, or of the API key.',
    example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  })
  organizationId!: string;

  @ApiProperty({ description: 'Name of this organization.', example: 'Acme' }) organizationName!: string;

  @ApiProperty({
    description:
      'Actor who assigned the role, added the user to the group or assigned the role to the group (whichever was later), approved the break-glass access or created the API key. Null if unknown: the role was assigned with a release that did not record the actor.',
    oneOf: [{ $ref: '#/components/schemas/AccessAssignerResponse' }, { type: 'null' }],
  })
  assignedBy!: AccessAssignerResponse | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Time of the assignment, approval or creation.' }) assignedAt!: string | null;

  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'Time at which the break-glass access or the API key expires. Null if the permissions do not expire.',
    example: null,
  })
  expiresAt!: string | null;

  @ApiProperty({
    ...TIME_OR_NULL,
    description:
      'For a user: time of the last sign-in or of the last use of a session that is not revoked, in any organization, accurate to one minute. For an API key: time of the last request. Null if there was none, and in the same cases as `email` in an inherited line.',
  })
  lastUsedAt!: string | null;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'Id of the group, if the source is a group.',
    example: null,
  })
  groupId!: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Name of the group, if the source is a group.', example: null })
  group!: string | null;
}
