import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Returns the SHA-256 of a random token or API key. The database contains only the hash. Do not use this function for passwords, which need
 * a slow hash.
 */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Compares secrets in constant time. Reveals neither equal parts nor the length. */
export function constantTimeEqual(a: string | Buffer, b: string | Buffer): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

/** Returns a random token in base64url. 32 bytes are 43 characters. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}
