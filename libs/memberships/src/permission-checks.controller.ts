import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { AllowedWhileSuspended, organizationOf, type RequestContext } from '#common';
import { ApiData, Ctx, type DataAnswer, Post, Requires } from '#http';
import { PermissionAnswerResponse, PermissionCheckBatchRequest, PermissionCheckRequest } from './permission-check.requests.js';
import { PermissionChecks } from './permission-checks.read.js';

@ApiTags('Roles')
@Controller('v1/organizations/:org/permissions/check')
export class PermissionChecksController {
  constructor(private readonly checks: PermissionChecks) {}

  @Post()
  @HttpCode(200)
  @AllowedWhileSuspended()
  @Requires('roles:read')
  @ApiOperation({ operationId: 'checkPermission', summary: 'Ask whether a user may do something, and why' })
  @ApiData(PermissionAnswerResponse)
  async check(@Ctx() ctx: RequestContext, @Body() body: PermissionCheckRequest): Promise<DataAnswer<PermissionAnswerResponse>> {
    const [answer] = await this.checks.answer(ctx, organizationOf(ctx), [body]);
    return { data: answer! };
  }

  @Post('batch')
  @HttpCode(200)
  @AllowedWhileSuspended()
  @Requires('roles:read')
  @ApiOperation({ operationId: 'checkPermissions', summary: 'Ask up to 100 such questions at once' })
  @ApiExtraModels(PermissionAnswerResponse)
  @ApiOkResponse({
    description: 'One answer for each question, in the same order.',
    schema: {
      type: 'object',
      required: ['data'],
      properties: { data: { type: 'array', items: { $ref: getSchemaPath(PermissionAnswerResponse) } } },
    },
  })
  async checkMany(
    @Ctx() ctx: RequestContext,
    @Body() body: PermissionCheckBatchRequest,
  ): Promise<DataAnswer<PermissionAnswerResponse[]>> {
    return { data: await this.checks.answer(ctx, organizationOf(ctx), body.checks) };
  }
}
