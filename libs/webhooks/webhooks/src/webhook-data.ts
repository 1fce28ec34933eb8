import type { WebhookData } from '#platform/events';
import type { Webhook } from './webhook.entity.js';

type PublishedWebhook = Pick<
  Webhook,
  | 'id'
  | 'organizationId'
  | 'name'
  | 'url'
  | 'format'
  | 'events'
  | 'enabled'
  | 'includeDescendants'
  | 'filter'
  | 'rateLimit'
  | 'createdAt'
  | 'updatedAt'
>;

/** Returns the event data of a webhook, without secrets, headers and the path of the URL. */
export const webhookData = (webhook: PublishedWebhook): WebhookData => ({
  id: webhook.id,
  organizationId: webhook.organizationId,
  name: webhook.name,
  origin: new URL(webhook.url).origin,
  format: webhook.format,
  events: webhook.events,
  enabled: webhook.enabled,
  includeDescendants: webhook.includeDescendants,
  filter: webhook.filter,
  rateLimit: webhook.rateLimit,
  createdAt: webhook.createdAt.toISOString(),
  updatedAt: webhook.updatedAt.toISOString(),
});
