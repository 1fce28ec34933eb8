import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { EmailField, ExactTextField } from '#platform/http';
import { UpdateUserRequest } from '#directory/users';
import { NEW_PASSWORD } from '../recovery/password-reset.requests.js';

const CURRENT_PASSWORD = {
  description:
    'Your password. If your account has no password, confirm your identity instead (`POST /v1/auth/reauthentication`).',
  maxLength: 1024,
  example: 'lantern orbit velvet quarry',
} as const;

export class ChangePasswordRequest {
  @ExactTextField(CURRENT_PASSWORD)
  currentPassword?: string;

  @ExactTextField({ ...NEW_PASSWORD, example: 'marble thicket cobalt ferry' })
  newPassword!: string;
}

export class ChangeEmailRequest {
  @EmailField({
    description: 'New email address. The service sends an email with a confirmation link to this address.',
    required: true,
    example: 'ada@new.example',
  })
  email!: string;

  @ExactTextField(CURRENT_PASSWORD)
  currentPassword?: string;
}

export class UpdateOwnProfileRequest extends PickType(UpdateUserRequest, [
  'firstName',
  'lastName',
  'displayName',
  'picture',
  'locale',
  'phoneNumber',
]) {
  @ExactTextField({
    ...CURRENT_PASSWORD,
    description:
      'Your password, required to change the phone number. If your account has no password, confirm your identity instead (`POST /v1/auth/reauthentication`).',
  })
  currentPassword?: string;
}

export class SentVerificationResponse {
  @ApiProperty({ format: 'email', example: 'ada@example.com' }) email!: string;
  @ApiProperty({ description: 'Whether the address was already verified. If true, no email was sent.', example: false })
  alreadyVerified!: boolean;
  @ApiPropertyOptional({
    description: 'Time at which the link expires. Absent if no email was sent.',
    format: 'date-time',
    example: '2026-01-16T09:00:00.000Z',
  })
  expiresAt?: string;
}
