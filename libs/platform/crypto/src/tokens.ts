import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a random token or API key: what is stored in its place. (Passwords are not random: they need a slow hash.) */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Compares secrets in a time that does not tell how much of them is equal, nor how long the other one is. */
export function constantTimeEqual(a: string | Buffer, b: string | Buffer): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

/** A random token in base64url; 32 bytes are 256 bits and 43 characters. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}
