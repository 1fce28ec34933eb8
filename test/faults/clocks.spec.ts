import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { TestClient } from '../support/http-client.js';
import { type ReceivedRequest, startReceiver } from '../support/receiver.js';
import { startRedis } from '../support/redis.js';
import { TestService } from '../support/service-process.js';

const SCHEDULE_MS = [2_000, 4_000];
const USERS = 20;
const LATE_MS = 2_000;
const MINUTES_MS = 60_000;
const LIMIT_MS = 180_000;

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Starts an API with the first clock offset and one worker for each remaining offset. */
async function startService([apiOffsetMs = 0, ...workerOffsetsMs]: readonly number[]): Promise<TestClient> {
  const redis = await startRedis();
  cleanups.push(() => redis.stop());
  const service = await TestService.create({
    DATABASE_POOL_SIZE: '5',
    REDIS_URL: redis.url,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_RETRY_SCHEDULE: SCHEDULE_MS.map((ms) => `${ms}ms`).join(','),
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'wrong-clock.mjs')}`,
  });
  cleanups.push(() => service.stop());
  await service.start({ CLOCK_OFFSET_MS: String(apiOffsetMs), ROLE: 'api' });
  for (const offsetMs of workerOffsetsMs) await service.start({ CLOCK_OFFSET_MS: String(offsetMs), ROLE: 'worker', PORT: '0' });
  return service.client;
}

/** Groups the requests by event, in the order of their arrival. */
function groupByEvent(requests: readonly ReceivedRequest[]): ReceivedRequest[][] {
  const requestsByEvent = new Map<string, ReceivedRequest[]>();
  for (const request of requests) {
    const { id } = JSON.parse(request.body.toString()) as { id: string };
    requestsByEvent.set(id, [...(requestsByEvent.get(id) ?? []), request]);
  }
  return [...requestsByEvent.values()];
}

/** The clock offsets of the API and of the workers, in milliseconds. The short run has only the first case. */
const CASES: readonly (readonly [string, readonly number[]])[] = [
  ['one of two workers: +10 min', [0, 10 * MINUTES_MS, 0]],
  ['API: +10 min', [10 * MINUTES_MS, 0]],
  ['one of two workers: −10 min', [0, -10 * MINUTES_MS, 0]],
  ['worker: +10 min', [0, 10 * MINUTES_MS]],
  ['worker: −10 min', [0, -10 * MINUTES_MS]],
  ['API: −10 min', [-10 * MINUTES_MS, 0]],
];

describe.each(process.env['LONG'] === '1' ? CASES : CASES.slice(0, 1))('a wrong clock (%s)', (name, offsetsMs) => {
  it(
    'does not change the schedule of deliveries',
    async () => {
      const receiver = await startReceiver(() => ({ status: 500 }));
      cleanups.push(() => receiver.stop());
      const client = await startService(offsetsMs);
      await client.post('/v1/organizations', { name: 'Acme' }).expect(201);
      await client.post('/v1/organizations/acme/webhooks', { url: receiver.url, events: ['user.created'] }).expect(201);
      for (let index = 0; index < USERS; index++)
        await client.post('/v1/organizations/acme/users', { email: `u${index}@example.com` }).expect(201);
      const requests = await receiver.waitFor(USERS * (SCHEDULE_MS.length + 1), LIMIT_MS / 3);

      const latenessMs = groupByEvent(requests).flatMap((attempts) =>
        attempts.slice(1).map(({ receivedAt }, index) => receivedAt - attempts[index]!.receivedAt - SCHEDULE_MS[index]!),
      );
      process.stdout.write(`${name}: late by at most ${Math.max(...latenessMs)} ms\n`);
      expect(latenessMs).toHaveLength(USERS * SCHEDULE_MS.length);
      expect(Math.min(...latenessMs)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...latenessMs)).toBeLessThan(LATE_MS);
      const wrongTimes = requests.filter(({ headers, receivedAt }) => {
        const [, seconds] = /^t=(\d+)/.exec(String(headers['service-signature'])) ?? [];
        return !(Math.abs(Number(seconds) * 1_000 - receivedAt) < LATE_MS);
      });
      expect(wrongTimes).toEqual([]);
    },
    LIMIT_MS,
  );
});
