import { Body, Controller, Delete, Get, HttpCode, Param, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RECENT_SIGN_IN_IF_SENSITIVE, type RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  type ListResponse,
  Post,
  Requires,
} from '#platform/http';
import { AsOf } from '#directory/organizations';
import type { Response } from 'express';
import { GroupRolesService } from './group-roles.service.js';
import { AssignGroupRoleRequest } from './group.requests.js';
import { GroupRoleResponse } from './group.responses.js';

const GROUP_ID = { name: 'id', description: 'Id of the group.', example: 'group_01kf2bav4hf7r8v2m5n9q1c3ek' };

@ApiTags('Groups')
@Controller('v1/organizations/:org/groups/:id/roles')
export class GroupRolesController {
  constructor(private readonly roles: GroupRolesService) {}

  @AsOf()
  @Get()
  @Requires('groups:read')
  @ApiIdParam(GROUP_ID)
  @ApiOperation({
    operationId: 'listGroupRoles',
    summary: 'List the roles of a group',
    description: 'Returns the roles of a group, oldest assignment first. All roles are on one page.',
  })
  @ApiList(GroupRoleResponse, 'All roles of the group.')
  @ApiProblems({ 404: 'The organization or group does not exist.' })
  async list(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<ListResponse<GroupRoleResponse>> {
    const roles = await this.roles.list(ctx, id);
    const pagination = { total: roles.length, page: 1, limit: Math.max(roles.length, 1), hasMore: false };
    return { data: roles.map(GroupRoleResponse.from), pagination };
  }

  @Post()
  @Requires('groups:write')
  @ApiIdParam(GROUP_ID)
  @ApiOperation({
    operationId: 'assignGroupRole',
    summary: 'Assign a role to a group',
    description:
      "Assigns a role to a group. All members of the group have the role in the organization and its descendants, as if it were assigned to each of them. The caller also needs the permission `members:write` and all permissions of the role. The role `owner` can't be assigned to a group. Assigning a role that has a permission of this service other than a `read` permission is a sensitive operation. " +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' Returns 200 if the group already has the role. Publishes `group.role_assigned`.',
  })
  @ApiData(GroupRoleResponse, { status: 200, description: 'The group already had the role.' })
  @ApiData(GroupRoleResponse, { status: 201, description: 'The role was assigned.' })
  @ApiProblems({
    403: 'The caller lacks a required permission or a permission of the role (`forbidden`).',
    404: 'The organization, group or role does not exist.',
    409: 'The group already has 50 roles (`group_role_limit`), `organization_suspended`.',
    422: 'The role is `owner` (`role_not_for_groups`).',
  })
  async assign(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() { roleId }: AssignGroupRoleRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataResponse<GroupRoleResponse>> {
    const { created, ...assigned } = await this.roles.assign(ctx, id, roleId);
    response.status(created ? 201 : 200);
    return { data: GroupRoleResponse.from(assigned) };
  }

  @Delete(':roleId')
  @HttpCode(204)
  @Requires('groups:write')
  @ApiIdParam(GROUP_ID)
  @ApiIdParam({ name: 'roleId', description: 'Id or name of the role.', example: 'role_admin', maxLength: 100 })
  @ApiOperation({
    operationId: 'revokeGroupRole',
    summary: 'Revoke a role from a group',
    description:
      'Revokes a role from a group. Members keep the role if it is also assigned to them or to another group of theirs. The caller also needs the permission `members:write` and all permissions of the role. Publishes `group.role_revoked`.',
  })
  @ApiNoContentResponse({ description: 'The role was revoked.' })
  @ApiProblems({
    403: 'The caller lacks a required permission or a permission of the role (`forbidden`).',
    404: 'The organization or group does not exist, or the group does not have the role.',
  })
  async revoke(@Ctx() ctx: RequestContext, @Param('id') id: string, @Param('roleId') roleId: string): Promise<void> {
    await this.roles.revoke(ctx, id, roleId);
  }
}
