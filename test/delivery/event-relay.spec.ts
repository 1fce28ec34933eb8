import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { WebhooksService } from '#webhooks/webhooks';
import { DueDeliveriesQuery } from '../../libs/webhooks/delivery/src/sweeping/due-deliveries.query.js';
import { HeldDeliveriesQuery, type WaitingWebhook } from '../../libs/webhooks/delivery/src/sweeping/held-deliveries.query.js';
import { startReceiver, testReceiver } from '../support/receiver.js';
import { testRedis } from '../support/redis.js';
import { deliveryTestService, eventually } from '../support/delivery-app.js';

/** More rows than a query of waiting deliveries or events reads at once. */
const LONG_BACKLOG = 1_200;
const HOUR_MS = 3_600_000;

const deliveryTest = deliveryTestService();
const redis = testRedis();
const receiver = testReceiver();

afterEach(async () => {
  await deliveryTest.reset();
  await redis.flush();
  receiver.requests.length = 0;
});

const waitForPositions = () =>
  eventually(
    async () => (await deliveryTest.rows('SELECT 1 FROM events WHERE position IS NULL')).length === 0,
    20_000,
    'all relayed',
  );

it('two concurrent relays assign positions and sequence numbers without gaps and create no delivery twice', async () => {
  const settings = { redisUrls: [redis.url] };
  const [app] = await Promise.all([deliveryTest.start(settings), deliveryTest.start(settings)]);
  const everything = await deliveryTest.createWebhook(app, { url: receiver.url });
  await deliveryTest.createWebhook(app, { url: receiver.url, events: ['role.*'] });
  await Promise.all([deliveryTest.publish(app, 400), deliveryTest.publish(app, 200, 'role.created')]);
  await eventually(async () => (await deliveryTest.statuses())['succeeded'] === 800, 40_000, 'all delivered');

  const positions = await deliveryTest.rows<{ position: string }>('SELECT position FROM events ORDER BY position');
  // The creation of the two webhooks published two events.
  expect(positions.map(({ position }) => Number(position))).toEqual(Array.from({ length: 602 }, (_, index) => index + 1));
  const sequences = await deliveryTest.rows<{ webhook_id: string; sequence: string }>(
    'SELECT webhook_id, sequence FROM deliveries ORDER BY sequence',
  );
  const sequencesOf = (id: string) =>
    sequences
      .filter(({ webhook_id: webhookId }) => (webhookId === everything.id) === (id === everything.id))
      .map(({ sequence }) => Number(sequence));
  expect(sequencesOf(everything.id)).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
  expect(sequencesOf('the other')).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  expect(receiver.requests).toHaveLength(800);
  const ids = receiver.requests.map(({ headers }) => `${String(headers['webhook-id'])} ${String(headers['webhook-sequence'])}`);
  expect(new Set(ids).size).toBeGreaterThanOrEqual(600);
});

it('the relay claims only the deliveries that its process can start immediately', async () => {
  const slow = await startReceiver((_, index) => ({ delayMs: index < 2 ? 2_000 : 0 }));
  const api = await deliveryTest.start({ role: 'api', redisUrls: [redis.url] });
  await deliveryTest.createWebhook(api, { url: slow.url });
  await deliveryTest.publish(api, 3);
  // The relay starts after all events, so that it reads them in one batch.
  await deliveryTest.start({ role: 'worker', redisUrls: [redis.url] });
  await eventually(() => slow.requests.length > 0, 20_000, 'the first attempts are in progress');
  // The relay claims deliveries in the transaction that sets the position. A new webhook gets only two slots until its first attempt ends.
  const claimedAsWritten = `SELECT d.id FROM deliveries d JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
    WHERE d.xmin = e.xmin AND d.lease_until > now()`;
  expect(await deliveryTest.rows(claimedAsWritten)).toHaveLength(2);
  await eventually(async () => (await deliveryTest.statuses())['succeeded'] === 3, 20_000, 'all delivered');
  expect(slow.requests).toHaveLength(3);
  expect(await deliveryTest.rows('SELECT 1 FROM deliveries WHERE lease_owner IS NOT NULL')).toEqual([]);
  await slow.stop();
});

