import { MAX_PASSWORD_HASH_LENGTH, readPasswordHash } from '#crypto';
import { BooleanField, ChoiceField, type Complaint, ExactTextField } from '#http';
import { CreateUserRequest } from '../user.requests.js';

/** One line of an import: a user. */
export class ImportUserRequest extends CreateUserRequest {
  @ChoiceField({
    description:
      'The status of a user that is created; one that exists keeps its own. Left out: `active` with a `passwordHash`, else `pending`.',
    choices: ['pending', 'active'],
  })
  status?: 'pending' | 'active';

  @BooleanField({ description: "Whether the address is known to be the user's.", default: false })
  emailVerified?: boolean;

  @ExactTextField({
    description:
      'The hash of the password that a user who is created brings along: argon2, bcrypt, scrypt or PBKDF2. One who exists keeps their own.',
    maxLength: MAX_PASSWORD_HASH_LENGTH,
    complaintAbout: hashComplaint,
    example: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  })
  passwordHash?: string;
}

function hashComplaint(hash: string): Complaint | undefined {
  const read = readPasswordHash(hash);
  if (!read)
    return { code: 'unknown_hash', message: 'must be a hash by argon2, bcrypt, scrypt or PBKDF2 in a form of the guide.' };
  return read.isTooCostly
    ? { code: 'hash_too_costly', message: 'would take too much memory or time to check at each sign-in.' }
    : undefined;
}
