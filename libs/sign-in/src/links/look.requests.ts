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

/** What a mailed link is for. */
export class MailedLinkResponse {
  @ApiProperty({
    enum: LINK_PURPOSES,
    description:
      'What uses it up: `POST /v1/auth/accept-invitation`, `…/reset-password`, `…/verify-email` for `email_verification` and `email_change`, or `…/cancel-email-change`.',
    example: 'invitation',
  })
  purpose!: (typeof LINK_PURPOSES)[number];

  @ApiProperty({ description: 'Whether the account becomes active with it.', example: true }) activatesAccount!: boolean;

  @ApiProperty({ type: SignInPlaceResponse, description: 'Where the person signs in afterwards.' })
  organization!: SignInPlaceResponse;

  @ApiProperty({
    format: 'email',
    description: "The account's address; of an `email_change` the new one.",
    example: 'ada@example.com',
  })
  email!: string;

  @ApiPropertyOptional({ description: 'Of those who set a password, if it is known.', example: 'Ada' }) firstName?: string;
  @ApiPropertyOptional({ description: 'Of those who set a password, if it is known.', example: 'Lovelace' }) lastName?: string;

  @ApiProperty({ description: 'Until when the link works.', format: 'date-time', example: '2026-01-15T10:00:00.000Z' })
  expiresAt!: string;

  @ApiPropertyOptional({ type: PasswordRulesResponse, description: 'For those who set a password.' })
  passwordPolicy?: PasswordRulesResponse;
}
