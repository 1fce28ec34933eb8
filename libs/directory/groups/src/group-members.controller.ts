import { Body, Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RECENT_SIGN_IN_IF_SENSITIVE, type RequestContext, ResourceNotFound } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  type ListResponse,
  listResponse,
  PageQuery,
  Post,
  Requires,
} from '#platform/http';
import { AsOf } from '#directory/organizations';
import { GroupMembersService } from './group-members.service.js';
import { AddGroupMembersRequest, ListGroupMembersQuery } from './group.requests.js';
import { AddedGroupMembersResponse, GroupMemberResponse } from './group.responses.js';

const GROUP_ID = { name: 'id', description: 'Id of the group.', example: 'group_01kf2bav4hf7r8v2m5n9q1c3ek' };

@ApiTags('Groups')
@Controller('v1/organizations/:org/groups/:id/members')
export class GroupMembersController {
  constructor(private readonly members: GroupMembersService) {}

  @AsOf({ otherParameters: true })
  @Get()
  @Requires('groups:read')
  @ApiIdParam(GROUP_ID)
  @ApiOperation({
    operationId: 'listGroupMembers',
    summary: 'List the members of a group',
    description: 'Returns the members of a group, newest users first. Deleted users are not included.',
  })
  @ApiList(GroupMemberResponse)
  @ApiProblems({ 404: 'The organization or group does not exist.' })
  async list(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: ListGroupMembersQuery,
  ): Promise<ListResponse<GroupMemberResponse>> {
    return listResponse(await this.members.list(ctx, id, query.search, PageQuery.read(query)), GroupMemberResponse.from);
  }

  @Post()
  @HttpCode(200)
  @Requires('groups:write')
  @ApiIdParam(GROUP_ID)
  @ApiOperation({
    operationId: 'addGroupMembers',
    summary: 'Add members to a group',
    description:
      "Adds up to 1,000 members of the organization to a group: all of them, or, if one is not a member, none. A group can't be a member of a group. If the group has roles, the caller also needs the permission `members:write` and all permissions of these roles. Adding members to a group that has a role with a permission of this service other than a `read` permission is a sensitive operation. " +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' Publishes `group.member_added` for each user who was not in the group.',
  })
  @ApiData(AddedGroupMembersResponse, { description: 'All users are members of the group.' })
  @ApiProblems({
    400: 'Invalid request. `errors` names the users who are not members of the organization (`member_not_found`).',
    403: 'The caller lacks a required permission or a permission of a role of the group (`forbidden`).',
    404: 'The organization or group does not exist.',
    422: 'An id is the id of a group (`nested_groups_unsupported`).',
  })
  async add(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() { userIds }: AddGroupMembersRequest,
  ): Promise<DataResponse<AddedGroupMembersResponse>> {
    return { data: { added: await this.members.add(ctx, id, userIds) } };
  }

  @Delete(':userId')
  @HttpCode(204)
  @Requires('groups:write')
  @ApiIdParam(GROUP_ID)
  @ApiIdParam({ name: 'userId', description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  @ApiOperation({
    operationId: 'removeGroupMember',
    summary: 'Remove a member from a group',
    description:
      'Removes a user from a group. The user stays a member of the organization, but loses the roles of the group. If the group has roles, the caller also needs the permission `members:write` and every permission that the user has in the organization. Publishes `group.member_removed`.',
  })
  @ApiNoContentResponse({ description: 'The user is no longer in the group.' })
  @ApiProblems({
    403: 'The caller lacks a required permission or a permission of the user (`forbidden`).',
    404: 'The organization or group does not exist, or the user is not in the group (`member_not_found`).',
  })
  async remove(@Ctx() ctx: RequestContext, @Param('id') id: string, @Param('userId') userId: string): Promise<void> {
    if ((await this.members.remove(ctx, id, [userId])).length === 0) throw new ResourceNotFound('member', userId);
  }
}
