import { Body, Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiData, ApiList, Ctx, type DataAnswer, type ListAnswer, PageQuery, Post, Requires } from '#http';
import { MemberList } from './member-list.service.js';
import { AddMemberRequest, ListMembersQuery } from './member.requests.js';
import { AddedMemberResponse, MemberResponse } from './member.responses.js';
import { MembersService } from './members.service.js';

@ApiTags('Members')
@Controller('v1/organizations/:id/members')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly memberList: MemberList,
  ) {}

  @Get()
  @Requires('members:read', { organization: 'id' })
  @ApiOperation({ operationId: 'listMembers', summary: 'List members' })
  @ApiList(MemberResponse)
  list(@Ctx() ctx: RequestContext, @Query() query: ListMembersQuery): Promise<ListAnswer<MemberResponse>> {
    return this.memberList.list(ctx, query, PageQuery.read(query));
  }

  @Post()
  @Requires('members:write', { organization: 'id' })
  @ApiOperation({
    operationId: 'addMember',
    summary: 'Add a member, or change its role',
    description: 'If the user is a member already, `role` is replaced.',
  })
  @ApiData(AddedMemberResponse, { status: 201, description: 'The user is a member with this role.' })
  async add(@Ctx() ctx: RequestContext, @Body() body: AddMemberRequest): Promise<DataAnswer<AddedMemberResponse>> {
    return { data: AddedMemberResponse.from(await this.members.add(ctx, body)) };
  }

  @Delete(':userId')
  @HttpCode(204)
  @Requires('members:write', { organization: 'id' })
  @ApiOperation({
    operationId: 'removeMember',
    summary: 'Remove a member',
    description: 'Takes all roles here away; the user stays.',
  })
  @ApiParam({ name: 'userId', description: 'The member.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  @ApiNoContentResponse({ description: 'The user is no longer a member.' })
  async remove(@Ctx() ctx: RequestContext, @Param('userId') userId: string): Promise<void> {
    await this.members.remove(ctx, userId);
  }
}