it('the relay matches an event with the webhooks of its organization and its ancestors, in their state at the time of the event', async () => {
  const app = await deliveryTest.start();
  const child = await deliveryTest.insertChild(deliveryTest.organization);
  const grandchild = await deliveryTest.insertChild(child);
  const root = await deliveryTest.createWebhook(app, { url: receiver.url, includeDescendants: true });
  const withoutDescendants = await deliveryTest.createWebhook(app, { url: receiver.url });
  const own = await deliveryTest.createWebhook(app, { url: receiver.url }, child);

  await deliveryTest.publish(app, 1, 'user.created', grandchild);
  await deliveryTest.publish(app, 1, 'user.created', child);
  await deliveryTest.publish(app, 1, 'organization.created', child);
  await eventually(async () => (await deliveryTest.statuses())['succeeded'] === 6, 20_000, 'all delivered');
  const count = async (id: string) => (await deliveryTest.rows('SELECT 1 FROM deliveries WHERE webhook_id = $1', [id])).length;
  expect([await count(root.id), await count(withoutDescendants.id), await count(own.id)]).toEqual([3, 1, 2]);
});

it('the relay skips deliveries of events before the deletion of a webhook, and inserts none for later events', async () => {
  const api = await deliveryTest.start({ role: 'api', redisUrls: [redis.url] });
  const webhook = await deliveryTest.createWebhook(api, { url: receiver.url });
  await deliveryTest.publish(api);
  await api.get(WebhooksService).delete(deliveryTest.context(), webhook.id);
  await deliveryTest.publish(api);
  expect(await deliveryTest.statuses()).toEqual({});
  await deliveryTest.start({ role: 'worker', redisUrls: [redis.url] });
  await eventually(async () => (await deliveryTest.statuses())['skipped'] === 1, 20_000, 'skipped');
  await waitForPositions();
  expect(await deliveryTest.statuses()).toEqual({ skipped: 1 });
  expect(receiver.requests).toHaveLength(0);
});

it('deletes a webhook only after a relay that read the webhook before has committed', async () => {
  const api = await deliveryTest.start({ role: 'api' });
  const webhook = await deliveryTest.createWebhook(api, { url: receiver.url });
  const relay = await deliveryTest.sql.connect();
  await relay.query('BEGIN');
  await relay.query('SELECT FROM event_streams WHERE tenant_id = $1 FOR UPDATE', [deliveryTest.organization.tenantId]);
  let isDeleted = false;
  const deleted = api
    .get(WebhooksService)
    .delete(deliveryTest.context(), webhook.id)
    .then(() => (isDeleted = true));
  await eventually(
    async () => (await deliveryTest.rows('SELECT 1 FROM webhooks WHERE deleted_at IS NOT NULL')).length === 1,
    5_000,
    'the deletion is committed',
  );
  await sleep(200);
  expect(isDeleted).toBe(false);
  await relay.query('COMMIT');
  relay.release();
  await deleted;
});

it('finishes attempts in progress when a process stops, and releases attempts that exceed the shutdown timeout', async () => {
  const [slow, hanging] = await Promise.all([
    startReceiver(() => ({ delayMs: 500 })),
    startReceiver(() => ({ delayMs: 60_000 })),
  ]);
  const app = await deliveryTest.start({ shutdownTimeoutMs: 2_000 });
  for (const { url } of [slow, hanging]) await deliveryTest.createWebhook(app, { url });
  await deliveryTest.publish(app);
  for (const each of [slow, hanging]) await each.waitFor(1, 20_000);
  await deliveryTest.stop();
  expect(
    await deliveryTest.rows('SELECT status, lease_until IS NULL AS free, attempt_count FROM deliveries ORDER BY status'),
  ).toEqual([
    { status: 'pending', free: true, attempt_count: 0 },
    { status: 'succeeded', free: true, attempt_count: 1 },
  ]);
  await Promise.all([slow.stop(), hanging.stop()]);
});

it('sends the deletion of an organization to its webhooks, and no later event', async () => {
  const app = await deliveryTest.start();
  const child = await deliveryTest.insertChild(deliveryTest.organization);
  await deliveryTest.createWebhook(app, { url: receiver.url }, child);
  await deliveryTest.publish(app, 1, 'organization.deleted', child);
  await deliveryTest.sql.query(
    `WITH next AS (SELECT nextval('event_seq') AS seq)
     UPDATE organizations SET deleted_at = now(), deleted_seq = next.seq FROM next WHERE tenant_id = $1 AND id = $2`,
    [child.tenantId, child.id],
  );
  await deliveryTest.publish(app, 1, 'user.created', child);
  await eventually(async () => (await deliveryTest.statuses())['succeeded'] === 1, 20_000, 'delivered');
  await waitForPositions();
  const types = receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as { type: string }).type);
  expect(types).toEqual(['organization.deleted']);
});

