import { at, reads, type MatrixRow } from './row.js';

/** The requests about webhooks, their deliveries, and the events behind them. */
export const WEBHOOK_ROWS: Readonly<Record<string, readonly MatrixRow[]>> = {
  listWebhooks: [reads('/webhooks')],
  createWebhook: [
    { also: ['events:read'], request: (world, place) => ({ path: at(place, '/webhooks'), body: world.body('webhooks') }) },
  ],
  getWebhook: [reads(({ standing }) => `/webhooks/${standing.webhook}`)],
  updateWebhook: [
    { request: ({ standing }, place) => ({ path: at(place, `/webhooks/${standing.webhook}`), body: { name: 'Changed' } }) },
  ],
  deleteWebhook: [
    { request: async (world, place) => ({ path: at(place, `/webhooks/${await world.fresh('webhooks', place.own)}`) }) },
  ],
  getWebhookSecret: [reads(({ standing }) => `/webhooks/${standing.webhook}/secret`)],
  testWebhook: [
    {
      request: ({ standing }, place) => ({
        path: at(place, `/webhooks/${standing.webhook}/test`),
        body: { eventType: 'role.deleted' },
      }),
    },
  ],
  listDeliveries: [reads(({ standing }) => `/webhooks/${standing.webhook}/deliveries`)],
  retryDelivery: [
    {
      request: async (world, place) => ({
        path: at(place, `/webhooks/${world.standing.webhook}/deliveries/${await world.delivered()}/retry`),
      }),
    },
  ],
  replayDeliveries: [
    {
      request: ({ standing }, place) => ({
        path: at(place, `/webhooks/${standing.webhook}/replay`),
        body: { since: '2026-01-01T00:00:00Z', dryRun: true },
      }),
    },
  ],
  rotateWebhookSecret: [
    { request: ({ standing }, place) => ({ path: at(place, `/webhooks/${standing.webhook}/rotate-secret`), body: {} }) },
  ],
  reconcileWebhook: [reads(({ standing }) => `/webhooks/${standing.webhook}/reconciliation?since=2026-01-01T00:00:00Z`)],
  getWebhookStatistics: [reads(({ standing }) => `/webhooks/${standing.webhook}/statistics`)],
  getDelivery: [reads(({ standing }) => `/webhooks/${standing.webhook}/deliveries/${standing.delivery}`)],
  listReachableWebhooks: [
    {
      spans: true,
      outside: 'filtered',
      request: ({ standing }) => ({ path: '/v1/webhooks?limit=100', hidden: standing.webhook }),
    },
  ],
  getReachableWebhook: [
    { spans: true, request: ({ standing }) => ({ path: `/v1/webhooks/${standing.webhook}`, hidden: standing.webhook }) },
  ],
  updateReachableWebhook: [
    {
      spans: true,
      request: ({ standing }) => ({
        path: `/v1/webhooks/${standing.webhook}`,
        body: { name: 'Changed' },
        hidden: standing.webhook,
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
  // Up to a position: the whole log is verified once at a time.
  verifyEvents: [reads('/events/verify?toPosition=1')],
  getEvent: [reads(({ standing }) => `/events/${standing.event}`)],
};
