import type { Changes } from '#platform/common';
import * as example from '../catalog-examples.js';
import type { WebhookData, WebhookRevealedData } from '../event-data.js';
import { event } from './event-definition.js';

export const WEBHOOK_EVENTS = {
  'webhook.created': event<WebhookData>('A webhook was created.', example.webhook),
  'webhook.updated': event<WebhookData & { changes: Changes }>(
    'A webhook was updated, or its signing secret was rotated. `changes` does not contain the values of secrets, URLs and custom headers. Not published when the service disables or enables a webhook automatically.',
    {
      ...example.webhook,
      changes: { events: { from: ['user.created'], to: ['user.*'] } },
    },
  ),
  'webhook.deleted': event<WebhookData>('A webhook was deleted.', example.webhook),
  'webhook.secret_revealed': event<WebhookRevealedData>('The signing secret of a webhook was returned to a caller.', {
    id: example.webhook.id,
    organizationId: example.ORGANIZATION_ID,
    name: 'Billing',
  }),
} as const;
