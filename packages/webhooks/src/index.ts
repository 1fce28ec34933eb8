export { EVENT_TYPES, type WebhookEvent, type WebhookEventData, type WebhookEventOf, type WebhookEventType } from './events.js';
export { type FetchHandler, fetchHandler } from './fetch-handler.js';
export type { EventHandler } from './receive.js';
export {
  type VerificationFailure,
  type WebhookHeaders,
  type WebhookOptions,
  Webhooks,
  WebhookVerificationError,
} from './webhooks.js';
