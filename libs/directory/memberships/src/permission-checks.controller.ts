import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedWhileSuspended, organizationOf, type RequestContext } from '#platform/common';
import { ApiData, Ctx, type DataResponse, Post, Requires } from '#platform/http';
import { AsOf } from '#directory/organizations';
import { PermissionAnswerResponse, PermissionCheckBatchRequest, PermissionCheckRequest } from './permission-check.requests.js';
import { PermissionChecksService } from './permission-checks.service.js';

@ApiTags('Roles')
@Controller('v1/organizations/:org/permissions/check')
export class PermissionChecksController {
  constructor(private readonly permissionChecks: PermissionChecksService) {}

  @AsOf()
  @Post()
  @HttpCode(200)
  @AllowedWhileSuspended()
  @Requires('roles:read')
  @ApiOperation({
    operationId: 'checkPermission',
    summary: "Check a user's permission",
    description:
      'Returns whether a user has a permission in the organization, and which roles grant the permission. Roles in the organization and its ancestors count, including roles of groups and temporary roles from break-glass access. Suspended and deleted users have no permissions.',
  })
  @ApiData(PermissionAnswerResponse)
  async check(@Ctx() ctx: RequestContext, @Body() body: PermissionCheckRequest): Promise<DataResponse<PermissionAnswerResponse>> {
    const [answer] = await this.permissionChecks.check(ctx, organizationOf(ctx), [body]);
    return { data: answer! };
  }

  @AsOf()
  @Post('batch')
  @HttpCode(200)
  @AllowedWhileSuspended()
  @Requires('roles:read')
  @ApiOperation({
    operationId: 'checkPermissions',
    summary: 'Check permissions in a batch',
    description:
      'Checks up to 100 permissions of one or more users in the organization. The results are in the order of the checks.',
  })
  @ApiData([PermissionAnswerResponse], { description: 'One result for each check, in the same order.' })
  async checkMany(
    @Ctx() ctx: RequestContext,
    @Body() body: PermissionCheckBatchRequest,
  ): Promise<DataResponse<PermissionAnswerResponse[]>> {
    return { data: await this.permissionChecks.check(ctx, organizationOf(ctx), body.checks) };
  }
}
