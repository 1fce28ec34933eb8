import { at, reads, type MatrixRow } from './row.js';

export const WEBHOOK_ROWS: Readonly<Record<string, readonly MatrixRow[]>> = {
  listWebhooks: [reads('/webhooks')],
  createWebhook: [
    {
      additionalPermissions: ['events:read'],
      request: (setup, orgs) => ({ path: at(orgs, '/webhooks'), body: setup.body('webhooks') }),
    },
  ],
  getWebhook: [reads(({ fixtures }) => `/webhooks/${fixtures.webhook}`)],
  updateWebhook: [
    { request: ({ fixtures }, orgs) => ({ path: at(orgs, `/webhooks/${fixtures.webhook}`), body: { name: 'Changed' } }) },
  ],
  deleteWebhook: [
    { request: async (setup, orgs) => ({ path: at(orgs, `/webhooks/${await setup.createResource('webhooks', orgs.own)}`) }) },
  ],
  getWebhookSecret: [reads(({ fixtures }) => `/webhooks/${fixtures.webhook}/secret`)],
  testWebhook: [
    {
      request: ({ fixtures }, orgs) => ({
        path: at(orgs, `/webhooks/${fixtures.webhook}/test`),
        body: { eventType: 'role.deleted' },
      }),
    },
  ],
  listDeliveries: [reads(({ fixtures }) => `/webhooks/${fixtures.webhook}/deliveries`)],
  retryDelivery: [
    {
      request: async (setup, orgs) => ({
        path: at(orgs, `/webhooks/${setup.fixtures.webhook}/deliveries/${await setup.createDelivery()}/retry`),
      }),
    },
  ],
  replayDeliveries: [
    {
      request: ({ fixtures }, orgs) => ({
        path: at(orgs, `/webhooks/${fixtures.webhook}/replay`),
        body: { since: '2026-01-01T00:00:00Z', dryRun: true },
      }),
    },
  ],
  rotateWebhookSecret: [
    { request: ({ fixtures }, orgs) => ({ path: at(orgs, `/webhooks/${fixtures.webhook}/rotate-secret`), body: {} }) },
  ],
  reconcileWebhook: [reads(({ fixtures }) => `/webhooks/${fixtures.webhook}/reconciliation?since=2026-01-01T00:00:00Z`)],
  getWebhookStatistics: [reads(({ fixtures }) => `/webhooks/${fixtures.webhook}/statistics`)],
  getDelivery: [reads(({ fixtures }) => `/webhooks/${fixtures.webhook}/deliveries/${fixtures.delivery}`)],
  listReachableWebhooks: [
    {
      withoutOrganization: true,
      outside: 'filtered',
      request: ({ fixtures }) => ({ path: '/v1/webhooks?limit=100', hidden: fixtures.webhook }),
    },
  ],
  getReachableWebhook: [
    {
      withoutOrganization: true,
      request: ({ fixtures }) => ({ path: `/v1/webhooks/${fixtures.webhook}`, hidden: fixtures.webhook }),
    },
  ],
  updateReachableWebhook: [
    {
      withoutOrganization: true,
      request: ({ fixtures }) => ({
        path: `/v1/webhooks/${fixtures.webhook}`,
        body: { name: 'Changed' },
        hidden: fixtures.webhook,
      }),
    },
  ],
  deleteReachableWebhook: [
    {
      withoutOrganization: true,
      request: async (setup, orgs) => {
        const hidden = await setup.createResource('webhooks', orgs.own);
        return { path: `/v1/webhooks/${hidden}`, hidden };
      },
    },
  ],
  listEvents: [reads('/events')],
  streamEvents: [reads('/events/stream')],
  // Concurrent requests without an end position would be rejected: only one request at a time can verify the complete log.
  verifyEvents: [reads('/events/verify?toPosition=1')],
  getEvent: [reads(({ fixtures }) => `/events/${fixtures.event}`)],
};
