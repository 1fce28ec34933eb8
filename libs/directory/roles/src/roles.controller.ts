import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { organizationOf, RECENT_SIGN_IN_IF_SENSITIVE, type RequestContext } from '#platform/common';
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
  Post,
  Requires,
} from '#platform/http';
import { AsOf } from '#directory/organizations';
import { RoleChangesService } from './role-changes.service.js';
import { CreateRoleRequest, DeleteRoleQuery, UpdateRoleRequest } from './role.requests.js';
import { RoleResponse } from './role.responses.js';
import { RolesService } from './roles.service.js';

const ROLE = {
  name: 'roleId',
  description: 'Id or name of the role.',
  example: 'role_01kf2bav4hf7r8v2m5n9q1c3ek',
  maxLength: 100,
};

@ApiTags('Roles')
@Controller('v1/organizations/:org/roles')
export class RolesController {
  constructor(
    private readonly roles: RolesService,
    private readonly changes: RoleChangesService,
  ) {}

  @AsOf()
  @Get()
  @Requires('roles:read')
  @ApiOperation({
    operationId: 'listRoles',
    summary: 'List roles',
    description:
      'Returns all roles that can be assigned in the organization: the built-in roles, its own roles and the roles of its ancestors. All roles are on one page.',
  })
  @ApiList(RoleResponse, 'All roles that can be assigned in the organization.')
  async list(@Ctx() ctx: RequestContext): Promise<ListResponse<RoleResponse>> {
    const roles = await this.roles.listVisible(ctx, organizationOf(ctx));
    return {
      data: roles.map(RoleResponse.from),
      pagination: { total: roles.length, page: 1, limit: Math.max(roles.length, 1), hasMore: false },
    };
  }

  @AsOf()
  @Get(':roleId')
  @Requires('roles:read')
  @ApiOperation({
    operationId: 'getRole',
    summary: 'Get a role',
    description: 'Returns a role that can be assigned in the organization, by id or name.',
  })
  @ApiIdParam({ ...ROLE, description: 'Id or name of a role of the organization or its ancestors.', example: 'role_admin' })
  @ApiData(RoleResponse)
  async get(@Ctx() ctx: RequestContext, @Param('roleId') roleId: string): Promise<DataResponse<RoleResponse>> {
    const role = await this.roles.getVisible(ctx, organizationOf(ctx), roleId);
    const answer = { data: RoleResponse.from(role) };
    return role.version === null ? answer : withETag(answer, role.version);
  }

  @Post()
  @Requires('roles:write')
  @ApiOperation({
    operationId: 'createRole',
    summary: 'Create a role',
    description:
      'Creates a role that can be assigned in the organization and its descendants. The caller must have all permissions of the role. Exception: a caller with the permission `permissions:grant` can add any application permissions, such as `invoices:read`, to the role. Publishes `role.created`.',
  })
  @ApiData(RoleResponse, { status: 201, description: 'The role was created.' })
  @ApiProblems({
    403: 'The caller lacks the required permission or a permission of the role (`forbidden`).',
    409: 'The name is already in use (`role_name_taken`), or the organization already has 500 roles (`role_limit`).',
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateRoleRequest): Promise<DataResponse<RoleResponse>> {
    return { data: RoleResponse.from(await this.changes.create(ctx, body)) };
  }

  @Patch(':roleId')
  @ApiIfMatch()
  @Requires('roles:write')
  @ApiOperation({
    operationId: 'updateRole',
    summary: 'Update a role',
    description:
      'Changes a role of the organization. Built-in roles cannot be changed. To change a role of an ancestor organization, use the path of the ancestor organization. Users with the role get the new permissions at once. The caller must have every permission that is added or removed. Exception: a caller with the permission `permissions:grant` can add or remove any application permissions. Adding or removing the permission `*` is a sensitive operation. ' +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' Publishes `role.updated`.',
  })
  @ApiIdParam(ROLE)
  @ApiData(RoleResponse)
  @ApiProblems({
    403: 'The role is built in or belongs to an ancestor organization (`role_not_editable`), or the caller lacks a permission that is added or removed (`forbidden`).',
    409: 'The name is already in use (`role_name_taken`).',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('roleId') roleId: string,
    @Body() body: UpdateRoleRequest,
  ): Promise<DataResponse<RoleResponse>> {
    const role = await this.changes.update(ctx, roleId, body);
    return withETag({ data: RoleResponse.from(role) }, role.version);
  }

  @Delete(':roleId')
  @ApiIfMatch()
  @HttpCode(204)
  @Requires('roles:write')
  @ApiOperation({
    operationId: 'deleteRole',
    summary: 'Delete a role',
    description:
      'Deletes a role of the organization. If the role is assigned to users or is a default role, the role in `reassignTo` replaces the deleted role, and the caller must have all permissions of both roles. Replacing the deleted role with a role that has a permission of this service other than a `read` permission is a sensitive operation. ' +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' Publishes `role.deleted`.',
  })
  @ApiIdParam(ROLE)
  @ApiNoContentResponse({ description: 'The role was deleted.' })
  @ApiProblems({
    403: 'The role is built in or belongs to an ancestor organization (`role_not_editable`), or the caller does not have all permissions of the deleted role and of the role in `reassignTo` (`forbidden`).',
    409: 'The role is in use, and `reassignTo` is missing (`role_in_use`).',
  })
  async remove(@Ctx() ctx: RequestContext, @Param('roleId') roleId: string, @Query() query: DeleteRoleQuery): Promise<void> {
    await this.changes.delete(ctx, roleId, query.reassignTo);
  }
}
