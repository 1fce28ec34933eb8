import { ApiProperty } from '@nestjs/swagger';
import type { OrganizationScope } from '#platform/common';
import type { VisibleRole } from '#directory/roles';
import type { MemberWithRole } from './members.service.js';
import type { RoleAssignment } from './role-assignment.entity.js';

const USER_ID = { example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' };
const ORGANIZATION_ID = { example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' };
const TIME = { format: 'date-time', example: '2026-01-15T09:00:00.000Z' };

export class MemberResponse {
  @ApiProperty(USER_ID) userId!: string;
  @ApiProperty({ example: 'jane.doe@example.com' }) email!: string;
  @ApiProperty({
    description:
      'Display name of the user. If the user has no display name, this is the full name. If the user has no name at all, this is the email address.',
    example: 'Jane Doe',
  })
  displayName!: string;
  @ApiProperty({ description: 'Name of the role of the membership.', example: 'member' }) role!: string;
  @ApiProperty({ description: 'Status of the user.', enum: ['active', 'suspended', 'pending'] }) status!: string;
  @ApiProperty({ ...TIME, description: 'Time at which the user became a member.' }) joinedAt!: string;
}

export class AddedMemberResponse {
  @ApiProperty(USER_ID) userId!: string;
  @ApiProperty(ORGANIZATION_ID) organizationId!: string;
  @ApiProperty({ description: 'Name of the role of the membership.', example: 'member' }) role!: string;
  @ApiProperty({ ...TIME, description: 'Time at which the user became a member.' }) joinedAt!: string;

  static from({ membership, role }: MemberWithRole): AddedMemberResponse {
    const { userId, organizationId, joinedAt } = membership;
    return { userId, organizationId, role: role.name, joinedAt: joinedAt.toISOString() };
  }
}

export class RoleAssignmentResponse {
  @ApiProperty(USER_ID) userId!: string;
  @ApiProperty({ example: 'role_admin' }) roleId!: string;
  @ApiProperty({ example: 'admin' }) roleName!: string;
  @ApiProperty(ORGANIZATION_ID) organizationId!: string;
  @ApiProperty({ ...TIME, description: 'Time at which the role was assigned.' }) assignedAt!: string;

  static from(organization: OrganizationScope, assignment: RoleAssignment, role: VisibleRole): RoleAssignmentResponse {
    return {
      userId: assignment.userId,
      roleId: role.id,
      roleName: role.name,
      organizationId: organization.id,
      assignedAt: assignment.assignedAt.toISOString(),
    };
  }
}
