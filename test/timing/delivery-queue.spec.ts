import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BullModule, getQueueToken } from '@nestjs/bull';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Queue } from 'bull';
import { Redis } from 'ioredis';
import { newId } from '#platform/common';
import {
  bullConnections,
  type BullDeliveries,
  BullDeliveryQueue,
  bullSettings,
  DELIVERIES_QUEUE,
  DeliveryProcessor,
  type DeliveryJob,
  DeliveryQueue,
  InProcessDeliveryQueue,
  jobIdOf,
} from '../../libs/webhooks/delivery/src/queue/index.js';
import { startRedis, testRedis } from '../support/redis.js';
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

@Module({})
class QueueModule {}

/** Starts the queue as the service does. `beforeStart` is called with Bull's queue before Bull takes jobs. */
async function bullQueue(url: string, beforeStart?: (bull: Queue<BullDeliveries>) => void): Promise<DeliveryQueue> {
  const connections = bullConnections([url]);
  const app = await NestFactory.createApplicationContext(
    {
      module: QueueModule,
      imports: [BullModule.registerQueue({ name: DELIVERIES_QUEUE, ...bullSettings(connections, 'service') })],
      providers: [
        DeliveryProcessor,
        {
          provide: DeliveryQueue,
          inject: [getQueueToken(DELIVERIES_QUEUE)],
          useFactory: (bull: Queue<BullDeliveries>) => {
            beforeStart?.(bull);
            return new BullDeliveryQueue(bull, connections);
          },
        },
      ],
    },
    { logger: false },
  );
  const queue = app.get(DeliveryQueue);
  open.push({ queue, app });
  return queue;
}

function inProcessQueue(): DeliveryQueue {
  const queue = new InProcessDeliveryQueue();
  open.push({ queue });
  return queue;
}

const isReady = (queue: DeliveryQueue): Promise<boolean> =>
  queue.check().then(
    () => true,
    () => false,
  );

const redis = testRedis();
const open: { queue: DeliveryQueue; app?: INestApplicationContext }[] = [];

afterEach(async () => {
  for (const { queue, app } of open.splice(0)) {
    await queue.close();
    await app?.close();
  }
  await redis.flush();
});

describe.each([
  ['in-process', async () => inProcessQueue()],
  ['bull', () => bullQueue(redis.url)],
] as const)('delivery queue (%s)', (name, createQueue) => {
  /** Returns a queue. A queue on Redis is connected. */
  const readyQueue = async (): Promise<DeliveryQueue> => {
    const queue = await createQueue();
    await eventually(() => isReady(queue), 3_000, 'the queue is ready');
    return queue;
  };

  it('accepts jobs before processing starts', async () => {
    const queue = await readyQueue();
    const jobs = Array.from({ length: 600 }, (_, index) => job({ attempt: 1 + (index % 6), generation: index % 3 }));
    expect(await queue.add(jobs)).toBe(600);
    const processed: DeliveryJob[] = [];
    queue.process((received) => void processed.push(...received));
    await eventually(() => processed.length >= 600, 10_000, 'all jobs are processed');
    await eventually(async () => (await queue.waitingCount()) === 0, 1_000, 'no job waits');
    expect(processed.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))).toEqual(jobs);
  });

  it('processes delayed jobs in the order of their due times and never early', async () => {
    const queue = await readyQueue();
    const lateness: number[] = [];
    const order: number[] = [];
    const addedAt = performance.now();
    queue.process((jobs) => {
      for (const { attempt } of jobs) {
        lateness.push(performance.now() - addedAt - attempt);
        order.push(attempt);
      }
    });
    await queue.add([900, 300, 600, 1_200].map((delayMs) => job({ attempt: delayMs, delayMs })));
    await eventually(() => order.length === 4, 4_000, 'all jobs are processed');
    expect(order).toEqual([300, 600, 900, 1_200]);
    process.stdout.write(`lateness (${name}): ${lateness.map(Math.round).join(', ')} ms\n`);
    expect(Math.min(...lateness)).toBeGreaterThanOrEqual(-2);
    expect(Math.max(...lateness)).toBeLessThan(250);
  });

  it('ignores a duplicate of a pending job, and accepts the job again when it is done', async () => {
    const queue = await readyQueue();
    const duplicate = job({ delayMs: 100 });
    await queue.add([duplicate]);
    await queue.add([duplicate]);
    let count = 0;
    queue.process((jobs) => void (count += jobs.length));
    await eventually(() => count === 1, 2_000, 'the job is processed');
    await sleep(200);
    expect(count).toBe(1);
    await queue.add([duplicate]);
    await eventually(() => count === 2, 2_000, 'the job is processed again');
  });

  it('passes no job to the handler after a pause', async () => {
    const queue = await readyQueue();
    let count = 0;
    queue.process((jobs) => void (count += jobs.length));
    await queue.add([job(), job({ delayMs: 400 })]);
    await eventually(() => count === 1, 2_000, 'a job is processed');
    await queue.pause();
    await queue.add([job()]);
    await sleep(600);
    expect(count).toBe(1);
  });

  it('closes immediately', async () => {
    const queue = await readyQueue();
    queue.process(() => undefined);
    await queue.add([job(), job({ delayMs: 60_000 })]);
    const at = performance.now();
    await queue.close();
    expect(performance.now() - at).toBeLessThan(1_500);
    expect(await queue.add([job()])).toBe(0);
  });
});

