import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import type { OrganizationScope } from '#platform/common';
import { quantile } from '../support/quantile.js';
import { startReceiver, testReceiver } from '../support/receiver.js';
import { testRedis } from '../support/redis.js';
import { deliveryTestService, eventually } from '../support/delivery-app.js';

const LONG = process.env['LONG'] === '1';
const EVENTS = LONG ? 2_000 : 200;
/** Number of events for 100 webhooks. */
const FANNED_OUT = LONG ? 200 : 20;
const WAITING = LONG ? 5_000 : 1_000;
/** Latencies below this value can be noise of a busy machine. */
const NOISE_MS = 500;
/** The median time to the first attempt while nothing else is delivered. */
const ALONE_MS = 200;

const deliveryTest = deliveryTestService();
const redis = testRedis();
const healthy = testReceiver();
const hanging = testReceiver(() => ({ delayMs: 120_000 }));

afterEach(async () => {
  await deliveryTest.reset();
  for (const receiver of [healthy, hanging]) receiver.requests.length = 0;
});

describe.each(['in-process', 'bull'] as const)('the %s queue', (kind) => {
  const redisUrls = () => (kind === 'bull' ? [redis.url] : []);

  it('delays no destination if another destination never responds', async () => {
    const app = await deliveryTest.start({ redisUrls: redisUrls(), webhookTimeoutMs: 5_000, shutdownTimeoutMs: 500 });
    await deliveryTest.createWebhook(app, { url: healthy.url, events: ['user.created'] });
    await healthyLatenciesMs(app, 10);
    const alone = await healthyLatenciesMs(app, EVENTS);
    expect(quantile(alone, 0.5)).toBeLessThan(ALONE_MS);

    // 100 destinations never respond. One of them has many waiting deliveries.
    for (let count = 0; count < 100; count++) {
      const child = await deliveryTest.insertChild(deliveryTest.organization);
      await deliveryTest.createWebhook(app, { url: `${hanging.url}${count}`, events: ['role.created'] }, child);
      await deliveryTest.publish(app, count === 0 ? WAITING : 5, 'role.created', child);
    }
    await eventually(() => new Set(hanging.requests.map(({ path }) => path)).size === 100, 30_000, 'all have attempts');
    await eventually(
      async () => (await deliveryTest.rows('SELECT FROM events WHERE position IS NULL LIMIT 1')).length === 0,
      30_000,
      'all relayed',
    );
    const beside = await healthyLatenciesMs(app, EVENTS);
    const max = Math.max(...beside);
    process.stdout.write(
      `p99 (${kind}): ${p99(alone)} ms alone, ${p99(beside)} ms beside 100 dead destinations, max ${max} ms\n`,
    );
    expect(p99(beside)).toBeLessThan(Math.max(3 * p99(alone), NOISE_MS));
    expect(max).toBeLessThan(2_000);
    expect(hanging.requests.filter(({ path }) => path === '/0').length).toBeLessThan(20);
  }, 180_000);

  it('keeps a low p99 latency of 100 healthy destinations beside a dead and a slow destination', async () => {
    const slow = await startReceiver(() => ({ delayMs: 1_000 }));
    const app = await deliveryTest.start({ redisUrls: redisUrls(), shutdownTimeoutMs: 500 });
    const child = await deliveryTest.insertChild(deliveryTest.organization);
    const grandchild = await deliveryTest.insertChild(child);
    const subscription = { events: ['user.created'], includeDescendants: true };
    // An organization can have at most 50 webhooks.
    for (const organization of [deliveryTest.organization, child])
      for (let index = 0; index < 50; index++)
        await deliveryTest.createWebhook(app, { ...subscription, url: `${healthy.url}/${index}` }, organization);
    await fannedOutLatenciesMs(app, grandchild, 20);
    const alone = await fannedOutLatenciesMs(app, grandchild, FANNED_OUT);
    for (const { url } of [hanging, slow]) await deliveryTest.createWebhook(app, { ...subscription, url }, grandchild);
    await fannedOutLatenciesMs(app, grandchild, 20);
    const beside = await fannedOutLatenciesMs(app, grandchild, FANNED_OUT);
    process.stdout.write(
      `p99 of 100 (${kind}): ${p99(alone)} ms alone, ${p99(beside)} ms beside a dead and a slow destination\n`,
    );
    expect(hanging.requests.length).toBeGreaterThan(0);
    expect(slow.requests.length).toBeGreaterThan(0);
    expect(p99(beside)).toBeLessThan(Math.max(1.5 * p99(alone), NOISE_MS));
    await slow.stop();
  }, 180_000);
});

/** Publishes an event for 100 webhooks every 100 ms. Returns the time from each event to each of its requests, in milliseconds. */
async function fannedOutLatenciesMs(
  app: INestApplicationContext,
  organization: OrganizationScope,
  count: number,
): Promise<number[]> {
  const before = healthy.requests.length;
  for (let published = 0; published < count; published++) {
    await deliveryTest.publish(app, 1, 'user.created', organization);
    await sleep(100);
  }
  const received = (await healthy.waitFor(before + count * 100, 60_000)).slice(before);
  return received.map(
    ({ body, receivedAt }) => receivedAt - Date.parse((JSON.parse(body.toString()) as { timestamp: string }).timestamp),
  );
}

/** Publishes events sequentially. Returns the time from the publication to the arrival of each event, in milliseconds. */
async function healthyLatenciesMs(app: INestApplicationContext, count: number): Promise<number[]> {
  const before = healthy.requests.length;
  const published: number[] = [];
  for (let made = 0; made < count; made++) {
    published.push(Date.now());
    await deliveryTest.publish(app);
  }
  const received = (await healthy.waitFor(before + count, 60_000)).slice(before);
  const at = new Map(received.map(({ headers, receivedAt }) => [Number(headers['webhook-sequence']), receivedAt]));
  const first = Math.min(...at.keys());
  return published.map((publishedAt, index) => at.get(first + index)! - publishedAt);
}

const p99 = (latenciesMs: readonly number[]): number => quantile(latenciesMs, 0.99);
