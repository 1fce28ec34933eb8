import { ApiProperty } from '@nestjs/swagger';
import { visibleName } from '#directory/memberships';
import type { ListedGroupMember } from './group-members.service.js';
import type { CountedGroup } from './groups.service.js';
import type { GroupRole } from './group-roles.service.js';

const TIME = { format: 'date-time', example: '2026-01-15T10:00:00.000Z' };
const TEXT_OR_NULL = { type: String, nullable: true } as const;
const USER_ID = { example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' };

export class GroupResponse {
  @ApiProperty({ example: 'group_01kf2bav4hf7r8v2m5n9q1c3ek' }) id!: string;
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) organizationId!: string;
  @ApiProperty({ example: 'Engineering' }) name!: string;
  @ApiProperty({ ...TEXT_OR_NULL, example: 'Everybody who builds the product' }) description!: string | null;
  @ApiProperty({ ...TEXT_OR_NULL, description: 'Id of the group in your own system.', example: 'dep-204' })
  externalId!: string | null;
  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'Id of the connection that provisions the group. Null if the group is managed with this API.',
    example: null,
  })
  managedBy!: string | null;
  @ApiProperty({ type: 'integer', description: 'Number of members, without deleted users.', example: 42 }) memberCount!: number;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty(TIME) updatedAt!: string;

  static from({ group, memberCount }: CountedGroup): GroupResponse {
    const { id, organizationId, name, description, externalId, managedBy, createdAt, updatedAt } = group;
    const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
    return { id, organizationId, name, description, externalId, managedBy, memberCount, ...times };
  }
}

export class GroupMemberResponse {
  @ApiProperty(USER_ID) userId!: string;
  @ApiProperty({ example: 'jane.doe@example.com' }) email!: string;
  @ApiProperty({
    description: 'Display name of the user. Without a display name: the full name, or the email address.',
    example: 'Jane Doe',
  })
  displayName!: string;
  @ApiProperty({ description: 'Status of the user.', enum: ['active', 'suspended', 'pending'] }) status!: string;
  @ApiProperty({ ...TIME, description: 'Time at which the user was added to the group.' }) addedAt!: string;

  static from({ userId, status, addedAt, ...user }: ListedGroupMember): GroupMemberResponse {
    return { userId, email: user.email, displayName: visibleName(user), status, addedAt: addedAt.toISOString() };
  }
}

export class AddedGroupMembersResponse {
  @ApiProperty({
    type: [String],
    description: 'Ids of the users who were added. Users who were in the group already are not in this list.',
    example: ['usr_01kf2b8v3cf5h9r4n0j7d2q6xw'],
  })
  added!: string[];
}

export class GroupRoleResponse {
  @ApiProperty({ example: 'role_admin' }) roleId!: string;
  @ApiProperty({ example: 'admin' }) roleName!: string;
  @ApiProperty({ type: [String], example: ['users:read', 'users:write'] }) permissions!: string[];
  @ApiProperty({ ...TIME, description: 'Time at which the role was assigned to the group.' }) assignedAt!: string;

  static from({ assignment, role }: GroupRole): GroupRoleResponse {
    const { id: roleId, name: roleName, permissions } = role;
    return { roleId, roleName, permissions: [...permissions], assignedAt: assignment.assignedAt.toISOString() };
  }
}