describe('delivery queue on Redis during and after an outage', () => {
  it('processes jobs in this process, and closes within a bounded time', async () => {
    const server = await startRedis();
    const queue = await bullQueue(server.url);
    await eventually(() => isReady(queue), 3_000, 'ready');
    await server.kill('SIGKILL');
    await eventually(async () => !(await isReady(queue)), 3_000, 'the loss is noticed');
    expect(await queue.add([job()])).toBe(0);
    const processed: string[] = [];
    queue.process((jobs) => void processed.push(...jobs.map(({ deliveryId }) => deliveryId)));
    const at = performance.now();
    expect(await queue.add([job({ deliveryId: 'one' })])).toBe(1);
    expect(performance.now() - at).toBeLessThan(100);
    await eventually(() => processed.includes('one'), 1_000, 'the job is processed in this process');
    await expect(queue.check()).rejects.toThrow('Redis does not respond');
    await queue.close();
    expect(performance.now() - at).toBeLessThan(4_000);
  });

  it('processes a job after a flush of Redis that left only the ID of an earlier job', async () => {
    const lost = job();
    const client = new Redis(redis.url);
    // The state of Redis if the flush happens between the claim of the ID and the read of the job.
    await client.lpush('{service}:deliveries:wait', jobIdOf(lost));
    const queue = await bullQueue(redis.url);
    const processed: DeliveryJob[] = [];
    queue.process((jobs) => void processed.push(...jobs));
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
    let flushes = 0;
    const queue = await bullQueue(redis.url, (bull) => {
      const worker = bull as unknown as { moveToActive(id?: string): Promise<unknown> };
      const read = worker.moveToActive.bind(bull);
      worker.moveToActive = async (id?: string): Promise<unknown> => {
        if (id === jobIdOf(lost) && flushes++ === 0) await redis.flush();
        return read(id);
      };
    });
    const processed: DeliveryJob[] = [];
    queue.process((jobs) => void processed.push(...jobs));
    await eventually(() => isReady(queue), 5_000, 'ready');
    await queue.add([lost]);
    await eventually(() => flushes > 0, 5_000, 'Redis is flushed');
    expect(processed).toEqual([]);
    // In the service, the sweeper repeats this call.
    await eventually(async () => (await queue.add([lost])) === 1 && processed.length > 0, 5_000, 'the job is processed');
    expect(processed[0]).toEqual(lost);
  });
});
