import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, systemContext } from '#platform/common';
import { FailureWatch } from '../../libs/webhooks/delivery/src/alerts/failure-watch.js';
import { HeldDeliveriesQuery } from '../../libs/webhooks/delivery/src/sweeping/held-deliveries.query.js';
import { testReceiver } from '../support/receiver.js';
import { eventually } from '../support/delivery-app.js';
import { testApp } from '../support/test-app.js';

const HOOKS = '/v1/organizations/acme/webhooks';
const TEN_MINUTES_MS = 600_000;

const app = testApp({ webhookRetryScheduleMs: [100, 100] });
let status: number;
const receiver = testReceiver(() => ({ status }));
let webhook: string;
let id: string;
let roles = 0;

const post = (path: string, body: object = {}) => app.api.platform.post(path, body);
const shown = async () => (await app.api.platform.get(webhook).expect(200)).body.data;
const statuses = async (): Promise<string[]> =>
  (await app.api.platform.get(`${webhook}/deliveries?limit=100`).expect(200)).body.data.map(
    (delivery: { status: string }) => delivery.status,
  );
const storedStatuses = async (): Promise<string[]> =>
  (await app.database.query<{ status: string }>('SELECT status FROM deliveries WHERE webhook_id = $1 ORDER BY id', [id])).map(
    (delivery) => delivery.status,
  );
const createRole = () => post('/v1/organizations/acme/roles', { name: `role-${++roles}`, permissions: [] }).expect(201);
const waitForStatuses = (expected: string[]) =>
  eventually(
    async () => JSON.stringify(await statuses()) === JSON.stringify(expected),
    10_000,
    `deliveries ${expected.join(', ')}`,
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
  await post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
  for (const [name, role] of Object.entries({ ada: 'owner', bob: 'owner', eve: 'admin', old: 'owner' }))
    await post('/v1/organizations/acme/users', { email: `${name}@acme.example`, roles: [role] }).expect(201);
  const userNamed = async (name: string): Promise<string> =>
    (await app.api.platform.get(`/v1/organizations/acme/users?search=${name}`).expect(200)).body.data[0].id;
  await post(`/v1/organizations/acme/users/${await userNamed('old')}/suspend`).expect(200);
  await app.api.platform.patch(`/v1/organizations/acme/users/${await userNamed('bob')}`, { locale: 'de' }).expect(200);
});
beforeEach(async () => {
  status = 500;
  receiver.requests.length = 0;
  const made = await post(HOOKS, { url: `${receiver.url}?token=secret`, events: ['role.created'], name: 'Billing' }).expect(201);
  ({ id } = made.body.data);
  webhook = `${HOOKS}/${id}`;
  await app.database.query('DELETE FROM messages');
});
afterEach(() => app.api.platform.delete(webhook));

describe('webhook with only failed deliveries', () => {
  it('emails the owners once after 60 hours, and once when the webhook is disabled after 120 hours', async () => {
    await createRole();
    await waitForStatuses(['failed']);
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

    await createRole();
    await waitForStatuses(['pending', 'failed']);
    expect(receiver.requests).toHaveLength(3);
  });

  it('stays enabled if a delivery succeeds, or if the failures are shorter than 60 hours', async () => {
    await createRole();
    await waitForStatuses(['failed']);
    await app.database.query(
      `UPDATE webhook_health SET failing_since = ${earlier('failing_since', "interval '6 days'")},
         last_delivery_at = ${earlier('last_delivery_at', "interval '5.9 days'")} WHERE webhook_id = $1`,
      [id],
    );
    await checkFailures();
    status = 200;
    await failingFor('6 days');
    await createRole();
    await waitForStatuses(['succeeded', 'failed']);
    await checkFailures();
    expect(await mails()).toEqual([]);
    expect(await shown()).toMatchObject({ enabled: true, metadata: { failureCount: 0, successRate: 0.25 } });
  });

  it('receives one pending delivery every ten minutes, and all pending deliveries after a success', async () => {
    await createRole();
    await waitForStatuses(['failed']);
    await failingFor('121 hours');
    await checkFailures();
    for (let count = 0; count < 3; count++) await createRole();
    await waitForStatuses(['pending', 'pending', 'pending', 'failed']);
    await probe();
    await disabledFor('9 minutes');
    await probe();
    expect(receiver.requests).toHaveLength(3);

    await disabledFor('2 minutes');
    await Promise.all([probe(), probe()]);
    await receiver.waitFor(4, 5_000);
    await eventually(async () => (await shown()).metadata.failureCount === 4, 5_000, 'the failure is recorded');
    expect(await statuses()).toEqual(['pending', 'pending', 'pending', 'failed']);
    expect(await shown()).toMatchObject({ enabled: false });
    await probe();

    status = 200;
    await disabledFor('11 minutes');
    await probe();
    await waitForStatuses(['succeeded', 'succeeded', 'succeeded', 'failed']);
    expect(await shown()).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null, metadata: { failureCount: 0 } });
    expect(receiver.requests).toHaveLength(7);
    const sequences = receiver.requests.map(({ headers }) => Number(headers['webhook-sequence']));
    expect(sequences.slice(0, 5)).toEqual([1, 1, 1, 2, 2]);
    expect(sequences.slice(5).sort()).toEqual([3, 4]);
  });

  it('receives the pending deliveries after the deletion of its organization', async () => {
    const made = await post('/v1/organizations', { name: 'Closing' }).expect(201);
    const closing = `/v1/organizations/${made.body.data.id}`;
    const added = await post(`${closing}/webhooks`, { url: receiver.url, events: ['role.created', 'organization.deleted'] });
    ({ id } = added.body.data);
    await post(`${closing}/roles`, { name: 'first', permissions: [] }).expect(201);
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

  it('receives no pending deliveries after a user disabled the webhook or after a 410 response', async () => {
    status = 410;
    await createRole();
    await waitForStatuses(['failed']);
    await eventually(async () => !(await shown()).enabled, 5_000, 'the webhook is disabled');
    expect(await shown()).toMatchObject({ disabledReason: 'gone' });
    expect((await mails()).map(({ template }) => template)).toEqual(['webhook_disabled', 'webhook_disabled']);
    await createRole();
    await waitForStatuses(['pending', 'failed']);
    await disabledFor('1 day');
    await probe();
    await app.api.platform.patch(webhook, { enabled: false }).expect(200);
    await waitForStatuses(['skipped', 'failed']);
    await probe();
    expect(receiver.requests).toHaveLength(3);
  });
});

it('/metrics returns the number and the age of pending deliveries', async () => {
  await app.database.query('DELETE FROM deliveries');
  await app.api.platform.patch(webhook, { enabled: false }).expect(200);
  await createRole();
  await waitForStatuses(['skipped']);
  await app.database.query(
    `UPDATE deliveries SET status = 'pending', next_attempt_at = now() - interval '90 s', lease_until = now() + interval '1 hour'`,
  );
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  expect(metrics).toMatch(/^webhook_deliveries_due 1$/m);
  expect(metrics).toMatch(/^webhook_deliveries_pending 1$/m);
  expect(metrics).toMatch(/^webhook_oldest_due_seconds 9\d/m);
});
