import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Put, Query, UseInterceptors } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { Ctx, Post, Requires } from '#platform/http';
import { ScimResponseInterceptor } from '../access/scim-response.interceptor.js';
import { ScimChangesService } from '../changes/scim-changes.service.js';
import { ApiScim, ApiScimId, ApiScimSection } from '../openapi.js';
import { listResponseOf, readListRequest, readProjectionOf } from '../protocol/lists.js';
import { project } from '../protocol/projection.js';
import type { ScimObject } from '../protocol/resource.js';
import { USER_TYPE } from '../protocol/schemas.js';
import { ScimUserReadsService } from './scim-user-reads.service.js';

const CONNECTION = { organization: 'connection' } as const;

@ApiScimSection('Users')
@Controller('scim/v2/:connection/Users')
@UseInterceptors(ScimResponseInterceptor)
export class ScimUsersController {
  constructor(
    private readonly reads: ScimUserReadsService,
    private readonly changes: ScimChangesService,
  ) {}

  @Get()
  @Requires('users:read', CONNECTION)
  @ApiScim({ id: 'listScimUsers', summary: 'List users', response: 'UserList', errors: [400], isList: true })
  list(@Ctx() ctx: RequestContext, @Query() query: ScimObject): Promise<ScimObject> {
    return this.search(ctx, query);
  }

  @Post('.search')
  @HttpCode(200)
  @Requires('users:read', CONNECTION)
  @ApiScim({
    id: 'searchScimUsers',
    summary: 'Search users',
    description: "A list whose parameters are in the body, so that they don't appear in logs.",
    body: 'SearchRequest',
    response: 'UserList',
    errors: [400],
  })
  async search(@Ctx() ctx: RequestContext, @Body() body: ScimObject): Promise<ScimObject> {
    const request = readListRequest([USER_TYPE], body);
    return listResponseOf(request, await this.reads.list(ctx, request));
  }

  @Get(':id')
  @Requires('users:read', CONNECTION)
  @ApiScimId()
  @ApiScim({ id: 'getScimUser', summary: 'Get a user', response: 'User', errors: [404], isProjected: true })
  get(@Ctx() ctx: RequestContext, @Param('id') id: string, @Query() query: ScimObject): Promise<ScimObject> {
    return this.reads.get(ctx, id, readProjectionOf(USER_TYPE, query));
  }

  @Post()
  @Requires('users:write', CONNECTION)
  @ApiScim({
    id: 'createScimUser',
    summary: 'Create a user',
    description:
      'The user is active and gets the role in the setting `defaultRole` of the organization, unless `active` is false. Publishes `user.created`.',
    body: 'User',
    status: 201,
    response: 'User',
    errors: [400, 409],
    isProjected: true,
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: ScimObject, @Query() query: ScimObject): Promise<ScimObject> {
    const projection = readProjectionOf(USER_TYPE, query);
    return project(await this.changes.users(ctx).create(ctx, body), projection);
  }

  @Put(':id')
  @Requires('users:write', CONNECTION)
  @ApiScimId()
  @ApiScim({
    id: 'replaceScimUser',
    summary: 'Replace a user',
    description:
      'Attributes that the body lacks are removed, except `active`. Publishes `user.updated`, `user.suspended` or `user.activated`.',
    body: 'User',
    response: 'User',
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
    const projection = readProjectionOf(USER_TYPE, query);
    return project(await this.changes.users(ctx).replace(ctx, id, body, ifMatch), projection);
  }

  @Patch(':id')
  @Requires('users:write', CONNECTION)
  @ApiScimId()
  @ApiScim({
    id: 'patchScimUser',
    summary: 'Change a user',
    description:
      '`active: false` suspends the user and revokes all sessions. Publishes `user.updated`, `user.suspended` or `user.activated`.',
    body: 'PatchRequest',
    response: 'User',
    errors: [400, 404, 409, 412],
    isVersioned: true,
    isProjected: true,
  })
  async patch(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: ScimObject,
    @Query() query: ScimObject,
    @Headers('if-match') ifMatch?: string,
  ): Promise<ScimObject> {
    const projection = readProjectionOf(USER_TYPE, query);
    return project(await this.changes.users(ctx).patch(ctx, id, body, ifMatch), projection);
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires('users:write', CONNECTION)
  @ApiScimId()
  @ApiScim({
    id: 'deleteScimUser',
    summary: 'Delete a user',
    description: 'The user can be restored for 30 days. Publishes `user.deleted`.',
    status: 204,
    errors: [404, 409, 412],
    isVersioned: true,
  })
  delete(@Ctx() ctx: RequestContext, @Param('id') id: string, @Headers('if-match') ifMatch?: string): Promise<void> {
    return this.changes.users(ctx).delete(ctx, id, ifMatch);
  }
}
