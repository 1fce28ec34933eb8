import { randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '#platform/crypto';

/** Maximum length of a secret, in characters. */
export const SECRET_MAX_LENGTH = 256;

const KEY_BYTES = 32;

/**
 * Returns a random secret: `whsec_` and the base64 of 32 bytes, as the libraries of Standard Webhooks expect.
 */
export function generateWebhookSecret(): string {
  return WEBHOOK_SECRET_PREFIX + randomBytes(KEY_BYTES).toString('base64');
}
