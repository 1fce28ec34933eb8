import type { WebhookData } from '#platform/events';
import type { Webhook } from './webhook.entity.js';

type Shown = Pick<
  Webhook,
  | 'id'
  | 'organizationId'
  | 'name'
  | 'url'
  | 'events'
  | 'enabled'
  | 'includeDescendants'
  | 'filter'
  | 'rateLimit'
  | 'createdAt'
  | 'updatedAt'
>;

/** What events say of a webhook. */
export const webhookData = (webhook: Shown): WebhookData => ({
  id: webhook.id,
  organizationId: webhook.organizationId,
  name: webhook.name,
  origin: new URL(webhook.url).origin,
  events: webhook.events,
  enabled: webhook.enabled,
  includeDescendants: webhook.includeDescendants,
  filter: webhook.filter,
  rateLimit: webhook.rateLimit,
  createdAt: webhook.createdAt.toISOString(),
  updatedAt: webhook.updatedAt.toISOString(),
});
