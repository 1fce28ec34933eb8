import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Job, JobOptions, Queue } from 'bull';
import { type DeliveryHandler, type DeliveryJob, DeliveryQueue, jobIdOf } from './delivery-queue.js';
import { InProcessDeliveryQueue } from './in-process-delivery-queue.js';
import type { RedisConnections } from '#platform/redis';

/** Timeout for adding jobs. After the timeout, adding counts as failed; it is harmless if Redis adds the jobs later. */
const ADD_TIMEOUT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 2_000;
const CHECK_TIMEOUT_MS = 1_000;
const JOBS_PER_COMMAND = 250;

/** Maximum number of jobs that are due now and share one Bull job. A Bull job per delivery would be most of the cost of a delivery. */
const JOBS_PER_BATCH = 50;
/** Number of concurrent batches. A batch is complete when its jobs have started. */
const CONCURRENT_BATCHES = 16;

/** Number of waiting jobs from which on no due jobs are added. The sweeper adds these jobs later. */
const WAITING_MAX = 4_000;

/** Redis script that deletes a job without data, unless the job was added again. */
const DELETE_EMPTY_JOB = `if redis.call('HEXISTS', KEYS[1], 'data') == 0 then
  redis.call('LREM', KEYS[2], 0, ARGV[1])
  return redis.call('DEL', KEYS[1])
end`;

/** The data of a Bull job: one delayed job, or several jobs that are due now. */
type BullData = DeliveryJob | { readonly batch: readonly DeliveryJob[] };

/** The queue on Redis, shared by any number of processes. Bull only decides when a delivery is attempted; PostgreSQL has the state. */
export class BullDeliveryQueue extends DeliveryQueue {
  private readonly logger = new Logger(BullDeliveryQueue.name);
  /** While Redis does not respond, a worker queues in memory. */
  private readonly local = new InProcessDeliveryQueue();
  private lastWaitingCount = 0;
  private processing = false;
  private paused = false;
  private readonly slots = new Semaphore();
  private closing?: Promise<void>;

  constructor(
    private readonly queue: Queue<BullData>,
    private readonly connections: RedisConnections,
  ) {
    super();
    // If Redis never responds, Bull leaves the rejection of setWorkerName unhandled, which would end the process. The name is only for display.
    Object.assign(queue, { setWorkerName: async () => undefined });
    // Otherwise Nest would close Bull without a time limit.
    Object.assign(queue, { onApplicationShutdown: () => this.close() });
    queue.on('error', (error) => this.logger.debug(`Bull: ${error.message}`));
  }

  async add(jobs: readonly DeliveryJob[]): Promise<number> {
    if (this.closing) return 0;
    if (!this.connections.ready) return this.processing ? this.local.add(jobs) : 0;
    const [delayed, dueNow] = [jobs.filter(isDelayed), jobs.filter((job) => !isDelayed(job))];
    const taken = await this.addAll(delayed.map((job) => [job]));
    if (taken < delayed.length || this.lastWaitingCount >= WAITING_MAX) return taken;
    return taken + (await this.addAll(inBatches(dueNow, JOBS_PER_BATCH)));
  }

  process(concurrency: number, handler: DeliveryHandler): void {
    this.processing = true;
    this.slots.available = concurrency;
    this.local.process(concurrency, handler);
    this.queue
      .process(Math.min(concurrency, CONCURRENT_BATCHES), (job) => this.dispatchJobs(job, handler))
      .catch((error: Error) => {
        if (!this.closing) this.logger.error({ err: error }, 'Bull stopped processing jobs.');
      });
  }

  async pause(): Promise<void> {
    this.paused = true;
    await this.local.pause();
    if (this.processing) await withinTime(this.queue.pause(true, true), CLOSE_TIMEOUT_MS);
  }

  async waitingCount(): Promise<number> {
    const count = this.connections.ready ? await withinTime(this.queue.getWaitingCount(), CHECK_TIMEOUT_MS) : undefined;
    this.lastWaitingCount = count ?? 0;
    return this.lastWaitingCount + (await this.local.waitingCount());
  }

