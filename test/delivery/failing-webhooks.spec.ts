import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, systemContext } from '#platform/common';
import { FailureWatch } from '../../libs/webhooks/delivery/src/alerts/failure-watch.js';
import { HeldDeliveriesQuery } from '../../libs/webhooks/delivery/src/sweeping/held-deliveries.query.js';
import { at, made, newOrganization, read } from '../support/organizations.js';
import { testReceiver } from '../support/receiver.js';
import { eventually } from '../support/delivery-app.js';
import { testApp } from '../support/test-app.js';
import { WebhookDeliveries } from '../support/webhook-deliveries.js';

const USERS = '/v1/organizations/acme/users';
const TEN_MINUTES_MS = 600_000;

const app = testApp({ webhookRetryScheduleMs: [100, 100] });
let status: number;
const receiver = testReceiver(() => ({ status }));
const deliveries = new WebhookDeliveries(app, receiver);
let id: string;

const shown = () => read(app, deliveries.webhook);
const storedStatuses = async (): Promise<string[]> =>
  (await app.database.query<{ status: string }>('SELECT status FROM deliveries WHERE webhook_id = $1 ORDER BY id', [id])).map(
    (delivery) => delivery.status,
  );
/** Subtracts an interval in UTC, because Citus updates only with functions that don't depend on the time zone of the session. */
const earlier = (column: string, interval: string) => `(${column} AT TIME ZONE 'UTC' - ${interval}) AT TIME ZONE 'UTC'`;
/** Sets the start of the failures to this interval before now. */
const failingFor = (time: string) =>
  app.database.query(
    `UPDATE webhook_health SET failing_since = ${earlier('last_delivery_at', '$2::interval')} WHERE webhook_id = $1`,
    [id, time],
  );
const checkFailures = () => app.app.get(FailureWatch).check();
const probe = () => app.app.get(HeldDeliveriesQuery).probe(systemContext(newId('request')), TEN_MINUTES_MS);
const disabledFor = (time: string) =>
  app.database.query(
    `WITH probed AS (UPDATE webhook_health SET probed_at = ${earlier('probed_at', '$2::interval')} WHERE webhook_id = $1)
     UPDATE webhooks SET disabled_at = ${earlier('disabled_at', '$2::interval')} WHERE id = $1`,
    [id, time],
  );
const mails = () =>
  app.database.query<{ template: string; recipient: string }>(
    `SELECT template, recipient FROM messages WHERE template LIKE 'webhook%' ORDER BY id`,
  );

beforeAll(async () => {
  const users: Record<string, string> = {};
  for (const [name, role] of Object.entries({ ada: 'owner', bob: 'owner', eve: 'admin', old: 'owner' }))
    users[name] = (await made(app, USERS, { email: `${name}@acme.example`, roles: [role] })).id;
  await app.api.platform.post(`${USERS}/${users['old']}/suspend`).expect(200);
  await app.api.platform.patch(`${USERS}/${users['bob']}`, { locale: 'de' }).expect(200);
});
beforeEach(async () => {
  status = 500;
  receiver.requests.length = 0;
  deliveries.webhook = await deliveries.createWebhook({ url: `${receiver.url}?token=secret`, name: 'Billing' });
  id = deliveries.webhook.split('/').at(-1)!;
  await app.database.query('DELETE FROM messages');
});
afterEach(() => app.api.platform.delete(deliveries.webhook));

