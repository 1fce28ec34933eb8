import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, type RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, Post, SkipIdempotency } from '#http';
import { PasswordRecovery } from './password-recovery.service.js';
import { AskedMailResponse, ForgotPasswordRequest, ResetPasswordRequest } from './recovery.requests.js';

/** A new password by mail. */
@ApiTags('Sign-in')
@Controller('v1/auth')
export class RecoveryController {
  constructor(private readonly recovery: PasswordRecovery) {}

  @Post('forgot-password')
  @HttpCode(202)
  @Public('Whoever forgot the password has none to show.')
  @SkipIdempotency('It changes nothing; each mail has a link of its own.')
  @ApiOperation({
    operationId: 'forgotPassword',
    summary: 'Ask for a new password',
    description:
      'Sends a mail with a link that works once, for an hour, if there is an active user with this address. The answer is the same if there is none. At most five mails an hour go to an address.',
  })
  @ApiData(AskedMailResponse, { status: 202, description: 'If the account exists, a mail is on its way.' })
  @ApiProblems({ 429: 'Too many requests from this address.' })
  async forgot(@Ctx() ctx: RequestContext, @Body() body: ForgotPasswordRequest): Promise<DataAnswer<AskedMailResponse>> {
    await this.recovery.forgot(ctx, body);
    return { data: { email: body.email } };
  }

  @Post('reset-password')
  @HttpCode(204)
  @Public('The token of the link is the proof.')
  @SkipIdempotency('The token works once.')
  @ApiOperation({
    operationId: 'resetPassword',
    summary: 'Set a new password with the link of the mail',
    description:
      'Ends all sessions of the user. It signs nobody in: the new password does, with the second factor where the account has one.',
  })
  @ApiNoContentResponse({ description: 'The password was set.' })
  @ApiProblems({
    400: 'The request is malformed, or the link does not work (any more).',
    422: "The password breaks the organization's policy.",
    429: 'Too many requests from this address.',
    503: 'Too many passwords are being hashed at this moment.',
  })
  async reset(@Ctx() ctx: RequestContext, @Body() body: ResetPasswordRequest): Promise<void> {
    await this.recovery.reset(ctx, body);
  }
}
