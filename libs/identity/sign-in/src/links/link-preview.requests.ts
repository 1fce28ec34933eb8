import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ExactTextField } from '#platform/http';
import { PasswordRulesResponse, SignInPlaceResponse } from '../options/sign-in-place.responses.js';
import { TOKEN } from '../recovery/password-reset.requests.js';

export const LINK_PURPOSES = [
  'invitation',
  'password_reset',
  'email_verification',
  'email_change',
  'email_change_cancel',
] as const;

export class PreviewLinkRequest {
  @ExactTextField(TOKEN)
  token!: string;
}

export class MailedLinkResponse {
  @ApiProperty({
    enum: LINK_PURPOSES,
    description:
      'Purpose of the link. `invitation`: send the token to `POST /v1/auth/accept-invitation`. `password_reset`: send the token to `POST /v1/auth/reset-password`. `email_verification` or `email_change`: send the token to `POST /v1/auth/verify-email`. `email_change_cancel`: send the token to `POST /v1/auth/cancel-email-change`.',
    example: 'invitation',
  })
  purpose!: (typeof LINK_PURPOSES)[number];

  @ApiProperty({ description: 'Whether using the link activates the account.', example: true }) activatesAccount!: boolean;

  @ApiProperty({ type: SignInPlaceResponse, description: 'Organization that the user can sign in to after using the link.' })
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
