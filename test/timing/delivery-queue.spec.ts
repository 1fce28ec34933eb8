import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import Bull from 'bull';
import { Redis } from 'ioredis';
import { newId } from '#platform/common';
import {
  bullConnections,
  BullDeliveryQueue,
  bullSettings,
  type DeliveryJob,
  type DeliveryQueue,
  InProcessDeliveryQueue,
  jobIdOf,
} from '../../libs/webhooks/delivery/src/queue/index.js';
import { findFreePort } from '../support/free-port.js';
import { type RedisServer, startRedis } from '../support/redis.js';
import { eventually } from '../support/delivery-app.js';

const job = (changes: Partial<DeliveryJob> = {}): DeliveryJob => ({
  tenantId: 'org_1',
  eventId: newId('event'),
  deliveryId: newId('delivery'),
  webhookId: 'wh_1',
  generation: 0,
  attempt: 1,
  ...changes,
});

function bullQueue(url: string): DeliveryQueue {
  const connections = bullConnections([url]);
  return new BullDeliveryQueue(new Bull('deliveries', bullSettings(connections, 'service')), connections);
}

let redis: RedisServer;
const open: DeliveryQueue[] = [];
const closeAfterTest = <Q extends DeliveryQueue>(queue: Q): Q => {
  open.push(queue);
  return queue;
};

beforeAll(async () => {
  redis = await startRedis();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((queue) => queue.close()));
  await redis.flush();
});
afterAll(() => redis.stop());

describe.each([
  ['in-process', () => new InProcessDeliveryQueue()],
  ['bull', () => bullQueue(redis.url)],
] as const)('delivery queue (%s)', (name, createQueue) => {
  /** Returns a queue. A queue on Redis is connected. */
  const readyQueue = async (): Promise<DeliveryQueue> => {
    const queue = closeAfterTest(createQueue());
    await eventually(
      () =>
        queue.check().then(
          () => true,
          () => false,
        ),
      3_000,
      'the queue is ready',
    );
    return queue;
  };

  it('processes each job once, unchanged', async () => {
    const queue = await readyQueue();
    const processed: DeliveryJob[] = [];
    queue.process(4, async (received) => void processed.push(received));
    const jobs = [job(), job({ attempt: 3, generation: 2 }), job()];
    expect(await queue.add(jobs)).toBe(3);
    await eventually(() => processed.length === 3, 2_000, 'all jobs are processed');
    await sleep(50);
    expect(processed.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))).toEqual(jobs);
  });

  it('accepts jobs before processing starts', async () => {
    const queue = await readyQueue();
    await queue.add(Array.from({ length: 600 }, () => job()));
    // On Redis, many jobs with an equal due time share one Bull job.
    expect(await queue.waitingCount()).toBe(name === 'bull' ? 12 : 600);
    const processed = new Set<string>();
    queue.process(16, async ({ deliveryId }) => void processed.add(deliveryId));
    await eventually(() => processed.size === 600, 10_000, 'all jobs are processed');
    await eventually(async () => (await queue.waitingCount()) === 0, 1_000, 'no job waits');
  });

  it('processes delayed jobs in the order of their due times and never early', async () => {
    const queue = await readyQueue();
    const lateness: number[] = [];
    const order: number[] = [];
    const addedAt = performance.now();
    queue.process(4, async ({ attempt }) => {
      lateness.push(performance.now() - addedAt - attempt);
      order.push(attempt);
    });
    await queue.add([900, 300, 600, 1_200].map((delayMs) => job({ attempt: delayMs, delayMs })));
    await eventually(() => order.length === 4, 4_000, 'all jobs are processed');
    expect(order).toEqual([300, 600, 900, 1_200]);
    process.stdout.write(`lateness (${name}): ${lateness.map(Math.round).join(', ')} ms\n`);
    expect(Math.min(...lateness)).toBeGreaterThanOrEqual(-2);
    expect(Math.max(...lateness)).toBeLessThan(250);
  });

  it('never exceeds its concurrency', async () => {
    const queue = await readyQueue();
    let running = 0;
    let maximum = 0;
    let done = 0;
    queue.process(5, async () => {
      maximum = Math.max(maximum, ++running);
      await sleep(20);
      running--;
      done++;
    });
    await queue.add(Array.from({ length: 40 }, () => job()));
    await eventually(() => done === 40, 5_000, 'all done');
    expect(maximum).toBe(5);
  });

  it('ignores a duplicate of a pending job, and accepts a duplicate of a completed job', async () => {
    const queue = await readyQueue();
    const duplicate = job();
    await queue.add([duplicate]);
    await queue.add([duplicate]);
    let count = 0;
    queue.process(2, async () => void count++);
    await eventually(() => count === 1, 2_000, 'the job is processed');
    await sleep(100);
    expect(count).toBe(1);
    await queue.add([duplicate]);
    await eventually(() => count === 2, 2_000, 'the job is processed again');
  });

  it('processes the next job after a failed job', async () => {
    const queue = await readyQueue();
    let count = 0;
    queue.process(1, async () => {
      if (++count === 1) throw new Error('not today');
    });
    await queue.add([job(), job()]);
    await eventually(() => count === 2, 3_000, 'both jobs are processed');
  });

  it('starts no job after a pause, and waits for jobs in progress', async () => {
    const queue = await readyQueue();
    let started = 0;
    let ended = 0;
    queue.process(1, async () => {
      started++;
      await sleep(200);
      ended++;
    });
    await queue.add([job(), job(), job()]);
    await eventually(() => started === 1, 2_000, 'a job is started');
    await queue.pause();
    await sleep(500);
    expect({ started, ended }).toEqual({ started: 1, ended: 1 });
  });

  it('closes immediately', async () => {
    const queue = await readyQueue();
    queue.process(8, () => sleep(10));
    await queue.add([job(), job({ delayMs: 60_000 })]);
    const at = performance.now();
    await queue.close();
    expect(performance.now() - at).toBeLessThan(1_500);
    expect(await queue.add([job()])).toBe(0);
  });
});

