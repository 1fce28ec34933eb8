import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { organizationOf, type RequestContext } from '#common';
import { ApiData, ApiIfMatch, ApiList, ApiProblems, Ctx, type DataAnswer, etagged, type ListAnswer, Post, Requires } from '#http';
import { RoleChanges } from './role-changes.service.js';
import { CreateRoleRequest, DeleteRoleQuery, UpdateRoleRequest } from './role.requests.js';
import { RoleResponse } from './role.responses.js';
import { RolesService } from './roles.service.js';

@ApiTags('Roles')
@Controller('v1/organizations/:org/roles')
export class RolesController {
  constructor(
    private readonly roles: RolesService,
    private readonly changes: RoleChanges,
  ) {}

  @Get()
  @Requires('roles:read')
  @ApiOperation({
    operationId: 'listRoles',
    summary: 'List roles',
    description: 'All roles that can be given here: built in, its own, and those from above. Never more than one page.',
  })
  @ApiList(RoleResponse, 'All roles that can be given here.')
  async list(@Ctx() ctx: RequestContext): Promise<ListAnswer<RoleResponse>> {
    const roles = await this.roles.listVisible(ctx, organizationOf(ctx));
    return {
      data: roles.map(RoleResponse.from),
      pagination: { total: roles.length, page: 1, limit: Math.max(roles.length, 1), hasMore: false },
    };
  }

  @Get(':roleId')
  @Requires('roles:read')
  @ApiOperation({ operationId: 'getRole', summary: 'Get a role', description: 'By its id, or by its name.' })
  @ApiParam({ name: 'roleId', description: 'Id or name of a role that is visible here.', example: 'role_admin' })
  @ApiData(RoleResponse)
  async get(@Ctx() ctx: RequestContext, @Param('roleId') roleId: string): Promise<DataAnswer<RoleResponse>> {
    const role = await this.roles.getVisible(ctx, organizationOf(ctx), roleId);
    const answer = { data: RoleResponse.from(role) };
    return role.version === null ? answer : etagged(answer, role.version);
  }

  @Post()
  @Requires('roles:write')
  @ApiOperation({
    operationId: 'createRole',
    summary: 'Create a role',
    description: 'It can be given here and in the organizations below.',
  })
  @ApiData(RoleResponse, { status: 201, description: 'The role was created.' })
  @ApiProblems({ 403: 'The permission is missing, or the role would hold more than the caller.', 409: 'The name is taken.' })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateRoleRequest): Promise<DataAnswer<RoleResponse>> {
    return { data: RoleResponse.from(await this.changes.create(ctx, body)) };
  }

  @Patch(':roleId')
  @ApiIfMatch()
  @Requires('roles:write')
  @ApiOperation({
    operationId: 'updateRole',
    summary: 'Update a role',
    description: 'Only where it was made; holders have the new permissions at once.',
  })
  @ApiParam({ name: 'roleId', description: 'Id or name of the role.', example: 'role_01kf2bav4hf7r8v2m5n9q1c3ek' })
  @ApiData(RoleResponse)
  @ApiProblems({
    403: 'The role is built in, belongs to an organization above, or would hold more than the caller.',
    409: 'The name is taken.',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('roleId') roleId: string,
    @Body() body: UpdateRoleRequest,
  ): Promise<DataAnswer<RoleResponse>> {
    const role = await this.changes.update(ctx, roleId, body);
    return etagged({ data: RoleResponse.from(role) }, role.version);
  }

  @Delete(':roleId')
  @ApiIfMatch()
  @HttpCode(204)
  @Requires('roles:write')
  @ApiOperation({
    operationId: 'deleteRole',
    summary: 'Delete a role',
    description: 'Those who hold it get the role named by `reassignTo` instead.',
  })
  @ApiParam({ name: 'roleId', description: 'Id or name of the role.', example: 'role_01kf2bav4hf7r8v2m5n9q1c3ek' })
  @ApiNoContentResponse({ description: 'The role was deleted.' })
  @ApiProblems({
    403: 'The role is built in or belongs to an organization above.',
    409: 'The role is in use, and `reassignTo` is missing.',
  })
  async remove(@Ctx() ctx: RequestContext, @Param('roleId') roleId: string, @Query() query: DeleteRoleQuery): Promise<void> {
    await this.changes.remove(ctx, roleId, query.reassignTo);
  }
}
