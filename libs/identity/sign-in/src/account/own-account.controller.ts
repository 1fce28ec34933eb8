import { Body, Controller, HttpCode, Patch } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, OwnAccount, Post, SkipIdempotency } from '#platform/http';
import { NEEDS_PASSWORD, TOO_MANY_HASHES } from '#identity/mfa';
import { SSO_REQUIRED, UpdatedUserResponse } from '#directory/users';
import { AskedMailResponse } from '../recovery/password-reset.requests.js';
import { EmailVerificationService } from '../email/email-verification.service.js';
import {
  ChangeEmailRequest,
  ChangePasswordRequest,
  SentVerificationResponse,
  UpdateOwnProfileRequest,
} from './own-account.requests.js';
import { OwnAccountService } from './own-account.service.js';

const TOO_MANY =
  'There were too many wrong passwords (`reauthentication_locked`) or too many requests (`rate_limited`). `Retry-After` contains the number of seconds to wait.';

@ApiTags('Account')
@Controller('v1/auth')
export class OwnAccountController {
  constructor(
    private readonly ownAccount: OwnAccountService,
    private readonly emailVerification: EmailVerificationService,
  ) {}

  @Patch('me')
  @OwnAccount()
  @ApiOperation({
    operationId: 'updateMe',
    summary: 'Update your profile',
    description:
      'Changes the fields in the request body. Changing the phone number requires `currentPassword` and ends your other sessions. Publishes `user.updated`.',
  })
  @ApiData(UpdatedUserResponse)
  @ApiProblems({ 403: NEEDS_PASSWORD, 429: TOO_MANY, 503: TOO_MANY_HASHES })
  async update(@Ctx() ctx: RequestContext, @Body() body: UpdateOwnProfileRequest): Promise<DataResponse<UpdatedUserResponse>> {
    const { currentPassword, ...profile } = body;
    return { data: UpdatedUserResponse.from(await this.ownAccount.updateProfile(ctx, currentPassword, profile), profile) };
  }

  @Post('me/email')
  @HttpCode(202)
  @OwnAccount()
  @SkipIdempotency('It changes nothing until the link in the email is used.')
  @ApiOperation({
    operationId: 'changeMyEmail',
    summary: 'Change your email address',
    description:
      'Sends a link to the new address. When the link is used, the address changes and your other sessions end. Your current address receives a notification with a link that cancels the change. The response does not reveal whether the new address already belongs to an account. Publishes `user.email_change_requested`.',
  })
  @ApiData(AskedMailResponse, { status: 202, description: 'An email is sent to the new address.' })
  @ApiProblems({
    403: NEEDS_PASSWORD,
    422: 'Your organization does not allow the domain of the new address (`domain_not_allowed`).',
    429: TOO_MANY,
    503: TOO_MANY_HASHES,
  })
  async changeEmail(@Ctx() ctx: RequestContext, @Body() body: ChangeEmailRequest): Promise<DataResponse<AskedMailResponse>> {
    await this.ownAccount.requestEmailChange(ctx, body.currentPassword, body.email);
    return { data: { email: body.email } };
  }

  @Post('verify-email/send')
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('Each email has a new link.')
  @ApiOperation({
    operationId: 'sendEmailVerification',
    summary: 'Send a verification email',
    description:
      'Sends a link that verifies your email address. The link works once and expires after 24 hours. Earlier links no longer work. If you have already confirmed the address, the service sends no email.',
  })
  @ApiData(SentVerificationResponse)
  @ApiProblems({ 429: 'Five emails were sent within an hour. `Retry-After` contains the number of seconds to wait.' })
  async sendVerification(@Ctx() ctx: RequestContext): Promise<DataResponse<SentVerificationResponse>> {
    const { email, expiresAt } = await this.emailVerification.sendToSelf(ctx);
    return { data: { email, alreadyVerified: !expiresAt, ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}) } };
  }

  @Post('change-password')
  @HttpCode(204)
  @OwnAccount()
  @SkipIdempotency('The response is empty.')
  @ApiOperation({
    operationId: 'changePassword',
    summary: 'Change your password',
    description:
      'Changes your password, ends your other sessions, invalidates the unused links that the service emailed to you and notifies you by email. Publishes `user.password_changed`.',
  })
  @ApiNoContentResponse({ description: 'The password was changed.' })
  @ApiProblems({
    403: `${NEEDS_PASSWORD} Or: ${SSO_REQUIRED}`,
    422: 'The new password violates the password policy (`password_refused`).',
    429: TOO_MANY,
    503: TOO_MANY_HASHES,
  })
  async changePassword(@Ctx() ctx: RequestContext, @Body() body: ChangePasswordRequest): Promise<void> {
    await this.ownAccount.changePassword(ctx, body.currentPassword, body.newPassword);
  }
}
