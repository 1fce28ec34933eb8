/** The prefix of webhook secrets. The base64 text after the prefix is the key (Standard Webhooks, "Secret key"). */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';
