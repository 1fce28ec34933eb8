import { ApiProperty } from '@nestjs/swagger';
import { ExactTextField, ObjectListField, TextField } from '#http';
import type { GrantingRole, PermissionAnswer } from './permission-checks.read.js';

export class PermissionCheckRequest {
  @ExactTextField({ description: 'The user.', maxLength: 64, required: true, example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  userId!: string;

  @TextField({
    description: 'What the user wants to do: a permission of this service, or one of your own.',
    maxLength: 100,
    pattern: /^[a-z][a-z0-9_.-]*:[a-z][a-z0-9_.-]*$/,
    patternMessage: 'must have the form resource:action.',
    required: true,
    example: 'invoices:read',
  })
  permission!: string;
}

export class PermissionCheckBatchRequest {
  @ObjectListField(() => PermissionCheckRequest, {
    description: 'The questions; answers come in the same order.',
    required: true,
    minItems: 1,
    maxItems: 100,
  })
  checks!: PermissionCheckRequest[];
}

export class GrantingRoleResponse implements GrantingRole {
  @ApiProperty({ example: 'role_admin' }) roleId!: string;
  @ApiProperty({ example: 'admin' }) roleName!: string;
  @ApiProperty({ description: 'Where the user has the role: here, or above.', example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' })
  organizationId!: string;
}

export class PermissionAnswerResponse implements PermissionAnswer {
  @ApiProperty() allowed!: boolean;
  @ApiProperty({ type: [GrantingRoleResponse], description: 'The roles that allow it; empty when it is not allowed.' })
  because!: GrantingRoleResponse[];
}
