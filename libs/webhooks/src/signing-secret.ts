import { randomBytes } from 'node:crypto';

/** Marks a secret whose key is the base64 text behind it (Standard Webhooks, "Secret key"). */
export const SECRET_PREFIX = 'whsec_';

/** The longest secret a customer may choose, in characters. */
export const SECRET_MAX_LENGTH = 256;

const KEY_BYTES = 32;

/**
 * Makes a webhook secret: `whsec_` and the base64 of 32 random bytes, the form the Standard Webhooks libraries expect.
 */
export function generateWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(KEY_BYTES).toString('base64');
}
