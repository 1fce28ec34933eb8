import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { organizationOf, type RequestContext } from '#common';
import { ApiData, ApiList, Ctx, type DataAnswer, type ListAnswer, Requires } from '#http';
import { RoleResponse } from './role.responses.js';
import { RolesService } from './roles.service.js';

@ApiTags('Roles')
@Controller('v1/organizations/:org/roles')
export class RolesController {
  constructor(private readonly roles: RolesService) {}

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
    return { data: RoleResponse.from(await this.roles.getVisible(ctx, organizationOf(ctx), roleId)) };
  }
}
