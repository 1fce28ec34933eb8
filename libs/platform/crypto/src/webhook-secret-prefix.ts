/** The prefix of webhook secrets. The key is the base64 text after it (Standard Webhooks, "Secret key"). */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';
