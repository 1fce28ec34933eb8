import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, Post, SkipIdempotency } from '#http';
import { CancelledEmailChangeResponse, VerifiedEmailResponse, VerifyEmailRequest } from './email-verification.requests.js';
import { EmailVerification } from './email-verification.service.js';

/** Confirming e-mail addresses: what the page does that the mail leads to. */
@ApiTags('Sign-in')
@Controller('v1/auth')
export class EmailVerificationController {
  constructor(private readonly verification: EmailVerification) {}

  @Post('verify-email')
  @HttpCode(200)
  @Public('The token of the link is the proof.')
  @SkipIdempotency('The token works once.')
  @ApiOperation({
    operationId: 'verifyEmail',
    summary: 'Confirm an e-mail address',
    description:
      'With the token of a sign-up the user becomes active; with that of a changed address, the new one takes the place of the old, which is told, and the sessions end but for the one in which it was asked for.',
  })
  @ApiData(VerifiedEmailResponse, { description: 'The address was confirmed.' })
  @ApiProblems({
    400: 'The request is malformed, or the link does not work (any more).',
    409: 'The new address belongs to another user by now.',
    422: "The new address's domain is not allowed any more.",
    429: 'Too many requests from this address.',
  })
  async verify(@Ctx() ctx: RequestContext, @Body() body: VerifyEmailRequest): Promise<DataAnswer<VerifiedEmailResponse>> {
    const { userId, email, status } = await this.verification.verify(ctx, body.token);
    return { data: { userId, email, status } };
  }

  @Post('cancel-email-change')
  @HttpCode(200)
  @Public('The token of the link is the proof.')
  @SkipIdempotency('The token works once.')
  @ApiOperation({
    operationId: 'cancelEmailChange',
    summary: 'Cancel a requested change of an email address',
    description:
      'With the token of the mail that notified the present address of the request. Every pending link of the account is void, and all sessions end; a password reset is the next step for somebody who did not ask for the change.',
  })
  @ApiData(CancelledEmailChangeResponse, { description: 'The change was cancelled.' })
  @ApiProblems({
    400: 'The request is malformed, or the link does not work (any more).',
    429: 'Too many requests from this address.',
  })
  async cancel(@Ctx() ctx: RequestContext, @Body() body: VerifyEmailRequest): Promise<DataAnswer<CancelledEmailChangeResponse>> {
    return { data: { ...(await this.verification.cancelChange(ctx, body.token)) } };
  }
}
