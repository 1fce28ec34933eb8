import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { EmailField, ExactTextField } from '#http';
import { UpdateUserRequest } from '#users';
import { NEW_PASSWORD } from '../recovery/recovery.requests.js';

const CURRENT_PASSWORD = {
  description:
    'Your password. An account without a password needs a proof of the last ten minutes instead (`POST /v1/auth/reauthentication`).',
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
  @EmailField({ description: 'The new address, which gets a mail with the link.', required: true, example: 'ada@new.example' })
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
      'Needed for another telephone number only. An account without a password needs a proof of the last ten minutes instead (`POST /v1/auth/reauthentication`).',
  })
  currentPassword?: string;
}

export class SentVerificationResponse {
  @ApiProperty({ format: 'email', example: 'ada@example.com' }) email!: string;
  @ApiProperty({ description: 'The address was confirmed before, so no mail was sent.', example: false })
  alreadyVerified!: boolean;
  @ApiPropertyOptional({ description: 'Until when the link works.', format: 'date-time', example: '2026-01-16T09:00:00.000Z' })
  expiresAt?: string;
}
