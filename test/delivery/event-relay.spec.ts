import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { newId, type OrganizationScope } from '#platform/common';
import { WebhooksService } from '#webhooks/webhooks';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type RedisServer, startRedis } from '../support/redis.js';
import { DeliveryTestService, eventually } from '../support/delivery-app.js';

let redis: RedisServer;
let world: DeliveryTestService;
let receiver: Receiver;

beforeAll(async () => {
  [redis, world, receiver] = await Promise.all([startRedis(), DeliveryTestService.create(), startReceiver()]);
});
afterEach(async () => {
  await world.stop();
  await world.sql.query(
    'TRUNCATE events, deliveries, delivery_attempts, webhooks, webhook_health, webhook_daily_stats, webhook_sequences; UPDATE event_streams SET last_position = 0',
  );
  await redis.flush();
  receiver.requests.length = 0;
});
afterAll(async () => {
  await world.drop();
  await receiver.stop();
  await redis.stop();
});

const childOf = (parent: OrganizationScope): OrganizationScope => {
  const id = newId('organization');
  return { ...parent, id, name: 'Below', slug: id.slice(-20), ancestorIds: [...parent.ancestorIds, parent.id] };
};

it('two concurrent relays assign positions and sequence numbers without gaps and create no delivery twice', async () => {
  const settings = { redisUrls: [redis.url] };
  const [one] = await Promise.all([world.start(settings), world.start(settings)]);
  const everything = await world.createWebhook(one, { url: receiver.url });
  await world.createWebhook(one, { url: receiver.url, events: ['role.*'] });
  await Promise.all([world.publish(one, 400), world.publish(one, 200, 'role.created')]);
  await eventually(async () => (await world.statuses())['succeeded'] === 800, 40_000, 'all delivered');

  const positions = await world.rows<{ position: string }>('SELECT position FROM events ORDER BY position');
  // Two events are from the creation of the webhooks.
  expect(positions.map(({ position }) => Number(position))).toEqual(Array.from({ length: 602 }, (_, index) => index + 1));
  const sequences = await world.rows<{ webhook_id: string; sequence: string }>(
    'SELECT webhook_id, sequence FROM deliveries ORDER BY sequence',
  );
  const of = (id: string) =>
    sequences
      .filter(({ webhook_id: webhookId }) => (webhookId === everything.id) === (id === everything.id))
      .map(({ sequence }) => Number(sequence));
  expect(of(everything.id)).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
  expect(of('the other')).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  expect(receiver.requests).toHaveLength(800);
  const ids = receiver.requests.map(({ headers }) => `${String(headers['webhook-id'])} ${String(headers['webhook-sequence'])}`);
  expect(new Set(ids).size).toBeGreaterThanOrEqual(600);
});

it('the relay claims deliveries that its process can start immediately, and leaves the other deliveries to any worker', async () => {
  const slow = await startReceiver((_, index) => ({ delayMs: index === 0 ? 2_000 : 0 }));
  const app = await world.start();
  await world.createWebhook(app, { url: slow.url });
  await world.publish(app, 3);
  await eventually(() => slow.requests.length > 0, 20_000, 'the first is under way');
  // The relay sets the position in the same transaction. An unknown webhook gets only one slot until its first attempt ends.
  const claimedAsWritten = `SELECT d.id FROM deliveries d JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
    WHERE d.xmin = e.xmin AND d.lease_until > now()`;
  expect(await world.rows(claimedAsWritten)).toHaveLength(1);
  await eventually(async () => (await world.statuses())['succeeded'] === 3, 20_000, 'all delivered');
  expect(slow.requests).toHaveLength(3);
  expect(await world.rows('SELECT 1 FROM deliveries WHERE lease_owner IS NOT NULL')).toEqual([]);
  await slow.stop();
});

it('matches webhooks by their state at the time of the event, including webhooks of ancestor organizations', async () => {
  const app = await world.start();
  const child = childOf(world.organization);
  const grandchild = childOf(child);
  for (const organization of [child, grandchild]) await world.insertOrganization(organization);
  const root = await world.createWebhook(app, { url: receiver.url, includeDescendants: true });
  const aloof = await world.createWebhook(app, { url: receiver.url });
  const own = await world.createWebhook(app, { url: receiver.url }, child);

  await world.publish(app, 1, 'user.created', grandchild);
  await world.publish(app, 1, 'user.created', child);
  await world.publish(app, 1, 'organization.created', child);
  await eventually(async () => (await world.statuses())['succeeded'] === 6, 20_000, 'all delivered');
  const count = async (id: string) => (await world.rows('SELECT 1 FROM deliveries WHERE webhook_id = $1', [id])).length;
  expect([await count(root.id), await count(aloof.id), await count(own.id)]).toEqual([3, 1, 2]);
});

it('inserts skipped deliveries for events before the deletion of a webhook, and no deliveries for later events', async () => {
  const api = await world.start({ role: 'api', redisUrls: [redis.url] });
  const webhook = await world.createWebhook(api, { url: receiver.url });
  await world.publish(api);
  await api.get(WebhooksService).delete(world.context(), webhook.id);
  await world.publish(api);
  expect(await world.statuses()).toEqual({});
  await world.start({ role: 'worker', redisUrls: [redis.url] });
  await eventually(async () => (await world.statuses())['skipped'] === 1, 20_000, 'skipped');
  await eventually(
    async () => (await world.rows('SELECT 1 FROM events WHERE position IS NULL')).length === 0,
    20_000,
    'all relayed',
  );
  expect(await world.statuses()).toEqual({ skipped: 1 });
  expect(receiver.requests).toHaveLength(0);
});

it('sends the deletion of an organization to its webhooks, and no later event', async () => {
  const app = await world.start();
  const child = childOf(world.organization);
  await world.insertOrganization(child);
  await world.createWebhook(app, { url: receiver.url }, child);
  await world.publish(app, 1, 'organization.deleted', child);
  await world.sql.query(`UPDATE organizations SET deleted_at = now(), deleted_seq = nextval('event_seq') WHERE id = $1`, [
    child.id,
  ]);
  await world.publish(app, 1, 'user.created', child);
  await eventually(async () => (await world.statuses())['succeeded'] === 1, 20_000, 'told');
  await eventually(
    async () => (await world.rows('SELECT 1 FROM events WHERE position IS NULL')).length === 0,
    20_000,
    'all relayed',
  );
  expect(receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as { type: string }).type)).toEqual([
    'organization.deleted',
  ]);
});
