import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiIfMatch,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  withETag,
  type ListResponse,
  listResponse,
  PageQuery,
  Post,
  Requires,
} from '#platform/http';
import { CreateGroupRequest, UpdateGroupRequest } from './group.requests.js';
import { GroupResponse } from './group.responses.js';
import { GroupsService } from './groups.service.js';

const GROUP_ID = { name: 'id', description: 'Id of the group.', example: 'grp_01kf2bav4hf7r8v2m5n9q1c3ek' };

@ApiTags('Groups')
@Controller('v1/organizations/:org/groups')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  @Requires('groups:read')
  @ApiOperation({ operationId: 'listGroups', summary: 'List groups' })
  @ApiList(GroupResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 404: 'The organization does not exist.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<GroupResponse>> {
    return listResponse(await this.groups.list(ctx, PageQuery.read(query)), GroupResponse.from);
  }

  @Get(':id')
  @Requires('groups:read')
  @ApiIdParam(GROUP_ID)
  @ApiOperation({ operationId: 'getGroup', summary: 'Get a group' })
  @ApiData(GroupResponse, { description: 'The group.' })
  @ApiProblems({ 404: 'The organization or group does not exist.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<GroupResponse>> {
    const group = await this.groups.get(ctx, id);
    return withETag({ data: GroupResponse.from(group) }, group.version);
  }

  @Post()
  @Requires('groups:write')
  @ApiOperation({ operationId: 'createGroup', summary: 'Create a group' })
  @ApiData(GroupResponse, { status: 201, description: 'The group was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    404: 'The organization does not exist.',
    409: '`group_name_taken`, `group_limit`, `organization_suspended`.',
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateGroupRequest): Promise<DataResponse<GroupResponse>> {
    return { data: GroupResponse.from(await this.groups.create(ctx, body)) };
  }

  @Patch(':id')
  @ApiIfMatch()
  @Requires('groups:write')
  @ApiIdParam(GROUP_ID)
  @ApiOperation({
    operationId: 'updateGroup',
    summary: 'Update a group',
    description: 'Fields that are absent from the request are not changed.',
  })
  @ApiData(GroupResponse, { description: 'The updated group.' })
  @ApiProblems({
    400: 'Invalid request.',
    404: 'The organization or group does not exist.',
    409: '`group_name_taken`, `organization_suspended`.',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateGroupRequest,
  ): Promise<DataResponse<GroupResponse>> {
    const group = await this.groups.update(ctx, id, body);
    return withETag({ data: GroupResponse.from(group) }, group.version);
  }

  @Delete(':id')
  @ApiIfMatch()
  @HttpCode(204)
  @Requires('groups:write')
  @ApiIdParam(GROUP_ID)
  @ApiOperation({ operationId: 'deleteGroup', summary: 'Delete a group' })
  @ApiNoContentResponse({ description: 'The group was deleted.' })
  @ApiProblems({ 404: 'The organization or group does not exist.', 409: '`organization_suspended`.' })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.groups.delete(ctx, id);
  }
}
