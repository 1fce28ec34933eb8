import { ARGON2 } from './argon2.js';
import { BCRYPT } from './bcrypt.js';
import { DJANGO } from './django.js';
import type { OwnPasswordFormat, PasswordFormat } from './password-format.js';
import { PBKDF2 } from './pbkdf2.js';
import { PHPASS } from './phpass.js';
import { SALTED_SHA } from './salted-sha.js';
import { FIREBASE_SCRYPT, SCRYPT } from './scrypt.js';

export { deriveByArgon2id } from './argon2.js';
export type { OwnPasswordFormat, PasswordFormat } from './password-format.js';

/** All supported formats. New hashes have the first format. */
export const PASSWORD_FORMATS: readonly [OwnPasswordFormat, ...PasswordFormat[]] = [
  ARGON2,
  BCRYPT,
  SCRYPT,
  PBKDF2,
  FIREBASE_SCRYPT,
  DJANGO,
  SALTED_SHA,
  PHPASS,
];

/** Maximum length of a hash in characters, in any format. */
export const MAX_PASSWORD_HASH_LENGTH = 500;

/** Parses a hash. Returns undefined if the format is unknown. */
export function readPasswordHash(hash: string, formats: readonly PasswordFormat[] = PASSWORD_FORMATS) {
  for (const format of formats) {
    const read = format.read(hash);
    if (read) return read;
  }
  return undefined;
}
