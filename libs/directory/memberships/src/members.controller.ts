import { Body, Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RECENT_SIGN_IN_IF_SENSITIVE, type RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiList,
  Ctx,
  type DataResponse,
  type ListResponse,
  PageQuery,
  Post,
  Requires,
} from '#platform/http';
import { AsOf } from '#directory/organizations';
import { MemberListService } from './member-list.service.js';
import { AddMemberRequest, ListMembersQuery } from './member.requests.js';
import { AddedMemberResponse, MemberResponse } from './member.responses.js';
import { MembersService } from './members.service.js';

@ApiTags('Members')
@Controller('v1/organizations/:org/members')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly memberList: MemberListService,
  ) {}

  @AsOf({ otherParameters: true })
  @Get()
  @Requires('members:read')
  @ApiOperation({
    operationId: 'listMembers',
    summary: 'List members',
    description:
      'Returns all members of the organization, including members that another organization manages. To also list users that the organization manages but who are not members, use `GET /v1/organizations/{org}/users`.',
  })
  @ApiList(MemberResponse)
  list(@Ctx() ctx: RequestContext, @Query() query: ListMembersQuery): Promise<ListResponse<MemberResponse>> {
    return this.memberList.list(ctx, query, PageQuery.read(query));
  }

  @Post()
  @Requires('members:write')
  @ApiOperation({
    operationId: 'addMember',
    summary: 'Add or update a member',
    description:
      'Adds a user to the organization. If the user is already a member, the `role` in the request replaces the current role of the membership. In each case, the caller must have all permissions of the `role` in the request. If the request changes the role of an existing member, the caller must also have every permission that the user has in the organization. Assigning a role that has a permission of this service other than a `read` permission is a sensitive operation. ' +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' A user of another tenant can be added only with a platform key. Publishes `organization.member_added` for a new member. If the role of a member changes, publishes `role.revoked` and `role.assigned` instead.',
  })
  @ApiData(AddedMemberResponse, { status: 201, description: 'The user is a member with the returned role.' })
  async add(@Ctx() ctx: RequestContext, @Body() body: AddMemberRequest): Promise<DataResponse<AddedMemberResponse>> {
    return { data: AddedMemberResponse.from(await this.members.add(ctx, body)) };
  }

  @Delete(':userId')
  @HttpCode(204)
  @Requires('members:write')
  @ApiOperation({
    operationId: 'removeMember',
    summary: 'Remove a member',
    description:
      'Removes a user from the organization. The user loses all roles in the organization, but is not deleted. The caller must have every permission that the user has in the organization. Returns 409 `last_owner` if the user is the last owner of the organization, unless the request uses a platform key, and 409 `managed_by_scim` if a SCIM connection of the organization provisions the user. Publishes `organization.member_removed`.',
  })
  @ApiIdParam({ name: 'userId', description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  @ApiNoContentResponse({ description: 'The user is no longer a member.' })
  async remove(@Ctx() ctx: RequestContext, @Param('userId') userId: string): Promise<void> {
    await this.members.remove(ctx, userId);
  }
}
