import { randomBytes } from 'node:crypto';

/** Crockford's base32, without letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE_LENGTH = 12;
export const CODE_COUNT = 10;

/** Returns a code of 60 random bits, such as `7k3m-9q0z-b2xd`: the canonical form with a hyphen after every 4 characters. */
export function newRecoveryCode(): string {
  // 32 divides 256, so all characters have the same probability.
  const characters = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return characters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** Returns the canonical form of a typed code: 12 characters without hyphens. Returns null if the text can't be a code. */
export function canonicalRecoveryCode(text: string): string | null {
  const code = text.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return code.length === CODE_LENGTH && [...code].every((character) => ALPHABET.includes(character)) ? code : null;
}
