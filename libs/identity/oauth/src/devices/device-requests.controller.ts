import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, OwnAccount, Post, SkipIdempotency } from '#platform/http';
import { DeviceAnswersService } from './device-answers.service.js';
import {
  AllowOauthDeviceRequestRequest,
  DenyOauthDeviceRequestRequest,
  OauthDeviceRequestResponse,
  OpenOauthDeviceRequestRequest,
} from './device-request.responses.js';

const NOT_FOUND =
  'The code is wrong or expired, was answered, or was entered by another user (`oauth_device_request_not_found`).';
const ONLY_OPENER = 'Only in the session in which the code was entered.';

/** Requests of devices without a browser (RFC 8628), which wait for an answer of a user. */
@ApiTags('OAuth grants')
@Controller('v1/oauth/device-requests')
export class DeviceRequestsController {
  constructor(private readonly answers: DeviceAnswersService) {}

  @Post()
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('Codes are answered once.')
  @ApiOperation({
    operationId: 'openOauthDeviceRequest',
    summary: 'Enter the code of a device',
    description:
      'Returns which application asks on the device, for what, and from which address. From now on, only this session can answer the request.',
  })
  @ApiData(OauthDeviceRequestResponse)
  @ApiProblems({ 400: 'Invalid request.', 404: NOT_FOUND, 429: 'Too many codes (`rate_limited`).' })
  async open(
    @Ctx() ctx: RequestContext,
    @Body() { userCode, organizationId }: OpenOauthDeviceRequestRequest,
  ): Promise<DataResponse<OauthDeviceRequestResponse>> {
    return { data: OauthDeviceRequestResponse.from(await this.answers.open(ctx, userCode, organizationId)) };
  }

  @Post('approval')
  @HttpCode(204)
  @OwnAccount()
  @SkipIdempotency('Codes are answered once.')
  @ApiOperation({
    operationId: 'allowOauthDeviceRequest',
    summary: 'Allow the request of a device',
    description: `Signs you in on the device, with what it asks for, in the organization. ${ONLY_OPENER} Publishes \`oauth_grant.created\` or \`oauth_grant.updated\`.`,
  })
  @ApiNoContentResponse({ description: 'The device gets tokens.' })
  @ApiProblems({
    400: 'Invalid request.',
    403: 'Sign in again (`oauth_device_sign_in_required`), or the organization does not allow this network (`network_not_allowed`) or the application (`application_not_allowed`).',
    404: NOT_FOUND,
  })
  async allow(@Ctx() ctx: RequestContext, @Body() { userCode, organizationId }: AllowOauthDeviceRequestRequest): Promise<void> {
    await this.answers.approve(ctx, userCode, organizationId);
  }

  @Post('denial')
  @HttpCode(204)
  @OwnAccount()
  @SkipIdempotency('Codes are answered once.')
  @ApiOperation({
    operationId: 'denyOauthDeviceRequest',
    summary: 'Deny the request of a device',
    description: `The device gets the error \`access_denied\`. ${ONLY_OPENER}`,
  })
  @ApiNoContentResponse({ description: 'The device gets no tokens.' })
  @ApiProblems({ 400: 'Invalid request.', 404: NOT_FOUND })
  async deny(@Ctx() ctx: RequestContext, @Body() { userCode }: DenyOauthDeviceRequestRequest): Promise<void> {
    await this.answers.deny(ctx, userCode);
  }
}
