import { Body, Controller, HttpCode, Patch } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, OwnAccount, Post, SkipIdempotency } from '#http';
import { NEEDS_PASSWORD, TOO_MANY_HASHES } from '#mfa';
import { UpdatedUserResponse } from '#users';
import { AskedMailResponse } from '../recovery/recovery.requests.js';
import { EmailVerification } from '../email/email-verification.service.js';
import {
  ChangeEmailRequest,
  ChangePasswordRequest,
  SentVerificationResponse,
  UpdateOwnProfileRequest,
} from './own-account.requests.js';
import { AccountChanges } from './account-changes.service.js';

const TOO_MANY = 'Too many wrong passwords, or too many requests; `Retry-After` tells how long to wait.';

/** What signed-in users change about themselves. */
@ApiTags('Account')
@Controller('v1/auth')
export class OwnAccountController {
  constructor(
    private readonly account: AccountChanges,
    private readonly verification: EmailVerification,
  ) {}

  @Patch('me')
  @OwnAccount()
  @ApiOperation({
    operationId: 'updateMe',
    summary: 'Change your profile',
    description: 'Fields sent replace. Another telephone number asks for your password and ends your other sessions.',
  })
  @ApiData(UpdatedUserResponse)
  @ApiProblems({ 403: NEEDS_PASSWORD, 429: TOO_MANY, 503: TOO_MANY_HASHES })
  async update(@Ctx() ctx: RequestContext, @Body() body: UpdateOwnProfileRequest): Promise<DataAnswer<UpdatedUserResponse>> {
    const { currentPassword, ...profile } = body;
    return { data: UpdatedUserResponse.from(await this.account.changeProfile(ctx, currentPassword, profile), profile) };
  }

  @Post('me/email')
  @HttpCode(202)
  @OwnAccount()
  @SkipIdempotency('It changes nothing until the link in the mail is used.')
  @ApiOperation({
    operationId: 'changeMyEmail',
    summary: 'Change your e-mail address',
    description:
      'Sends a link to the new address, which takes the place of the present one when the link is used. The old address is told then, and your other sessions end.',
  })
  @ApiData(AskedMailResponse, { status: 202, description: 'A mail is on its way to the new address.' })
  @ApiProblems({
    403: NEEDS_PASSWORD,
    422: "The address's domain is not allowed in your organization.",
    429: TOO_MANY,
    503: TOO_MANY_HASHES,
  })
  async changeEmail(@Ctx() ctx: RequestContext, @Body() body: ChangeEmailRequest): Promise<DataAnswer<AskedMailResponse>> {
    await this.account.requestEmailChange(ctx, body.currentPassword, body.email);
    return { data: { email: body.email } };
  }

  @Post('verify-email/send')
  @HttpCode(200)
  @OwnAccount()
  @SkipIdempotency('Each mail has a link of its own.')
  @ApiOperation({
    operationId: 'sendEmailVerification',
    summary: 'Have the link sent that confirms your e-mail address',
    description: 'It works once, for a day; older ones die. At most five mails an hour.',
  })
  @ApiData(SentVerificationResponse)
  @ApiProblems({ 429: 'Five mails were sent within an hour; `Retry-After` tells how long to wait.' })
  async sendVerification(@Ctx() ctx: RequestContext): Promise<DataAnswer<SentVerificationResponse>> {
    const { email, expiresAt } = await this.verification.send(ctx);
    return { data: { email, alreadyVerified: !expiresAt, ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}) } };
  }

  @Post('change-password')
  @HttpCode(204)
  @OwnAccount()
  @SkipIdempotency('Answers say nothing that would have to be kept.')
  @ApiOperation({
    operationId: 'changePassword',
    summary: 'Change your password',
    description: 'Your other sessions end, and you are told by mail.',
  })
  @ApiNoContentResponse({ description: 'The password was changed.' })
  @ApiProblems({
    403: NEEDS_PASSWORD,
    422: "The new password breaks the organization's policy.",
    429: TOO_MANY,
    503: TOO_MANY_HASHES,
  })
  async changePassword(@Ctx() ctx: RequestContext, @Body() body: ChangePasswordRequest): Promise<void> {
    await this.account.changePassword(ctx, body.currentPassword, body.newPassword);
  }
}
