import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ExactTextField, ObjectListField, TextField } from '#http';
import { GRANT_SOURCES, type GrantingRole, type PermissionAnswer, REFUSALS } from './permission-checks.read.js';

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
  @ApiProperty({
    enum: GRANT_SOURCES,
    description: '`assignment`: the role was given. `break_glass`: emergency access gives it for a while.',
    example: 'assignment',
  })
  source!: GrantingRole['source'];
  @ApiProperty({ description: "Which of the role's permissions covers what was asked for.", example: 'users:*' })
  permission!: string;
}

export class PermissionAnswerResponse implements PermissionAnswer {
  @ApiProperty() allowed!: boolean;
  @ApiProperty({ type: [GrantingRoleResponse], description: 'The roles that allow it; empty when it is not allowed.' })
  because!: GrantingRoleResponse[];
  @ApiPropertyOptional({
    enum: REFUSALS,
    description:
      'Only when it is not allowed: no role here or above gives it (`not_granted`), or the user is suspended or deleted, whatever the roles.',
    example: 'not_granted',
  })
  refusal?: PermissionAnswer['refusal'];
}
