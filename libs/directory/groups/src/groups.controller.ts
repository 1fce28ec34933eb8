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
import { AsOf } from '#directory/organizations';
import { CreateGroupRequest, ListGroupsQuery, UpdateGroupRequest } from './group.requests.js';
import { GroupResponse } from './group.responses.js';
import { GroupsService } from './groups.service.js';

const GROUP_ID = { name: 'id', description: 'Id of the group.', example: 'group_01kf2bav4hf7r8v2m5n9q1c3ek' };

@ApiTags('Groups')
@Controller('v1/organizations/:org/groups')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @AsOf({ otherParameters: true })
  @Get()
  @Requires('groups:read')
  @ApiOperation({
    operationId: 'listGroups',
    summary: 'List groups',
    description:
      'Returns the groups of the organization, newest first. Groups of its ancestors and descendants are not included.',
  })
  @ApiList(GroupResponse)
  @ApiProblems({ 400: 'Invalid filter, limit or cursor.', 404: 'The organization does not exist.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: ListGroupsQuery): Promise<ListResponse<GroupResponse>> {
    const { search, externalId } = query;
    return listResponse(await this.groups.list(ctx, { search, externalId }, PageQuery.read(query)), GroupResponse.from);
  }

  @AsOf()
  @Get(':id')
  @Requires('groups:read')
  @ApiIdParam(GROUP_ID)
  @ApiOperation({ operationId: 'getGroup', summary: 'Get a group' })
  @ApiData(GroupResponse, { description: 'The group.' })
  @ApiProblems({ 404: 'The organization or group does not exist.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<GroupResponse>> {
    const counted = await this.groups.get(ctx, id);
    return withETag({ data: GroupResponse.from(counted) }, counted.group.version);
  }

  @Post()
  @Requires('groups:write')
  @ApiOperation({
    operationId: 'createGroup',
    summary: 'Create a group',
    description: 'Creates a group without members and roles. Publishes `group.created`.',
  })
  @ApiData(GroupResponse, { status: 201, description: 'The group was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    404: 'The organization does not exist.',
    409: '`group_name_taken`, `group_external_id_taken`, `group_limit` (10,000 groups), `organization_suspended`.',
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateGroupRequest): Promise<DataResponse<GroupResponse>> {
    return { data: GroupResponse.from({ group: await this.groups.create(ctx, body), memberCount: 0 }) };
  }

  @Patch(':id')
  @ApiIfMatch()
  @Requires('groups:write')
  @ApiIdParam(GROUP_ID)
  @ApiOperation({
    operationId: 'updateGroup',
    summary: 'Update a group',
    description:
      'Fields that are absent from the request are not changed. If the group has roles, a new `name` or `externalId` needs `members:write` and the permissions of the roles. Publishes `group.updated`.',
  })
  @ApiData(GroupResponse, { description: 'The updated group.' })
  @ApiProblems({
    400: 'Invalid request.',
    404: 'The organization or group does not exist.',
    409: '`group_name_taken`, `group_external_id_taken`, `organization_suspended`.',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateGroupRequest,
  ): Promise<DataResponse<GroupResponse>> {
    const group = await this.groups.update(ctx, id, body);
    return withETag({ data: GroupResponse.from(await this.groups.withCount(ctx, group)) }, group.version);
  }

  @Delete(':id')
  @ApiIfMatch()
  @HttpCode(204)
  @Requires('groups:write')
  @ApiIdParam(GROUP_ID)
  @ApiOperation({
    operationId: 'deleteGroup',
    summary: 'Delete a group',
    description:
      'Deletes a group. Its members stay members of the organization, but lose the roles of the group. If the group has roles, the caller also needs the permission `members:write` and all permissions of these roles. Publishes `group.deleted`.',
  })
  @ApiNoContentResponse({ description: 'The group was deleted.' })
  @ApiProblems({
    403: 'The caller lacks a required permission or a permission of a role of the group (`forbidden`).',
    404: 'The organization or group does not exist.',
    409: '`organization_suspended`.',
  })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.groups.delete(ctx, id);
  }
}