  async check(): Promise<void> {
    const answer = this.connections.ready ? await withinTime(this.queue.client.ping(), CHECK_TIMEOUT_MS) : undefined;
    if (answer === undefined) throw new Error('Redis does not respond.');
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async addAll(batches: readonly (readonly DeliveryJob[])[]): Promise<number> {
    let taken = 0;
    for (const some of inBatches(batches, JOBS_PER_COMMAND)) {
      const jobs = some.flat();
      // The cluster node of the queue can be lost while other nodes respond.
      if (await withinTime(this.addBulk(some), ADD_TIMEOUT_MS)) taken += jobs.length;
      else if (this.processing && !this.closing) taken += await this.local.add(jobs);
      else break;
    }
    return taken;
  }

  /**
   * Adds jobs in bulk. A bulk is a transaction that calls Bull's script by its hash. ioredis assumes that the script is loaded once it was sent
   * on a connection, although Redis may have rejected it (as a cluster without a master does). In a transaction this goes unnoticed: the jobs
   * are not added and have no id. A single call notices it and loads the script.
   */
  private async addBulk(batches: readonly (readonly DeliveryJob[])[]): Promise<boolean> {
    const jobs = batches.map(bullJob);
    const missing = await this.missingOf(jobs);
    const [first, ...others] = missing;
    if (first) await this.queue.add(first.data, first.opts);
    return others.length === 0 || (await this.missingOf(others)).length === 0;
  }

  private async missingOf(jobs: BullJob[]): Promise<BullJob[]> {
    const added = await this.queue.addBulk(jobs);
    return jobs.filter((_, index) => added[index]?.id === undefined);
  }

  /**
   * Starts the jobs of a Bull job, each when a slot is free. The Bull job is then complete, because PostgreSQL has the state. After a pause,
   * the remaining jobs are added again.
   * A flush of Redis while Bull claims a job leaves only the ID of the job. Bull can't complete a job that is not in its list of active
   * jobs. The record would stay forever and block the same job when the sweeper adds it again.
   */
  private async dispatchJobs({ id, data }: Job<BullData>, handler: DeliveryHandler): Promise<void> {
    const jobs = 'batch' in data ? data.batch : data.deliveryId ? [data] : undefined;
    if (!jobs) {
      await this.queue.client.eval(DELETE_EMPTY_JOB, 2, this.queue.toKey(String(id)), this.queue.toKey('active'), String(id));
      return;
    }
    for (const [index, job] of jobs.entries()) {
      await this.slots.acquire();
      if (this.paused) return void (await this.addAll([jobs.slice(index)]));
      void handler(job)
        .catch((error: unknown) =>
          this.logger.error(
            { err: error, deliveryId: job.deliveryId },
            'A delivery job failed; the sweeper will enqueue it again.',
          ),
        )
        .finally(() => this.slots.release());
    }
  }

  private async closeAll(): Promise<void> {
    await this.local.close();
    const closed = withinTime(this.queue.close(true), CLOSE_TIMEOUT_MS);
    if (this.connections.ready) await closed;
    // Bull does not close connections that it did not open.
    this.connections.close();
    await closed;
  }
}

interface BullJob {
  data: BullData;
  opts: JobOptions;
}

/** Limits the number of jobs in progress. */
class Semaphore {
  available = 0;
  private readonly waiting: (() => void)[] = [];

  async acquire(): Promise<void> {
    if (this.available > 0) this.available--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.available++;
  }
}

const isDelayed = ({ delayMs }: DeliveryJob): boolean => delayMs !== undefined && delayMs > 0;

function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

const withoutDelay = ({ delayMs: _, ...job }: DeliveryJob): DeliveryJob => job;

/** Returns the Bull job of a batch. Its ID derives from the jobs, so that the same job or batch is not added twice. */
function bullJob(batch: readonly DeliveryJob[]): BullJob {
  const [first, ...others] = batch;
  if (!first) throw new Error('A batch has at least one job.');
  const opts = { attempts: 1, removeOnComplete: true, removeOnFail: true };
  if (others.length > 0) {
    const batchId = createHash('sha256').update(batch.map(jobIdOf).join()).digest('base64url');
    return { data: { batch: batch.map(withoutDelay) }, opts: { ...opts, jobId: batchId } };
  }
  const delay = Math.ceil(first.delayMs ?? 0);
  return { data: withoutDelay(first), opts: { ...opts, jobId: jobIdOf(first), ...(delay > 0 ? { delay } : {}) } };
}

/** Returns the result, or undefined if the work failed or took longer than `limitMs`. */
async function withinTime<T>(work: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([work.catch(() => undefined), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