describe('webhook with only failed deliveries', () => {
  it('emails the owners once after 60 hours, and once when the webhook is disabled after 120 hours', async () => {
    await deliveries.createRoles();
    await deliveries.waitForStatuses('failed');
    await failingFor('59 hours');
    await checkFailures();
    expect(await mails()).toEqual([]);

    await failingFor('61 hours');
    await checkFailures();
    await checkFailures();
    const warningMails = ['ada', 'bob'].map((name) => ({ template: 'webhook_failing', recipient: `${name}@acme.example` }));
    expect(await mails()).toEqual(warningMails);
    expect(await shown()).toMatchObject({ enabled: true, metadata: { failureCount: 3 } });

    await failingFor('121 hours');
    await checkFailures();
    await checkFailures();
    const disabledMails = ['ada', 'bob'].map((name) => ({ template: 'webhook_disabled', recipient: `${name}@acme.example` }));
    expect(await mails()).toEqual([...warningMails, ...disabledMails]);
    expect(await shown()).toMatchObject({ enabled: false, disabledReason: 'failures', disabledAt: expect.any(String) });
    const mailbox = await (await fetch(`${app.url}/dev/mailbox`)).text();
    expect(mailbox).toContain('Webhook &quot;Billing&quot; of Acme disabled after repeated failures');
    expect(mailbox).toContain('Webhook „Billing“ von Acme nach wiederholten Fehlern deaktiviert');
    expect(mailbox).not.toContain('token=secret');

    await deliveries.createRoles();
    await deliveries.waitForStatuses('pending', 'failed');
    expect(receiver.requests).toHaveLength(3);
  });

  it('stays enabled if a delivery succeeds, or if the failures are shorter than 60 hours', async () => {
    await deliveries.createRoles();
    await deliveries.waitForStatuses('failed');
    await app.database.query(
      `UPDATE webhook_health SET failing_since = ${earlier('failing_since', "interval '6 days'")},
         last_delivery_at = ${earlier('last_delivery_at', "interval '5.9 days'")} WHERE webhook_id = $1`,
      [id],
    );
    await checkFailures();
    status = 200;
    await failingFor('6 days');
    await deliveries.createRoles();
    await deliveries.waitForStatuses('succeeded', 'failed');
    await checkFailures();
    expect(await mails()).toEqual([]);
    expect(await shown()).toMatchObject({ enabled: true, metadata: { failureCount: 0, successRate: 0.25 } });
  });

  it('receives one pending delivery every ten minutes, and all pending deliveries after a success', async () => {
    await deliveries.createRoles();
    await deliveries.waitForStatuses('failed');
    await failingFor('121 hours');
    await checkFailures();
    await deliveries.createRoles(3);
    await deliveries.waitForStatuses('pending', 'pending', 'pending', 'failed');
    await probe();
    await disabledFor('9 minutes');
    await probe();
    expect(receiver.requests).toHaveLength(3);

    await disabledFor('2 minutes');
    await Promise.all([probe(), probe()]);
    await receiver.waitFor(4, 5_000);
    await eventually(async () => (await shown()).metadata.failureCount === 4, 5_000, 'the failure is recorded');
    expect(await deliveries.statuses()).toEqual(['pending', 'pending', 'pending', 'failed']);
    expect(await shown()).toMatchObject({ enabled: false });
    await probe();

    status = 200;
    await disabledFor('11 minutes');
    await probe();
    await deliveries.waitForStatuses('succeeded', 'succeeded', 'succeeded', 'failed');
    expect(await shown()).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null, metadata: { failureCount: 0 } });
    expect(receiver.requests).toHaveLength(7);
    const sequences = receiver.requests.map(({ headers }) => Number(headers['webhook-sequence']));
    expect(sequences.slice(0, 5)).toEqual([1, 1, 1, 2, 2]);
    expect(sequences.slice(5).sort()).toEqual([3, 4]);
  });

  it('receives the pending deliveries after the deletion of its organization', async () => {
    const closing = at((await newOrganization(app)).id);
    ({ id } = await made(app, `${closing}/webhooks`, { url: receiver.url, events: ['role.created', 'organization.deleted'] }));
    await made(app, `${closing}/roles`, { name: 'first' });
    const waitForStoredStatuses = (...expected: string[]) =>
      eventually(async () => (await storedStatuses()).join() === expected.join(), 10_000, `deliveries ${expected.join(', ')}`);
    await waitForStoredStatuses('failed');
    await failingFor('121 hours');
    await checkFailures();
    await app.api.platform.delete(closing).expect(204);
    await waitForStoredStatuses('failed', 'pending');
    const { webhooks } = await app.app.get(HeldDeliveriesQuery).listWaiting(systemContext(newId('request')), undefined);
    expect(webhooks.filter(({ webhookId }) => webhookId === id)).toMatchObject([{ releasable: false }]);

    status = 200;
    await disabledFor('11 minutes');
    await probe();
    await waitForStoredStatuses('failed', 'succeeded');
    expect(receiver.requests).toHaveLength(4);
  });

  it('receives no deliveries while its organization is suspended, and all of them afterwards', async () => {
    const parent = (await newOrganization(app)).id;
    const child = at((await newOrganization(app, { parentId: parent })).id);
    ({ id } = await made(app, `${child}/webhooks`, { url: receiver.url, events: ['role.created', 'organization.updated'] }));
    // The retries of this delivery fall into the suspension.
    await made(app, `${child}/roles`, { name: 'first' });
    await eventually(async () => receiver.requests.length > 0, 10_000, 'the first attempt');
    await app.api.platform.post(`${child}/suspend`).expect(200);
    const waiting = async () =>
      (
        await app.database.query(
          `SELECT FROM deliveries WHERE webhook_id = $1 AND status = 'pending' AND next_attempt_at IS NULL`,
          [id],
        )
      ).length;
    await eventually(async () => (await waiting()) === 2, 10_000, 'both deliveries wait');
    const before = receiver.requests.length;
    status = 200;
    const list = async () =>
      (await app.app.get(HeldDeliveriesQuery).listWaiting(systemContext(newId('request')), undefined)).webhooks;
    expect((await list()).filter(({ webhookId }) => webhookId === id)).toMatchObject([{ releasable: false }]);
    expect(receiver.requests).toHaveLength(before);

    await app.api.platform.post(`${child}/activate`).expect(200);
    await eventually(async () => (await storedStatuses()).join() === 'succeeded,succeeded,succeeded', 15_000, 'all deliveries');
  });

  it('receives no pending deliveries after a user disabled the webhook or after a 410 response', async () => {
    status = 410;
    await deliveries.createRoles();
    await deliveries.waitForStatuses('failed');
    await eventually(async () => !(await shown()).enabled, 5_000, 'the webhook is disabled');
    expect(await shown()).toMatchObject({ disabledReason: 'gone' });
    expect((await mails()).map(({ template }) => template)).toEqual(['webhook_disabled', 'webhook_disabled']);
    await deliveries.createRoles();
    await deliveries.waitForStatuses('pending', 'failed');
    await disabledFor('1 day');
    await probe();
    await app.api.platform.patch(deliveries.webhook, { enabled: false }).expect(200);
    await deliveries.waitForStatuses('skipped', 'failed');
    await probe();
    expect(receiver.requests).toHaveLength(3);
  });
});

it('/metrics returns the number and the age of pending deliveries', async () => {
  await app.database.query('DELETE FROM deliveries');
  await app.api.platform.patch(deliveries.webhook, { enabled: false }).expect(200);
  await deliveries.createRoles();
  await deliveries.waitForStatuses('skipped');
  await app.database.query(
    `UPDATE deliveries SET status = 'pending', next_attempt_at = now() - interval '90 s', lease_until = now() + interval '1 hour'`,
  );
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  expect(metrics).toMatch(/^webhook_deliveries_due 1$/m);
  expect(metrics).toMatch(/^webhook_deliveries_pending 1$/m);
  expect(metrics).toMatch(/^webhook_oldest_due_seconds 9\d/m);
});
