import { Body, Controller, Delete, HttpCode, Param, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { organizationOf, RECENT_SIGN_IN_IF_SENSITIVE, type RequestContext } from '#platform/common';
import { ApiData, ApiIdParam, Ctx, type DataResponse, Post, Requires } from '#platform/http';
import type { Response } from 'express';
import { AssignRoleRequest } from './member.requests.js';
import { RoleAssignmentResponse } from './member.responses.js';
import { RoleAssignmentsService } from './role-assignments.service.js';

const USER = { name: 'id', description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' };

@ApiTags('Users')
@Controller('v1/organizations/:org/users/:id/roles')
export class RoleAssignmentsController {
  constructor(private readonly assignments: RoleAssignmentsService) {}

  @Post()
  @Requires('members:write')
  @ApiOperation({
    operationId: 'assignRole',
    summary: 'Assign a role to a user',
    description:
      'Assigns a role to a member of the organization, in addition to the existing roles of the member. The caller must have all permissions of the role. Assigning a role that has a permission of this service other than a `read` permission is a sensitive operation. ' +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' Returns 200 if the user already has the role. Returns 404 `member_not_found` if the user is not a member. Publishes `role.assigned`.',
  })
  @ApiIdParam(USER)
  @ApiData(RoleAssignmentResponse, { status: 200, description: 'The user already had the role.' })
  @ApiData(RoleAssignmentResponse, { status: 201, description: 'The role was assigned.' })
  async assign(
    @Ctx() ctx: RequestContext,
    @Param('id') userId: string,
    @Body() body: AssignRoleRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataResponse<RoleAssignmentResponse>> {
    const { assignment, role, created } = await this.assignments.assign(ctx, userId, body.roleId);
    response.status(created ? 201 : 200);
    return { data: RoleAssignmentResponse.from(organizationOf(ctx), assignment, role) };
  }

  @Delete(':roleId')
  @HttpCode(204)
  @Requires('members:write')
  @ApiOperation({
    operationId: 'revokeRole',
    summary: 'Revoke a role from a user',
    description:
      'Revokes a role that the user has in the organization. A user has one role through the membership, and can have additional roles in the organization. If you revoke the role of the membership, the membership gets the `defaultRole` of the organization instead. The caller must have every permission that the user has in the organization. Returns 409 `last_owner` if the request revokes the role `owner` from the last owner of the organization, unless the request uses a platform key. Publishes `role.revoked`.',
  })
  @ApiIdParam(USER)
  @ApiIdParam({ name: 'roleId', description: 'Id or name of the role.', example: 'role_admin', maxLength: 100 })
  @ApiNoContentResponse({ description: 'The role was revoked.' })
  async revoke(@Ctx() ctx: RequestContext, @Param('id') userId: string, @Param('roleId') roleId: string): Promise<void> {
    await this.assignments.revoke(ctx, userId, roleId);
  }
}