describe('delivery queue on Redis during and after an outage', () => {
  it('starts, accepts and processes jobs, and closes within a bounded time', async () => {
    const queue = closeAfterTest(bullQueue(`redis://127.0.0.1:${await findFreePort()}`));
    const processed: string[] = [];
    queue.process(2, async ({ deliveryId }) => void processed.push(deliveryId));
    const at = performance.now();
    expect(await queue.add([job({ deliveryId: 'one' })])).toBe(1);
    expect(performance.now() - at).toBeLessThan(100);
    await eventually(() => processed.includes('one'), 1_000, 'the job is processed in this process');
    await expect(queue.check()).rejects.toThrow('Redis does not respond');
    await queue.close();
    expect(performance.now() - at).toBeLessThan(4_000);
  });

  it('accepts no job in a process that does not process jobs', async () => {
    const queue = closeAfterTest(bullQueue(`redis://127.0.0.1:${await findFreePort()}`));
    expect(await queue.add([job()])).toBe(0);
  });

  it('processes jobs after the restart of a killed Redis', async () => {
    let server = await startRedis();
    const queue = closeAfterTest(bullQueue(server.url));
    const processed = new Set<string>();
    queue.process(4, async ({ deliveryId }) => void processed.add(deliveryId));
    await queue.add([job({ deliveryId: 'before' })]);
    await eventually(() => processed.has('before'), 2_000, 'before');
    await server.kill('SIGKILL');
    const at = performance.now();
    await queue.add([job({ deliveryId: 'meanwhile' })]);
    expect(performance.now() - at).toBeLessThan(2_500);
    server = await startRedis({ port: server.port });
    await eventually(
      async () =>
        await queue.check().then(
          () => true,
          () => false,
        ),
      5_000,
      'ready again',
    );
    await queue.add([job({ deliveryId: 'after', delayMs: 200 })]);
    await eventually(() => processed.has('after'), 7_000, 'after');
    await queue.close();
    await server.stop();
  });

  it('processes a job after a flush of Redis that left only the ID of an earlier job', async () => {
    const lost = job();
    const client = new Redis(redis.url);
    // The state of Redis if the flush happens between the claim of the ID and the read of the job.
    await client.lpush('{service}:deliveries:wait', jobIdOf(lost));
    const queue = closeAfterTest(bullQueue(redis.url));
    const processed: DeliveryJob[] = [];
    queue.process(4, async (job) => void processed.push(job));
    const queuedCount = async () =>
      (await client.llen('{service}:deliveries:wait')) + (await client.llen('{service}:deliveries:active'));
    await eventually(async () => (await queuedCount()) === 0, 5_000, 'the queue is empty');
    await client.quit();
    await queue.add([lost]);
    await eventually(() => processed.length > 0, 2_000, 'the job is processed');
    expect(processed).toEqual([lost]);
  });

  it('processes a job after a flush of Redis between the claim and the read of the job', async () => {
    const lost = job();
    const connections = bullConnections([redis.url]);
    const bull = new Bull<DeliveryJob>('deliveries', bullSettings(connections, 'service'));
    const queue = closeAfterTest(new BullDeliveryQueue(bull, connections));
    const worker = bull as unknown as { moveToActive(id?: string): Promise<unknown> };
    const read = worker.moveToActive.bind(bull);
    let flushes = 0;
    const moveToActive = async (id?: string): Promise<unknown> => {
      if (id === jobIdOf(lost) && flushes++ === 0) await redis.flush();
      return read(id);
    };
    worker.moveToActive = moveToActive;
    const processed: DeliveryJob[] = [];
    queue.process(4, async (job) => void processed.push(job));
    // The queue releases a job only when its connections are ready.
    await eventually(() => connections.ready, 5_000, 'ready');
    await queue.add([lost]);
    await eventually(() => flushes > 0, 5_000, 'Redis is flushed');
    expect(processed).toEqual([]);
    // In the service, the sweeper repeats this call.
    await eventually(async () => (await queue.add([lost])) === 1 && processed.length > 0, 5_000, 'the job is processed');
    expect(processed[0]).toEqual(lost);
  });

  it('returns unstarted jobs of a batch to the queue after a pause', async () => {
    const [first, second] = [closeAfterTest(bullQueue(redis.url)), closeAfterTest(bullQueue(redis.url))];
    let started = 0;
    first.process(1, async () => {
      started++;
      await sleep(300);
    });
    await eventually(
      () =>
        first.check().then(
          () => true,
          () => false,
        ),
      3_000,
      'the queue is ready',
    );
    await first.add([job(), job(), job()]);
    await eventually(() => started === 1, 3_000, 'a job is started');
    await first.pause();
    let rest = 0;
    second.process(4, async () => void rest++);
    await eventually(() => rest === 2, 3_000, 'another worker processes the other jobs');
    expect(started).toBe(1);
  });

  it('does not hang while Redis is stopped', async () => {
    const server = await startRedis();
    const queue = closeAfterTest(bullQueue(server.url));
    queue.process(4, async () => undefined);
    await eventually(
      () =>
        queue.check().then(
          () => true,
          () => false,
        ),
      3_000,
      'ready',
    );
    await server.kill('SIGSTOP');
    const at = performance.now();
    await queue.add([job()]);
    expect(performance.now() - at).toBeLessThan(3_000);
    await queue.close();
    expect(performance.now() - at).toBeLessThan(8_000);
    await server.kill('SIGCONT');
    await server.stop();
  });
});
