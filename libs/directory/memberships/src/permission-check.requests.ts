import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ExactTextField, ObjectListField, TextField } from '#platform/http';
import { GRANT_SOURCES } from './user-roles.query.js';
import { type GrantingRole, type PermissionAnswer, REFUSALS } from './permission-checks.service.js';

/** A permission, or all permissions of a resource. */
export const CHECKED_PERMISSION = /^[a-z][a-z0-9_.-]*:(\*|[a-z][a-z0-9_.-]*)$/;

export class PermissionCheckRequest {
  @ExactTextField({ description: 'Id of the user.', maxLength: 64, required: true, example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  userId!: string;

  @TextField({
    description:
      'Permission to check: a permission of this service or of your own application, or all permissions of a resource, such as `invoices:*`. A role with only some permissions of a resource does not grant all of them.',
    maxLength: 100,
    pattern: CHECKED_PERMISSION,
    patternMessage: 'must have the form resource:action or resource:*.',
    required: true,
    example: 'invoices:read',
  })
  permission!: string;
}

export class PermissionCheckBatchRequest {
  @ObjectListField(() => PermissionCheckRequest, {
    description: 'Permissions to check. The response contains the results in the same order.',
    required: true,
    minItems: 1,
    maxItems: 100,
  })
  checks!: PermissionCheckRequest[];
}

export class GrantingGroupResponse {
  @ApiProperty({ example: 'group_01kf2bav4hf7r8v2m5n9q1c3ek' }) id!: string;
  @ApiProperty({ example: 'Engineering' }) name!: string;
}

export class GrantingRoleResponse implements GrantingRole {
  @ApiProperty({ example: 'role_admin' }) roleId!: string;
  @ApiProperty({ example: 'admin' }) roleName!: string;
  @ApiProperty({
    description: 'Id of the organization in which the user has the role: the organization of the request or an ancestor.',
    example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  })
  organizationId!: string;
  @ApiProperty({
    enum: GRANT_SOURCES,
    description:
      'Source of the role. `assignment`: the role is assigned to the user. `group`: the role is assigned to a group of the user. `break_glass`: the user has the role temporarily through break-glass access.',
    example: 'assignment',
  })
  source!: GrantingRole['source'];
  @ApiPropertyOptional({ type: GrantingGroupResponse, description: 'Group with the role. Present only if `source` is `group`.' })
  group?: GrantingGroupResponse;
  @ApiProperty({ description: 'Permission of the role that covers the checked permission.', example: 'users:*' })
  permission!: string;
}

export class PermissionAnswerResponse implements PermissionAnswer {
  @ApiProperty({ description: 'Whether the user has the permission.' }) allowed!: boolean;
  @ApiProperty({
    type: [GrantingRoleResponse],
    description: 'Roles that grant the permission. Empty if the user does not have the permission.',
  })
  because!: GrantingRoleResponse[];
  @ApiPropertyOptional({
    enum: REFUSALS,
    description:
      'Reason why the user does not have the permission. `not_granted`: no role of the user grants the permission. `user_suspended`: the user, or the organization that manages the user, is suspended, and the user therefore has no permissions. `user_deleted`: the user is deleted and therefore has no permissions. `organization_suspended`: the organization is suspended and therefore grants nothing. Absent if the user has the permission.',
    example: 'not_granted',
  })
  refusal?: PermissionAnswer['refusal'];
}
