import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ExactTextField } from '#http';
import { PasswordRulesResponse, SignInPlaceResponse } from '../options/sign-in-place.responses.js';
import { TOKEN } from '../recovery/recovery.requests.js';

export const LINK_PURPOSES = [
  'invitation',
  'password_reset',
  'email_verification',
  'email_change',
  'email_change_cancel',
] as const;

export class LookAtLinkRequest {
  @ExactTextField(TOKEN)
  token!: string;
}

/** The purpose of an emailed link. */
export class MailedLinkResponse {
  @ApiProperty({
    enum: LINK_PURPOSES,
    description:
      'Purpose of the link. `invitation` is used with `POST /v1/auth/accept-invitation`, `password_reset` with `…/reset-password`, `email_verification` and `email_change` with `…/verify-email`, and `email_change_cancel` with `…/cancel-email-change`.',
    example: 'invitation',
  })
  purpose!: (typeof LINK_PURPOSES)[number];

  @ApiProperty({ description: 'Whether using the link activates the account.', example: true }) activatesAccount!: boolean;

  @ApiProperty({ type: SignInPlaceResponse, description: 'Organization to sign in to afterwards.' })
  organization!: SignInPlaceResponse;

  @ApiProperty({
    format: 'email',
    description: 'Email address of the account. For `email_change`, the new address.',
    example: 'ada@example.com',
  })
  email!: string;

  @ApiPropertyOptional({ description: 'First name, if known. Only for links that set a password.', example: 'Ada' })
  firstName?: string;
  @ApiPropertyOptional({ description: 'Last name, if known. Only for links that set a password.', example: 'Lovelace' })
  lastName?: string;

  @ApiProperty({ description: 'Time at which the link expires.', format: 'date-time', example: '2026-01-15T10:00:00.000Z' })
  expiresAt!: string;

  @ApiPropertyOptional({ type: PasswordRulesResponse, description: 'Password rules. Only for links that set a password.' })
  passwordPolicy?: PasswordRulesResponse;
}
