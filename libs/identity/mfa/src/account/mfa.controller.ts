import { Body, Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CONFIRMATION, type RequestContext, ResourceNotFound } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, OwnAccount, Post, SkipIdempotency } from '#platform/http';
import { FACTOR_NEEDED, NEEDS_PASSWORD, PASSWORD_WRONG, TOO_MANY_HASHES, TOO_MANY_PASSWORDS } from './problem-descriptions.js';
import { ConfirmedRequest } from './mfa.requests.js';
import { OwnMfaResponse, RecoveryCodesResponse } from './mfa.responses.js';
import { OwnMfaService } from './own-mfa.service.js';

/** Methods with at most one factor per user. */
const SINGLE_FACTORS = ['totp', 'sms', 'email'] as const;
const isSingleFactor = (text: string): text is (typeof SINGLE_FACTORS)[number] =>
  (SINGLE_FACTORS as readonly string[]).includes(text);

@ApiTags('Account')
@Controller('v1/auth/mfa')
export class MfaController {
  constructor(private readonly ownMfa: OwnMfaService) {}

  @Get()
  @OwnAccount({ whileEnrolling: true })
  @ApiOperation({
    operationId: 'getOwnMfa',
    summary: 'Get your MFA factors',
    description: 'Returns your factors, the methods that you can add, and the number of unused recovery codes.',
  })
  @ApiData(OwnMfaResponse)
  async get(@Ctx() ctx: RequestContext): Promise<DataResponse<OwnMfaResponse>> {
    return { data: await this.ownMfa.get(ctx) };
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('Codes are returned only once.')
  @ApiOperation({
    operationId: 'renewRecoveryCodes',
    summary: 'Generate new recovery codes',
    description:
      'Generates ten recovery codes. Each code can be used once in place of a factor. Your previous codes no longer work. You are notified by email. Publishes `user.recovery_codes_renewed`.',
  })
  @ApiData(RecoveryCodesResponse)
  @ApiProblems({
    403: NEEDS_PASSWORD,
    409: 'You have no MFA factor (`mfa_not_enabled`).',
    429: TOO_MANY_PASSWORDS,
    503: TOO_MANY_HASHES,
  })
  async renew(@Ctx() ctx: RequestContext, @Body() body: ConfirmedRequest): Promise<DataResponse<RecoveryCodesResponse>> {
    return { data: { recoveryCodes: await this.ownMfa.renewRecoveryCodes(ctx, body.currentPassword) } };
  }

  @Delete(':method')
  @HttpCode(204)
  @OwnAccount()
  @ApiOperation({
    operationId: 'removeOwnFactor',
    summary: 'Remove an MFA factor',
    description:
      'Removes your authenticator app, your email codes or your SMS codes. To remove a passkey, use `DELETE /v1/auth/mfa/passkeys/{id}`. Ends your other sessions and notifies you by email. If you remove your last factor, your recovery codes are removed, too. Publishes `user.mfa_disabled`, even if other factors remain. The field `mfaMethods` of the event lists the remaining factors. ' +
      CONFIRMATION,
  })
  @ApiParam({ name: 'method', description: 'Method of the factor to remove.', enum: SINGLE_FACTORS, example: 'totp' })
  @ApiNoContentResponse({ description: 'The factor was removed.' })
  @ApiProblems({
    403: PASSWORD_WRONG,
    404: "You don't have this factor.",
    409: FACTOR_NEEDED,
    429: TOO_MANY_PASSWORDS,
    503: TOO_MANY_HASHES,
  })
  async remove(@Ctx() ctx: RequestContext, @Param('method') method: string, @Body() body: ConfirmedRequest): Promise<void> {
    if (!isSingleFactor(method)) throw new ResourceNotFound('mfa_factor', method);
    await this.ownMfa.removeFactor(ctx, { method }, body.currentPassword);
  }
}
