import { randomBytes } from 'node:crypto';

/** Crockford's base32: no letter that looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE_LENGTH = 12;
export const CODE_COUNT = 10;

/** A new code of 60 random bits, such as `7k3m-9q0z-b2xd`. */
export function newRecoveryCode(): string {
  // 32 divides 256, so each character is as likely as any other.
  const characters = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return characters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** A code as people may write it, in the form that is hashed; null when it can't be one. */
export function canonicalRecoveryCode(text: string): string | null {
  const plain = text.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return plain.length === CODE_LENGTH && [...plain].every((character) => ALPHABET.includes(character)) ? plain : null;
}
