import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type RedisServer, startRedis } from '../support/redis.js';
import { DeliveryWorld, eventually } from './delivery-app.js';

let redis: RedisServer;
let world: DeliveryWorld;
let hanging: Receiver;
let healthy: Receiver;

beforeAll(async () => {
  [redis, world, healthy, hanging] = await Promise.all([
    startRedis(),
    DeliveryWorld.create(),
    startReceiver(),
    startReceiver(() => ({ delayMs: 120_000 })),
  ]);
});
afterEach(async () => {
  await world.stop();
  await world.sql.query(
    'TRUNCATE events, deliveries, delivery_attempts, webhooks, webhook_health, webhook_daily_stats, webhook_sequences',
  );
  for (const receiver of [healthy, hanging]) receiver.requests.length = 0;
});
afterAll(async () => {
  await world.drop();
  await Promise.all([healthy.stop(), hanging.stop(), redis.stop()]);
});

describe.each(['in-process', 'bull'] as const)('with the %s queue', (kind) => {
  it('a destination that never answers delays nobody else', async () => {
    const app = await world.start({
      redisUrls: kind === 'bull' ? [redis.url] : [],
      webhookTimeoutMs: 2_000,
      shutdownTimeoutMs: 500,
    });
    await world.createWebhook(app, { url: hanging.url, events: ['role.created'] });
    await world.publish(app, 1_000, 'role.created');
    await eventually(async () => (await world.statuses())['pending'] === 1_000, 10_000, 'all relayed');
    await hanging.waitFor(4, 3_000);

    await world.createWebhook(app, { url: healthy.url, events: ['user.created'] });
    const latencies: number[] = [];
    for (let round = 1; round <= 50; round++) {
      const at = Date.now();
      await world.publish(app);
      const requests = await healthy.waitFor(round, 5_000);
      latencies.push(requests[round - 1]!.receivedAt - at);
    }
    latencies.sort((a, b) => a - b);
    process.stdout.write(`beside a hanging destination (${kind}): p50 ${latencies[25]} ms, max ${latencies[49]} ms\n`);
    expect(latencies[49]).toBeLessThan(2_000);
    expect(hanging.requests.length).toBeLessThan(20);
  });
});

it('delivers while Redis is away, and when it is killed and comes back', async () => {
  const server = await startRedis();
  const app = await world.start({ redisUrls: [server.url], webhookRetryScheduleMs: [1_000] });
  await world.createWebhook(app, { url: healthy.url });
  await world.publish(app, 20);
  await server.kill('SIGKILL');
  await world.publish(app, 20);
  await eventually(async () => (await world.statuses())['succeeded'] === 40, 15_000, 'all delivered without Redis');
  const back = await startRedis({ port: server.port });
  await world.publish(app, 20);
  await eventually(async () => (await world.statuses())['succeeded'] === 60, 15_000, 'all delivered');
  const at = performance.now();
  await world.stop();
  expect(performance.now() - at).toBeLessThan(5_000);
  await back.stop();
});
