import { MAX_PASSWORD_HASH_LENGTH, readPasswordHash } from '#platform/crypto';
import type { UserStatus } from '#directory/memberships';
import { BooleanField, ChoiceField, type FieldError, ExactTextField, TextField } from '#platform/http';
import { CreateUserRequest } from '../user.requests.js';

export class ImportUserRequest extends CreateUserRequest {
  @ChoiceField({
    description:
      'Status of a new user. An existing user keeps their status. A line with `deleted` has no effect and no `id` in the result. Default: `active` if the line contains a `passwordHash`, otherwise `pending`.',
    choices: ['pending', 'active', 'suspended', 'deleted'],
  })
  status?: UserStatus;

  @TextField({
    description: 'Reason for the suspension of a new user with the status `suspended`. Ignored in other lines.',
    maxLength: 500,
    multiline: true,
    example: 'Left the company',
  })
  suspendedReason?: string;

  @BooleanField({
    description:
      'Whether the email address is already verified. Does not confirm the address: the user confirms it with a link or a trusted identity provider.',
    default: false,
  })
  emailVerified?: boolean;

  @ExactTextField({
    description:
      'Password hash of a new user, computed with argon2, bcrypt, scrypt or PBKDF2. An existing user keeps their password.',
    maxLength: MAX_PASSWORD_HASH_LENGTH,
    findError: findHashError,
    example: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  })
  passwordHash?: string;
}

function findHashError(hash: string): FieldError | undefined {
  const read = readPasswordHash(hash);
  if (!read)
    return {
      code: 'unknown_hash',
      message: 'must be an argon2, bcrypt, scrypt or PBKDF2 hash in a format that the import guide lists.',
    };
  return read.isTooCostly
    ? { code: 'hash_too_costly', message: 'needs too much memory or time to verify at each sign-in.' }
    : undefined;
}
