import { randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '#platform/crypto';

/** The longest secret a customer may choose, in characters. */
export const SECRET_MAX_LENGTH = 256;

const KEY_BYTES = 32;

/**
 * Makes a webhook secret: `whsec_` and the base64 of 32 random bytes, the form the Standard Webhooks libraries expect.
 */
export function generateWebhookSecret(): string {
  return WEBHOOK_SECRET_PREFIX + randomBytes(KEY_BYTES).toString('base64');
}
