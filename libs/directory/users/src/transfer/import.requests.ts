import { MAX_PASSWORD_HASH_LENGTH, readPasswordHash } from '#platform/crypto';
import { BooleanField, ChoiceField, type FieldError, ExactTextField } from '#platform/http';
import { CreateUserRequest } from '../user.requests.js';

export class ImportUserRequest extends CreateUserRequest {
  @ChoiceField({
    description:
      'Status of a new user. An existing user keeps their status. Default: `active` if the line contains a `passwordHash`, otherwise `pending`.',
    choices: ['pending', 'active'],
  })
  status?: 'pending' | 'active';

  @BooleanField({ description: 'Whether the email address is already verified.', default: false })
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
