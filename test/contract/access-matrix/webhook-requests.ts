import { at, reads, type MatrixRow } from './row.js';

/** Rows of the operations on webhooks, deliveries and events. */
export const WEBHOOK_ROWS: Readonly<Record<string, readonly MatrixRow[]>> = {
  listWebhooks: [reads('/webhooks')],
  createWebhook: [
    { also: ['events:read'], request: (world, place) => ({ path: at(place, '/webhooks'), body: world.body('webhooks') }) },
  ],
  getWebhook: [reads(({ fixtures }) => `/webhooks/${fixtures.webhook}`)],
  updateWebhook: [
    { request: ({ fixtures }, place) => ({ path: at(place, `/webhooks/${fixtures.webhook}`), body: { name: 'Changed' } }) },
  ],
  deleteWebhook: [
    { request: async (world, place) => ({ path: at(place, `/webhooks/${await world.fresh('webhooks', place.own)}`) }) },
  ],
  getWebhookSecret: [reads(({ fixtures }) => `/webhooks/${fixtures.webhook}/secret`)],
  testWebhook: [
    {
      request: ({ fixtures }, place) => ({
        path: at(place, `/webhooks/${fixtures.webhook}/test`),
        body: { eventType: 'role.deleted' },
      }),
    },
  ],
  listDeliveries: [reads(({ fixtures }) => `/webhooks/${fixtures.webhook}/deliveries`)],
  retryDelivery: [
    {
      request: async (world, place) => ({
        path: at(place, `/webhooks/${world.fixtures.webhook}/deliveries/${await world.delivered()}/retry`),
      }),
    },
  ],
  replayDeliveries: [
    {
      request: ({ fixtures }, place) => ({
        path: at(place, `/webhooks/${fixtures.webhook}/replay`),
        body: { since: '2026-01-01T00:00:00Z', dryRun: true },
      }),
    },
  ],
  rotateWebhookSecret: [
    { request: ({ fixtures }, place) => ({ path: at(place, `/webhooks/${fixtures.webhook}/rotate-secret`), body: {} }) },
  ],
  reconcileWebhook: [reads(({ fixtures }) => `/webhooks/${fixtures.webhook}/reconciliation?since=2026-01-01T00:00:00Z`)],
  getWebhookStatistics: [reads(({ fixtures }) => `/webhooks/${fixtures.webhook}/statistics`)],
  getDelivery: [reads(({ fixtures }) => `/webhooks/${fixtures.webhook}/deliveries/${fixtures.delivery}`)],
  listReachableWebhooks: [
    {
      spans: true,
      outside: 'filtered',
      request: ({ fixtures }) => ({ path: '/v1/webhooks?limit=100', hidden: fixtures.webhook }),
    },
  ],
  getReachableWebhook: [
    { spans: true, request: ({ fixtures }) => ({ path: `/v1/webhooks/${fixtures.webhook}`, hidden: fixtures.webhook }) },
  ],
  updateReachableWebhook: [
    {
      spans: true,
      request: ({ fixtures }) => ({
        path: `/v1/webhooks/${fixtures.webhook}`,
        body: { name: 'Changed' },
        hidden: fixtures.webhook,
      }),
    },
  ],
  deleteReachableWebhook: [
    {
      spans: true,
      request: async (world, place) => {
        const hidden = await world.fresh('webhooks', place.own);
        return { path: `/v1/webhooks/${hidden}`, hidden };
      },
    },
  ],
  listEvents: [reads('/events')],
  streamEvents: [reads('/events/stream')],
  // With an end position, because only one request at a time can verify the whole log.
  verifyEvents: [reads('/events/verify?toPosition=1')],
  getEvent: [reads(({ fixtures }) => `/events/${fixtures.event}`)],
};
