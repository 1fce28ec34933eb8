import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { VisibleRole } from './built-in-roles.js';

export class RoleResponse {
  @ApiProperty({ example: 'role_admin' }) id!: string;
  @ApiProperty({ example: 'admin' }) name!: string;
  @ApiPropertyOptional({ example: 'Manages users, members and roles.' }) description?: string;
  @ApiProperty({
    type: [String],
    description:
      'Permissions of the form `resource:action`. `users:*` covers all actions on a resource, and `*` covers everything.',
    example: ['users:read', 'users:write'],
  })
  permissions!: string[];
  @ApiProperty({ description: 'Whether the role is built in. Built-in roles cannot be changed.' }) builtIn!: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Id of the organization that owns the role, or null for a built-in role.',
    example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  })
  organizationId!: string | null;
  @ApiPropertyOptional({ description: 'Absent for a built-in role.', format: 'date-time', example: '2026-01-15T10:00:00.000Z' })
  createdAt?: string;
  @ApiPropertyOptional({ description: 'Absent for a built-in role.', format: 'date-time', example: '2026-01-15T10:00:00.000Z' })
  updatedAt?: string;

  static from(role: VisibleRole): RoleResponse {
    return {
      id: role.id,
      name: role.name,
      ...(role.description === null ? {} : { description: role.description }),
      permissions: [...role.permissions],
      builtIn: role.organizationId === null,
      organizationId: role.organizationId,
      ...(role.createdAt && role.updatedAt
        ? { createdAt: role.createdAt.toISOString(), updatedAt: role.updatedAt.toISOString() }
        : {}),
    };
  }
}
