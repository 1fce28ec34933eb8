import { Body, Controller, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ResourceNotFound } from '#platform/common';
import { BatchPost, BatchResponse, BatchService, type DataResponse, Requires, type ServiceRequest } from '#platform/http';
import { GroupMembersService } from '#directory/groups';
import { MembersService, RoleAssignmentsService } from '#directory/memberships';
import { batchOf, SENSITIVE_ITEMS } from './batch-descriptions.js';
import { UserBatchGroupRequest, UserBatchRequest, UserBatchRoleRequest } from './user-batch.requests.js';

/** Operations on the roles and groups of many users. */
@ApiTags('Users')
@Controller('v1/organizations/:org/users/batch')
export class MembershipBatchController {
  constructor(
    private readonly batch: BatchService,
    private readonly assignments: RoleAssignmentsService,
    private readonly members: MembersService,
    private readonly groupMembers: GroupMembersService,
  ) {}

  @BatchPost('assign-role')
  @Requires('members:write')
  @ApiOperation({
    operationId: 'assignRoleToUsers',
    summary: 'Assign a role to users',
    description: `${batchOf('assignRole')}${SENSITIVE_ITEMS} Publishes \`role.assigned\` for each user who did not have the role.`,
  })
  async assignRole(
    @Req() request: ServiceRequest,
    @Body() { userIds, roleId }: UserBatchRoleRequest,
  ): Promise<DataResponse<BatchResponse>> {
    const results = await this.batch.run(request, userIds, async (ctx, userId) => {
      const { created } = await this.assignments.assign(ctx, userId, roleId);
      return { status: created ? 201 : 200 };
    });
    return { data: BatchResponse.from(results) };
  }

  @BatchPost('revoke-role')
  @Requires('members:write')
  @ApiOperation({
    operationId: 'revokeRoleFromUsers',
    summary: 'Revoke a role from users',
    description: `${batchOf('revokeRole')}${SENSITIVE_ITEMS} Publishes \`role.revoked\` for each user.`,
  })
  async revokeRole(
    @Req() request: ServiceRequest,
    @Body() { userIds, roleId }: UserBatchRoleRequest,
  ): Promise<DataResponse<BatchResponse>> {
    const results = await this.batch.run(request, userIds, async (ctx, userId) => {
      await this.assignments.revoke(ctx, userId, roleId);
      return { status: 204 };
    });
    return { data: BatchResponse.from(results) };
  }

  @BatchPost('remove-member')
  @Requires('members:write')
  @ApiOperation({
    operationId: 'removeMembers',
    summary: 'Remove members from the organization',
    description: `${batchOf('removeMember')} Publishes \`organization.member_removed\` for each member.`,
  })
  async removeMember(
    @Req() request: ServiceRequest,
    @Body() { userIds }: UserBatchRequest,
  ): Promise<DataResponse<BatchResponse>> {
    const results = await this.batch.run(request, userIds, async (ctx, userId) => {
      await this.members.remove(ctx, userId);
      return { status: 204 };
    });
    return { data: BatchResponse.from(results) };
  }

  @BatchPost('add-to-group')
  @Requires('groups:write')
  @ApiOperation({
    operationId: 'addUsersToGroup',
    summary: 'Add users to a group',
    description: `${batchOf('addGroupMembers')}${SENSITIVE_ITEMS} Publishes \`group.member_added\` for each user who was not in the group. To add all users or none, use \`addGroupMembers\`.`,
  })
  async addToGroup(
    @Req() request: ServiceRequest,
    @Body() { userIds, groupId }: UserBatchGroupRequest,
  ): Promise<DataResponse<BatchResponse>> {
    const results = await this.batch.run(request, userIds, async (ctx, userId) => {
      await this.groupMembers.add(ctx, groupId, [userId]);
      return { status: 200 };
    });
    return { data: BatchResponse.from(results) };
  }

  @BatchPost('remove-from-group')
  @Requires('groups:write')
  @ApiOperation({
    operationId: 'removeUsersFromGroup',
    summary: 'Remove users from a group',
    description: `${batchOf('removeGroupMember')} Publishes \`group.member_removed\` for each user.`,
  })
  async removeFromGroup(
    @Req() request: ServiceRequest,
    @Body() { userIds, groupId }: UserBatchGroupRequest,
  ): Promise<DataResponse<BatchResponse>> {
    const results = await this.batch.run(request, userIds, async (ctx, userId) => {
      const removed = await this.groupMembers.remove(ctx, groupId, [userId]);
      if (removed.length === 0) throw new ResourceNotFound('member', userId);
      return { status: 204 };
    });
    return { data: BatchResponse.from(results) };
  }
}
