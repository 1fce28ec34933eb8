import { randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '#platform/crypto';

export const SECRET_MAX_LENGTH = 256;

const KEY_BYTES = 32;

/** Returns a random secret in the format of Standard Webhooks: `whsec_` and the base64 of 32 bytes. */
export function generateWebhookSecret(): string {
  return WEBHOOK_SECRET_PREFIX + randomBytes(KEY_BYTES).toString('base64');
}