it('records deliveries without reading earlier deliveries if the partition has no planner statistics', async () => {
  const earlierDeliveries = 6_000;
  const rowsRead = async (): Promise<number> => {
    const [row] = await deliveryTest.rows<{ count: string }>(
      `SELECT sum(seq_tup_read) AS count FROM pg_stat_user_tables WHERE relname LIKE 'deliveries%'`,
    );
    return Number(row!.count);
  };
  // A count of `deliveries` would itself read rows of deliveries.
  const waitForAttempts = (count: number) =>
    eventually(
      async () => (await deliveryTest.rows('SELECT FROM delivery_attempts')).length === count,
      30_000,
      'recorded attempts',
    );
  const app = await deliveryTest.start();
  await deliveryTest.createWebhook(app, { url: receiver.url });
  await deliveryTest.publish(app, 1);
  await waitForAttempts(1);
  const columns = await deliveryTest.rows<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_name = 'deliveries' AND is_generated = 'NEVER' AND column_name NOT IN ('id', 'webhook_id') ORDER BY 1`,
  );
  const others = columns.map(({ name }) => name).join(', ');
  await deliveryTest.sql.query(
    `INSERT INTO deliveries (id, webhook_id, ${others}) SELECT 'dlv_kept_' || n, 'wh_kept_' || n, ${others} FROM deliveries, generate_series(1, ${earlierDeliveries}) n`,
  );
  const before = await rowsRead();
  await deliveryTest.publish(app, 50);
  await waitForAttempts(51);
  // PostgreSQL updates the statistics of a connection when the connection ends.
  await deliveryTest.stop();
  expect((await rowsRead()) - before).toBeLessThan(earlierDeliveries);
});

it('finds each webhook with waiting deliveries once, however many deliveries wait', async () => {
  const app = await deliveryTest.start({ role: 'api' });
  const counts = { 't1/a': 1, 't1/long': LONG_BACKLOG, 't1/z': 2, 't2/a': 499, 't2/b': 1, 't3/a': 500, 't4/long': LONG_BACKLOG };
  for (const [key, count] of Object.entries(counts)) {
    const [tenantId, webhookId] = key.split('/');
    await deliveryTest.sql.query(
      `INSERT INTO deliveries (tenant_id, event_id, id, webhook_id, organization_id, event_type, created_at)
       SELECT $1, $1 || $2 || number, $1 || $2 || number, $2, $1, 'user.created', now() FROM generate_series(1, $3::int) AS number`,
      [tenantId, webhookId, count],
    );
  }
  const held = app.get(HeldDeliveriesQuery, { strict: false });
  const found: string[] = [];
  for (let after: WaitingWebhook | undefined, isComplete = false; !isComplete;) {
    const page = await held.listWaiting(deliveryTest.context(), after);
    found.push(...page.webhooks.map(({ tenantId, webhookId }) => `${tenantId}/${webhookId}`));
    after = page.webhooks.at(-1);
    ({ isComplete } = page);
  }
  expect(found).toEqual(Object.keys(counts));
});

it('measures the age of the oldest event in the outbox, even if other tenants have many events', async () => {
  const app = await deliveryTest.start({ role: 'api' });
  const ages = { t1: [LONG_BACKLOG, HOUR_MS], t2: [1, 3 * HOUR_MS], t3: [LONG_BACKLOG, 2 * HOUR_MS] };
  const backlog = () => app.get(DueDeliveriesQuery, { strict: false }).backlog(deliveryTest.context());
  expect((await backlog()).outboxLagMs).toBe(0);
  for (const [tenantId, [count, ageMs]] of Object.entries(ages)) {
    await deliveryTest.sql.query(
      `INSERT INTO events (tenant_id, id, type, organization_id, actor_type, payload, payload_digest, occurred_at, created_at)
       SELECT $1, $1 || number, 'user.created', $1, 'system', '{}', '', now(), now() - $3::float8 * interval '1 ms'
       FROM generate_series(1, $2::int) AS number`,
      [tenantId, count, ageMs],
    );
  }
  expect((await backlog()).outboxLagMs / (3 * HOUR_MS)).toBeCloseTo(1, 1);
});
