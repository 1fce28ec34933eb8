import { at, type MatrixRow, type MatrixRows, sends } from './row.js';

/** Returns a row for a request to the webhook of the fixtures. */
const onWebhook = (rest: string, body: object): MatrixRow =>
  sends(({ fixtures }) => `/webhooks/${fixtures.webhook}${rest}`, body);

/** Returns a row for a request to the webhook of the fixtures, by its ID alone. */
const byId = (body?: object): MatrixRow => ({
  withoutOrganization: true,
  request: ({ fixtures }) => ({ path: `/v1/webhooks/${fixtures.webhook}`, body, hidden: fixtures.webhook }),
});

export const WEBHOOK_ROWS: MatrixRows = {
  createWebhook: sends('/webhooks', (setup) => setup.body('webhooks'), { additionalPermissions: ['events:read'] }),
  updateWebhook: onWebhook('', { name: 'Changed' }),
  testWebhook: onWebhook('/test', { eventType: 'role.deleted' }),
  retryDelivery: {
    additionalPermissions: ['events:read'],
    request: async (setup, orgs) => ({
      path: at(orgs, `/webhooks/${setup.fixtures.webhook}/deliveries/${await setup.createDelivery()}/retry`),
    }),
  },
  replayDeliveries: onWebhook('/replay', { since: '2026-01-01T00:00:00Z', dryRun: true }),
  rotateWebhookSecret: onWebhook('/rotate-secret', {}),
  listReachableWebhooks: {
    withoutOrganization: true,
    outside: 'filtered',
    request: ({ fixtures }) => ({ path: '/v1/webhooks?limit=100', hidden: fixtures.webhook }),
  },
  getReachableWebhook: byId(),
  updateReachableWebhook: byId({ name: 'Changed' }),
  deleteReachableWebhook: {
    withoutOrganization: true,
    request: async (setup, orgs) => {
      const hidden = await setup.createResource('webhooks', orgs.own);
      return { path: `/v1/webhooks/${hidden}`, hidden };
    },
  },
  // Concurrent requests without an end position would be rejected: only one request at a time can verify the complete log.
  verifyEvents: sends('/events/verify?toPosition=1'),
};
