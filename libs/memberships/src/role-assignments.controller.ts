import { Body, Controller, Delete, HttpCode, Param, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { organizationOf, type RequestContext } from '#common';
import { ApiData, Ctx, type DataAnswer, Post, Requires } from '#http';
import type { Response } from 'express';
import { AssignRoleRequest } from './member.requests.js';
import { RoleAssignmentResponse } from './member.responses.js';
import { RoleAssignmentsService } from './role-assignments.service.js';

const USER = { name: 'id', description: 'The user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' };

@ApiTags('Users')
@Controller('v1/organizations/:org/users/:id/roles')
export class RoleAssignmentsController {
  constructor(private readonly assignments: RoleAssignmentsService) {}

  @Post()
  @Requires('members:write')
  @ApiOperation({
    operationId: 'assignRole',
    summary: 'Assign a role to a user',
    description: 'The user must be a member here. 200 when it had the role.',
  })
  @ApiParam(USER)
  @ApiData(RoleAssignmentResponse, { status: 200, description: 'The user had the role already.' })
  @ApiData(RoleAssignmentResponse, { status: 201, description: 'The role was assigned.' })
  async assign(
    @Ctx() ctx: RequestContext,
    @Param('id') userId: string,
    @Body() body: AssignRoleRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataAnswer<RoleAssignmentResponse>> {
    const { assignment, role, created } = await this.assignments.assign(ctx, userId, body.roleId);
    response.status(created ? 201 : 200);
    return { data: RoleAssignmentResponse.from(organizationOf(ctx), assignment, role) };
  }

  @Delete(':roleId')
  @HttpCode(204)
  @Requires('members:write')
  @ApiOperation({
    operationId: 'revokeRole',
    summary: 'Take a role from a user',
    description: "When it is the membership's own role, that becomes the organization's `defaultRole`.",
  })
  @ApiParam(USER)
  @ApiParam({ name: 'roleId', description: 'Id or name of the role.', example: 'role_admin' })
  @ApiNoContentResponse({ description: 'The user no longer has the role.' })
  async revoke(@Ctx() ctx: RequestContext, @Param('id') userId: string, @Param('roleId') roleId: string): Promise<void> {
    await this.assignments.revoke(ctx, userId, roleId);
  }
}
