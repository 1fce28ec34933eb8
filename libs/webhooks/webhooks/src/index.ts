export { headerProblem, isTransportHeader, signatureHeaderName } from './custom-headers.js';
export { meetsFilter, type PayloadFilter } from './payload-filter.js';
export { generateWebhookSecret } from './signing-secret.js';
export { type CustomHeaders, MASKED_VALUE, WebhookSecrets } from './webhook-secrets.js';
export { FlaggedWebhooks } from './flagged-webhooks.js';
export type { WebhookDetails } from './webhook-details.query.js';
export { WebhooksModule } from './webhooks.module.js';
export { ATTEMPT_BEGINS_WITHIN_MS, WebhooksService } from './webhooks.service.js';
