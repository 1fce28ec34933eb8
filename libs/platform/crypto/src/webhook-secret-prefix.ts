/** Marks a secret whose key is the base64 text behind it (Standard Webhooks, "Secret key"). */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';
