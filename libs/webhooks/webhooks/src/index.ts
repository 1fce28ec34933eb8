export {
  HEADER_NAME_MAX_LENGTH,
  HEADER_VALUE_MAX_LENGTH,
  headerProblem,
  isReservedHeader,
  isTransportHeader,
  signatureHeaderName,
} from './custom-headers.js';
export { meetsFilter, type PayloadFilter } from './payload-filter.js';
export { generateWebhookSecret, SECRET_MAX_LENGTH } from './signing-secret.js';
export { type CustomHeaders, MASKED_VALUE, WebhookSecrets } from './webhook-secrets.js';
export { FlaggedWebhooks } from './flagged-webhooks.js';
export { type DisabledReason, Webhook } from './webhook.entity.js';
export type { WebhookDetails } from './webhook-details.query.js';
export { WebhooksModule } from './webhooks.module.js';
export { ATTEMPT_BEGINS_WITHIN_MS, WebhooksService } from './webhooks.service.js';
