import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, OpensSession, OwnAccount, Post, SkipIdempotency } from '#platform/http';
import { FactorEnrolmentService } from '../enrolment/factor-enrolment.service.js';
import {
  ADDED,
  CODES_NOT_ALLOWED,
  NOT_ALLOWED,
  NOT_CONFIRMED,
  NOTHING_TO_CONFIRM,
  PASSWORD_WRONG,
  TOO_MANY_HASHES,
  TOO_MANY_PASSWORDS,
  TOO_MANY_PASSWORDS_OR_CODES,
} from './problem-descriptions.js';
import { BeginSmsRequest, ConfirmCodeRequest, ReauthenticatedRequest } from './mfa.requests.js';
import { AddedFactorResponse, SentCodeResponse, TotpSetUpResponse } from './mfa.responses.js';

const CONFIRM_PROBLEMS = { 409: NOTHING_TO_CONFIRM, 422: NOT_CONFIRMED, 503: TOO_MANY_HASHES };
const SEND_PROBLEMS = { 403: PASSWORD_WRONG, 422: CODES_NOT_ALLOWED, 429: TOO_MANY_PASSWORDS_OR_CODES, 503: TOO_MANY_HASHES };

@ApiTags('Account')
@OwnAccount({ whileEnrolling: true })
@SkipIdempotency('Secrets are returned only once, and each attempt counts.')
@Controller('v1/auth/mfa')
export class FactorEnrolmentController {
  constructor(private readonly factorEnrolment: FactorEnrolmentService) {}

  @Post('totp')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'beginTotp',
    summary: 'Start adding an authenticator app',
    description:
      'Returns the secret for your authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds). The app is added when you confirm one of its codes within 10 minutes. The new app replaces your previous authenticator app, if you have one.',
  })
  @ApiData(TotpSetUpResponse)
  @ApiProblems({ 403: PASSWORD_WRONG, 422: NOT_ALLOWED, 429: TOO_MANY_PASSWORDS, 503: TOO_MANY_HASHES })
  async startTotp(@Ctx() ctx: RequestContext, @Body() body: ReauthenticatedRequest): Promise<DataResponse<TotpSetUpResponse>> {
    return { data: TotpSetUpResponse.from(await this.factorEnrolment.startTotp(ctx, body.currentPassword)) };
  }

  @Post('totp/confirm')
  @HttpCode(200)
  @OpensSession()
  @ApiOperation({
    operationId: 'confirmTotp',
    summary: 'Confirm an authenticator app',
    description: `Adds the authenticator app. ${ADDED}`,
  })
  @ApiData(AddedFactorResponse, { description: 'The factor was added.' })
  @ApiProblems(CONFIRM_PROBLEMS)
  async confirmTotp(@Ctx() ctx: RequestContext, @Body() body: ConfirmCodeRequest): Promise<DataResponse<AddedFactorResponse>> {
    return { data: AddedFactorResponse.from('totp', await this.factorEnrolment.confirmTotp(ctx, body.code)) };
  }

  @Post('email')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'beginEmailCodes',
    summary: 'Start adding email codes',
    description:
      'Sends a code to your email address. Email codes are added as a factor when you confirm the code within 10 minutes. Email codes are weaker than authenticator apps and passkeys, because anyone with access to your mailbox can read the codes.',
  })
  @ApiData(SentCodeResponse, { description: 'The code was sent.' })
  @ApiProblems(SEND_PROBLEMS)
  async startEmail(@Ctx() ctx: RequestContext, @Body() body: ReauthenticatedRequest): Promise<DataResponse<SentCodeResponse>> {
    const { destination, expiresAt } = await this.factorEnrolment.startCodes(ctx, { method: 'email' }, body.currentPassword);
    return { data: { destination, expiresAt: expiresAt.toISOString() } };
  }

  @Post('email/confirm')
  @HttpCode(200)
  @OpensSession()
  @ApiOperation({
    operationId: 'confirmEmailCodes',
    summary: 'Confirm email codes',
    description: `Adds email codes as a factor. ${ADDED}`,
  })
  @ApiData(AddedFactorResponse, { description: 'The factor was added.' })
  @ApiProblems(CONFIRM_PROBLEMS)
  async confirmEmail(@Ctx() ctx: RequestContext, @Body() body: ConfirmCodeRequest): Promise<DataResponse<AddedFactorResponse>> {
    return { data: AddedFactorResponse.from('email', await this.factorEnrolment.confirmCodes(ctx, 'email', body.code)) };
  }

  @Post('sms')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'beginSmsCodes',
    summary: 'Start adding SMS codes',
    description:
      'Sends a code to the phone number in the request. SMS codes are added as a factor when you confirm the code within 10 minutes. If you already use SMS codes, the confirmed phone number replaces the previous phone number for SMS codes. SMS codes are weaker than authenticator apps and passkeys, because an attacker can take over a phone number.',
  })
  @ApiData(SentCodeResponse, { description: 'The code was sent.' })
  @ApiProblems(SEND_PROBLEMS)
  async startSms(@Ctx() ctx: RequestContext, @Body() body: BeginSmsRequest): Promise<DataResponse<SentCodeResponse>> {
    const { phoneNumber, currentPassword } = body;
    const { destination, expiresAt } = await this.factorEnrolment.startCodes(
      ctx,
      { method: 'sms', phoneNumber },
      currentPassword,
    );
    return { data: { destination, expiresAt: expiresAt.toISOString() } };
  }

  @Post('sms/confirm')
  @HttpCode(200)
  @OpensSession()
  @ApiOperation({
    operationId: 'confirmSmsCodes',
    summary: 'Confirm SMS codes',
    description: `Adds SMS codes as a factor, and sets your phone number to the confirmed number. ${ADDED} Also publishes \`user.updated\` if the phone number changes.`,
  })
  @ApiData(AddedFactorResponse, { description: 'The factor was added.' })
  @ApiProblems(CONFIRM_PROBLEMS)
  async confirmSms(@Ctx() ctx: RequestContext, @Body() body: ConfirmCodeRequest): Promise<DataResponse<AddedFactorResponse>> {
    return { data: AddedFactorResponse.from('sms', await this.factorEnrolment.confirmCodes(ctx, 'sms', body.code)) };
  }
}
