import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#platform/common';
import {
  ApiData,
  ApiProblems,
  Ctx,
  type DataResponse,
  FORWARDED_ELSEWHERE,
  ForwardsClientAddress,
  Post,
  SkipIdempotency,
} from '#platform/http';
import { SSO_REQUIRED } from '#directory/users';
import { PasswordResetRequestService } from './password-reset-request.service.js';
import { PasswordResetService } from './password-reset.service.js';
import { AskedMailResponse, ForgotPasswordRequest, ResetPasswordRequest } from './password-reset.requests.js';

@ApiTags('Sign-in')
@Controller('v1/auth')
export class PasswordResetController {
  constructor(
    private readonly passwordResetRequest: PasswordResetRequestService,
    private readonly passwordReset: PasswordResetService,
  ) {}

  @Post('forgot-password')
  @HttpCode(202)
  @Public('The user has forgotten the password.')
  @SkipIdempotency('It changes nothing, and each email has a new link.')
  @ForwardsClientAddress('organization')
  @ApiOperation({
    operationId: 'forgotPassword',
    summary: 'Request a password reset',
    description:
      'Sends the user with the email address in the request an email with the next step. An active user who can sign in with a password gets a link to set a new password, which works once and expires after 1 hour (`user.password_reset_requested`). A user who has not accepted the invitation yet gets the invitation again (`user.invited`). A user who is suspended, who was never invited or who must sign in with an identity provider gets an email that says so. The response is always the same. An address receives at most five emails per hour.',
  })
  @ApiData(AskedMailResponse, { status: 202, description: 'If the account exists, an email is sent.' })
  @ApiProblems({ 404: FORWARDED_ELSEWHERE, 429: 'Too many requests from this IP address.' })
  async forgot(@Ctx() ctx: RequestContext, @Body() body: ForgotPasswordRequest): Promise<DataResponse<AskedMailResponse>> {
    await this.passwordResetRequest.request(ctx, body);
    return { data: { email: body.email } };
  }

  @Post('reset-password')
  @HttpCode(204)
  @Public('The token of the link authenticates the user.')
  @SkipIdempotency('The token works once.')
  @ForwardsClientAddress('token')
  @ApiOperation({
    operationId: 'resetPassword',
    summary: 'Reset a password',
    description:
      'Sets a new password with the token from the password reset link. Ends all sessions of the user and invalidates the unused links that the service emailed to the user. This operation does not open a session. The user then signs in with the new password and, if the account has an MFA factor, with the factor. Publishes `user.password_changed`.',
  })
  @ApiNoContentResponse({ description: 'The password was set.' })
  @ApiProblems({
    400: 'The request is invalid, or the link is unknown, already used, expired or replaced by a newer link (`link_invalid`).',
    403: SSO_REQUIRED,
    422: 'The password violates the password policy (`password_refused`).',
    429: 'Too many requests from this IP address.',
    503: 'The service is processing too many passwords and codes at the moment (`unavailable`). Try again after the number of seconds in `Retry-After`.',
  })
  async reset(@Ctx() ctx: RequestContext, @Body() body: ResetPasswordRequest): Promise<void> {
    await this.passwordReset.reset(ctx, body);
  }
}
