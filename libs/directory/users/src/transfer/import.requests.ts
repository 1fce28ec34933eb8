import { MAX_PASSWORD_HASH_LENGTH, readPasswordHash } from '#platform/crypto';
import type { UserStatus } from '#directory/memberships';
import {
  BooleanField,
  BooleanQuery,
  ChoiceField,
  type FieldError,
  ExactTextField,
  ObjectListField,
  TextField,
} from '#platform/http';
import { CreateUserRequest } from '../user.requests.js';
import {
  ImportIdentityRequest,
  ImportMembershipRequest,
  ImportPasskeyRequest,
  MAX_IDENTITIES,
  MAX_IMPORTED_PASSKEYS,
  MAX_MEMBERSHIPS,
} from './import-access.requests.js';

export class ImportUserRequest extends CreateUserRequest {
  @ChoiceField({
    description:
      'Status of a new user. An existing user keeps their status. A line with `deleted` has no effect and no `id` in the result. Default: `active` if the line contains a way to sign in (`passwordHash`, `passkeys` or `identities`), otherwise `pending`.',
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

  @BooleanField({
    description: 'Whether the `phoneNumber` of the line is already verified. Ignored in a line without `phoneNumber`.',
    default: false,
  })
  phoneVerified?: boolean;

  @ObjectListField(() => ImportIdentityRequest, {
    description:
      'Accounts at identity providers with which the user signs in. The caller needs the permission `users:write` in the organization of the identity provider, and to link an existing user every permission that the user has. Accounts that the user already has stay linked.',
    minItems: 0,
    maxItems: MAX_IDENTITIES,
  })
  identities?: ImportIdentityRequest[];

  @ObjectListField(() => ImportMembershipRequest, {
    description:
      'Memberships in other organizations of the tenant. The caller needs the permission `members:write` there and all permissions of the roles. A membership that the user already has stays unchanged.',
    minItems: 0,
    maxItems: MAX_MEMBERSHIPS,
  })
  memberships?: ImportMembershipRequest[];

  @ExactTextField({
    description:
      'Secret of the authenticator app of a new user in base32 (SHA-1, 6 digits, 30 seconds), with 16 to 128 characters. An existing user keeps their factors.',
    maxLength: 160,
    pattern: /^[A-Za-z2-7 ]{16,152}={0,6}$/,
    patternMessage: 'must be base32 with 16 to 128 characters.',
    example: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  })
  totpSecret?: string;

  @ObjectListField(() => ImportPasskeyRequest, {
    description: 'Passkeys of a new user, created for the address of this service. An existing user keeps their passkeys.',
    minItems: 0,
    maxItems: MAX_IMPORTED_PASSKEYS,
  })
  passkeys?: ImportPasskeyRequest[];

  @ExactTextField({
    description:
      'Password hash of a new user, computed with argon2, bcrypt, scrypt, PBKDF2, phpass or salted SHA-2, in a format that the import guide lists. An existing user keeps their password.',
    maxLength: MAX_PASSWORD_HASH_LENGTH,
    findError: findHashError,
    example: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  })
  passwordHash?: string;
}

export class ImportUsersQuery {
  @BooleanQuery({
    description: 'Whether to return only what the import would do. Nothing is written. New users have no `id` in the results.',
    default: false,
  })
  preview?: boolean;
}

function findHashError(hash: string): FieldError | undefined {
  const read = readPasswordHash(hash);
  if (!read)
    return {
      code: 'unknown_hash',
      message: 'must be an argon2, bcrypt, scrypt, PBKDF2, phpass or salted SHA-2 hash in a format that the import guide lists.',
    };
  return read.isTooCostly
    ? { code: 'hash_too_costly', message: 'needs too much memory or time to verify at each sign-in.' }
    : undefined;
}
