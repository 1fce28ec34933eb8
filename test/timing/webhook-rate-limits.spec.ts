import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { deliveryTestService, eventually } from '../support/delivery-app.js';
import { testReceiver } from '../support/receiver.js';
import { testRedis } from '../support/redis.js';
import { sized } from '../support/test-size.js';

const PER_SECOND = 20;
/** The number of deliveries. */
const EVENTS = sized(100, 100, 240);
const EVEN_MS = (EVENTS / PER_SECOND) * 1_000;
/** The maximum time by which a delivery can be earlier than at an even rate. */
const AHEAD_MS = 500;
/** The maximum deviation between the start and the arrival of an attempt on a busy machine. */
const JITTER_MS = 500;

const deliveryTest = deliveryTestService();
const redis = testRedis();
const limited = testReceiver();
const healthy = testReceiver();

afterEach(async () => {
  await deliveryTest.reset();
  for (const receiver of [limited, healthy]) receiver.requests.length = 0;
});

/** Returns the maximum number of arrivals in a range of `rangeMs`. */
function maxArrivalsWithin(timesMs: readonly number[], rangeMs: number): number {
  return Math.max(...timesMs.map((at) => timesMs.filter((other) => other >= at && other < at + rangeMs).length));
}

describe.each(['in-process', 'bull'] as const)('a rate limit (%s queue)', (kind) => {
  it('is enforced across two workers', async () => {
    const settings = { redisUrls: kind === 'bull' ? [redis.url] : [] };
    const [app] = await Promise.all([deliveryTest.start(settings), deliveryTest.start(settings)]);
    await deliveryTest.createWebhook(app, { url: limited.url, events: ['role.created'], rateLimit: PER_SECOND });
    await deliveryTest.createWebhook(app, { url: healthy.url, events: ['user.created'] });
    await deliveryTest.publish(app, EVENTS, 'role.created');
    await limited.waitFor(1, 5_000);

    const latenciesMs: number[] = [];
    for (let round = 1; round <= 20; round++) {
      const at = Date.now();
      await deliveryTest.publish(app);
      latenciesMs.push((await healthy.waitFor(round, 5_000))[round - 1]!.receivedAt - at);
      await sleep(100);
    }
    await limited.waitFor(EVENTS, EVEN_MS * 2 + 10_000);
    await eventually(async () => (await deliveryTest.statuses())['succeeded'] === EVENTS + 20, 5_000, 'all recorded');

    const timesMs = limited.requests.map(({ receivedAt }) => receivedAt);
    const tookMs = timesMs.at(-1)! - timesMs[0]!;
    const maxArrivals = maxArrivalsWithin(timesMs, 3_000);
    process.stdout.write(
      `${kind}: ${EVENTS} deliveries at ${PER_SECOND}/s took ${tookMs} ms, at most ${maxArrivals} within 3 s; beside it at most ${Math.max(...latenciesMs)} ms\n`,
    );
    expect(tookMs).toBeGreaterThan(EVEN_MS - AHEAD_MS - JITTER_MS);
    // The service does not use slots later that a stalled machine missed.
    expect(tookMs).toBeLessThan(EVEN_MS * 2);
    expect(maxArrivals).toBeLessThanOrEqual((PER_SECOND * (3_000 + AHEAD_MS + JITTER_MS)) / 1_000 + 1);
    expect(Math.max(...latenciesMs)).toBeLessThan(2_000);
    expect(new Set(limited.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(EVENTS);
    expect(limited.requests).toHaveLength(EVENTS);
    expect(await deliveryTest.rows('SELECT 1 FROM deliveries WHERE attempt_count <> 1')).toEqual([]);
  });
});
