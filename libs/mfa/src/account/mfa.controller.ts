import { Body, Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type RequestContext, ResourceNotFound } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, OwnAccount, Post, SkipIdempotency } from '#http';
import { FactorRemoval } from '../factors/factor-removal.service.js';
import { RecoveryCodeRenewal } from '../recovery-codes/recovery-code-renewal.service.js';
import { Reauthentication } from '../reauthentication/reauthentication.service.js';
import { NEEDS_PASSWORD, TOO_MANY_HASHES, TOO_MANY_PASSWORDS } from './answers.js';
import { ConfirmedRequest } from './mfa.requests.js';
import { OwnMfaResponse, RecoveryCodesResponse } from './mfa.responses.js';
import { OwnMfa } from './own-mfa.service.js';

/** Factors of which a user has at most one. */
const SINGLE_FACTORS = ['totp', 'sms', 'email'] as const;
const isSingleFactor = (text: string): text is (typeof SINGLE_FACTORS)[number] =>
  (SINGLE_FACTORS as readonly string[]).includes(text);

/** The signed-in user's second factors. */
@ApiTags('Account')
@Controller('v1/auth/mfa')
export class MfaController {
  constructor(
    private readonly ownMfa: OwnMfa,
    private readonly removal: FactorRemoval,
    private readonly renewal: RecoveryCodeRenewal,
    private readonly reauthentication: Reauthentication,
  ) {}

  @Get()
  @OwnAccount({ whileEnrolling: true })
  @ApiOperation({
    operationId: 'getOwnMfa',
    summary: 'Get your second factors',
    description: 'What you have, what you can add, and how many recovery codes are left.',
  })
  @ApiData(OwnMfaResponse)
  async get(@Ctx() ctx: RequestContext): Promise<DataAnswer<OwnMfaResponse>> {
    return { data: await this.ownMfa.get(ctx) };
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('Codes are shown once.')
  @ApiOperation({
    operationId: 'renewRecoveryCodes',
    summary: 'Make new recovery codes',
    description: 'Ten codes that stand in for a second factor, each once. Those before end. You are told by mail.',
  })
  @ApiData(RecoveryCodesResponse)
  @ApiProblems({ 403: NEEDS_PASSWORD, 409: 'You have no second factor.', 429: TOO_MANY_PASSWORDS, 503: TOO_MANY_HASHES })
  async renew(@Ctx() ctx: RequestContext, @Body() body: ConfirmedRequest): Promise<DataAnswer<RecoveryCodesResponse>> {
    return { data: { recoveryCodes: await this.renewal.renew(ctx, body.currentPassword) } };
  }

  @Delete(':method')
  @HttpCode(204)
  @OwnAccount()
  @ApiOperation({
    operationId: 'removeOwnFactor',
    summary: 'Remove a second factor',
    description:
      'Of passkeys each is removed for itself. Your other sessions end, and you are told by mail. With the last factor the recovery codes go.',
  })
  @ApiParam({ name: 'method', enum: SINGLE_FACTORS, example: 'totp' })
  @ApiNoContentResponse({ description: 'The factor was removed.' })
  @ApiProblems({
    403: NEEDS_PASSWORD,
    404: 'You have no such factor.',
    409: 'Your organization requires a second factor and this is the last one, or only restricted ones would be left.',
    429: TOO_MANY_PASSWORDS,
    503: TOO_MANY_HASHES,
  })
  async remove(@Ctx() ctx: RequestContext, @Param('method') method: string, @Body() body: ConfirmedRequest): Promise<void> {
    if (!isSingleFactor(method)) throw new ResourceNotFound('mfa_factor', method);
    await this.reauthentication.demand(ctx, body.currentPassword);
    await this.removal.removeOwn(ctx, { method });
  }
}
