import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, ForwardsClientAddress, Post, SkipIdempotency } from '#platform/http';
import { CanceledEmailChangeResponse, VerifiedEmailResponse, VerifyEmailRequest } from './email-verification.requests.js';
import { EmailVerificationService } from './email-verification.service.js';

@ApiTags('Sign-in')
@Controller('v1/auth')
export class EmailVerificationController {
  constructor(private readonly emailVerification: EmailVerificationService) {}

  @Post('verify-email')
  @HttpCode(200)
  @Public('The token of the link authenticates the user.')
  @SkipIdempotency('The token works once.')
  @ForwardsClientAddress('token')
  @ApiOperation({
    operationId: 'verifyEmail',
    summary: 'Verify an email address',
    description:
      'Verifies an email address with the token from the link that was sent to the address. After a sign-up, the user becomes active. For an email change, the new address replaces the previous address. The service then notifies both addresses and ends all sessions of the user except the session that requested the change. Publishes `user.activated` or `user.updated`.',
  })
  @ApiData(VerifiedEmailResponse, { description: 'The email address was verified.' })
  @ApiProblems({
    400: 'The request is invalid, or the link is unknown, already used, expired or replaced by a newer link (`link_invalid`).',
    409: 'Another user has the new address (`email_taken`).',
    422: 'The organization no longer allows the domain of the new address (`domain_not_allowed`).',
    429: 'Too many requests from this IP address.',
  })
  async verify(@Ctx() ctx: RequestContext, @Body() body: VerifyEmailRequest): Promise<DataResponse<VerifiedEmailResponse>> {
    const { userId, email, status } = await this.emailVerification.verify(ctx, body.token);
    return { data: { userId, email, status } };
  }

  @Post('cancel-email-change')
  @HttpCode(200)
  @Public('The token of the link authenticates the user.')
  @SkipIdempotency('The token works once.')
  @ForwardsClientAddress('token')
  @ApiOperation({
    operationId: 'cancelEmailChange',
    summary: 'Cancel an email change',
    description:
      'Cancels a requested email change. The token comes from the notification that was sent to the current address. Ends all sessions of the user and invalidates the unused links that the service emailed to the user. Users who did not request the change should then reset their password. Publishes `user.email_change_cancelled`.',
  })
  @ApiData(CanceledEmailChangeResponse, { description: 'The change was canceled.' })
  @ApiProblems({
    400: 'The request is invalid, or the link is unknown, already used, expired or replaced by a newer link (`link_invalid`).',
    429: 'Too many requests from this IP address.',
  })
  async cancel(@Ctx() ctx: RequestContext, @Body() body: VerifyEmailRequest): Promise<DataResponse<CanceledEmailChangeResponse>> {
    return { data: { ...(await this.emailVerification.cancelChange(ctx, body.token)) } };
  }
}
