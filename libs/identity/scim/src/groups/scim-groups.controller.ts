import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Put, Query, Res, UseInterceptors } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { Ctx, Post, Requires } from '#platform/http';
import type { Response } from 'express';
import { ScimResponseInterceptor } from '../access/scim-response.interceptor.js';
import { ScimChangesService } from '../changes/scim-changes.service.js';
import { ApiScim, ApiScimId, ApiScimSection } from '../openapi.js';
import { listResponseOf, readListRequest, readProjectionOf } from '../protocol/lists.js';
import { project } from '../protocol/projection.js';
import type { ScimObject } from '../protocol/resource.js';
import { GROUP_TYPE } from '../protocol/schemas.js';
import { ScimGroupReadsService } from './scim-group-reads.service.js';

const CONNECTION = { organization: 'connection' } as const;

@ApiScimSection('Groups')
@Controller('scim/v2/:connection/Groups')
@UseInterceptors(ScimResponseInterceptor)
export class ScimGroupsController {
  constructor(
    private readonly reads: ScimGroupReadsService,
    private readonly changes: ScimChangesService,
  ) {}

  @Get()
  @Requires('groups:read', CONNECTION)
  @ApiScim({ id: 'listScimGroups', summary: 'List groups', response: 'GroupList', errors: [400], isList: true })
  list(@Ctx() ctx: RequestContext, @Query() query: ScimObject): Promise<ScimObject> {
    return this.search(ctx, query);
  }

  @Post('.search')
  @HttpCode(200)
  @Requires('groups:read', CONNECTION)
  @ApiScim({
    id: 'searchScimGroups',
    summary: 'Search groups',
    body: 'SearchRequest',
    response: 'GroupList',
    errors: [400],
  })
  async search(@Ctx() ctx: RequestContext, @Body() body: ScimObject): Promise<ScimObject> {
    const request = readListRequest([GROUP_TYPE], body);
    return listResponseOf(request, await this.reads.list(ctx, request));
  }

  @Get(':id')
  @Requires('groups:read', CONNECTION)
  @ApiScimId()
  @ApiScim({ id: 'getScimGroup', summary: 'Get a group', response: 'Group', errors: [400, 404], isProjected: true })
  get(@Ctx() ctx: RequestContext, @Param('id') id: string, @Query() query: ScimObject): Promise<ScimObject> {
    return this.reads.get(ctx, id, readProjectionOf(GROUP_TYPE, query));
  }

  @Post()
  @Requires('groups:write', CONNECTION)
  @ApiScim({
    id: 'createScimGroup',
    summary: 'Create a group',
    description: 'Publishes `group.created` and `group.member_added`.',
    body: 'Group',
    status: 201,
    response: 'Group',
    errors: [400, 409],
    isProjected: true,
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: ScimObject, @Query() query: ScimObject): Promise<ScimObject> {
    const projection = readProjectionOf(GROUP_TYPE, query);
    return project(await this.changes.groups(ctx).create(ctx, body), projection);
  }

  @Put(':id')
  @Requires('groups:write', CONNECTION)
  @ApiScimId()
  @ApiScim({
    id: 'replaceScimGroup',
    summary: 'Replace a group',
    description:
      'Members that the body lacks are removed. Publishes `group.updated`, `group.member_added` and `group.member_removed`.',
    body: 'Group',
    response: 'Group',
    errors: [400, 404, 409, 412],
    isVersioned: true,
    isProjected: true,
  })
  async replace(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: ScimObject,
    @Query() query: ScimObject,
    @Headers('if-match') ifMatch?: string,
  ): Promise<ScimObject> {
    const projection = readProjectionOf(GROUP_TYPE, query);
    return project(await this.changes.groups(ctx).replace(ctx, id, body, ifMatch), projection);
  }

  @Patch(':id')
  @Requires('groups:write', CONNECTION)
  @ApiScimId()
  @ApiScim({
    id: 'patchScimGroup',
    summary: 'Change a group',
    description:
      'Adds and removes thousands of members with one request. Returns 204 without a body if the group has more than 500 members. Publishes `group.updated`, `group.member_added` and `group.member_removed`.',
    body: 'PatchRequest',
    response: 'Group',
    errors: [400, 404, 409, 412],
    isVersioned: true,
    isProjected: true,
  })
  @ApiResponse({ status: 204, description: 'Success, without a body: the group has more than 500 members.' })
  async patch(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: ScimObject,
    @Query() query: ScimObject,
    @Res({ passthrough: true }) response: Response,
    @Headers('if-match') ifMatch?: string,
  ): Promise<ScimObject | undefined> {
    const projection = readProjectionOf(GROUP_TYPE, query);
    const group = await this.changes.groups(ctx).patch(ctx, id, body, ifMatch);
    if (group) return project(group, projection);
    response.status(204);
    return undefined;
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires('groups:write', CONNECTION)
  @ApiScimId()
  @ApiScim({
    id: 'deleteScimGroup',
    summary: 'Delete a group',
    description: 'Its members lose the roles of the group. Publishes `group.deleted`.',
    status: 204,
    errors: [404, 412],
    isVersioned: true,
  })
  delete(@Ctx() ctx: RequestContext, @Param('id') id: string, @Headers('if-match') ifMatch?: string): Promise<void> {
    return this.changes.groups(ctx).delete(ctx, id, ifMatch);
  }
}
