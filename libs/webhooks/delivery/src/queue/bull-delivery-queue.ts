import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Job, JobOptions, Queue } from 'bull';
import { type DeliveryHandler, type DeliveryJob, DeliveryQueue, jobIdOf } from './delivery-queue.js';
import { InProcessDeliveryQueue } from './in-process-delivery-queue.js';
import type { RedisConnections } from '#platform/redis';

/** How long adding may take before it counts as failed; the jobs may still get there, which does no harm. */
const ADD_TIMEOUT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 2_000;
const CHECK_TIMEOUT_MS = 1_000;
const JOBS_PER_COMMAND = 250;

/** Jobs that are due at once share one of Bull's, whose own work for each would be most of what a delivery costs. */
const JOBS_PER_BATCH = 50;
/** Batches taken at once; each is done as soon as its jobs are handed out. */
const BATCHES_AT_ONCE = 16;

/** Beyond this Redis takes no more jobs that are due at once; the sweeper brings them when there is room. */
const WAITING_MAX = 4_000;

/** Unless it was added anew meanwhile. */
const FORGET_EMPTY_JOB = `if redis.call('HEXISTS', KEYS[1], 'data') == 0 then
  redis.call('LREM', KEYS[2], 0, ARGV[1])
  return redis.call('DEL', KEYS[1])
end`;

/** What one of Bull's jobs holds: a job with a moment of its own, or some that are due at once. */
type BullData = DeliveryJob | { readonly batch: readonly DeliveryJob[] };

/** The queue on Redis, shared by any number of processes. Bull is no more than an alarm clock here. */
export class BullDeliveryQueue extends DeliveryQueue {
  private readonly logger = new Logger(BullDeliveryQueue.name);
  /** While Redis does not answer, a worker goes on with what it has itself. */
  private readonly local = new InProcessDeliveryQueue();
  private lastWaitingCount = 0;
  private processing = false;
  private paused = false;
  private readonly places = new Places();
  private closing?: Promise<void>;

  constructor(
    private readonly queue: Queue<BullData>,
    private readonly connections: RedisConnections,
  ) {
    super();
    // Its rejection goes unhandled when Redis never answers, and would end the process. The name is for show only.
    Object.assign(queue, { setWorkerName: async () => undefined });
    // Nest would wait for Bull's own closing without limit.
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
    this.places.free = concurrency;
    this.local.process(concurrency, handler);
    this.queue
      .process(Math.min(concurrency, BATCHES_AT_ONCE), (job) => this.handOver(job, handler))
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
      // Of a cluster the part that has the queue may be lost while the rest answers.
      if (await withinTime(this.addBulk(some), ADD_TIMEOUT_MS)) taken += jobs.length;
      else if (this.processing && !this.closing) taken += await this.local.add(jobs);
      else break;
    }
    return taken;
  }

  /**
   * A bulk is one transaction of calls of Bull's script by its hash, which ioredis takes to be loaded once it was sent on a connection,
   * though Redis may have refused it (as a cluster that lacks a master does). Within a transaction nobody notices: the jobs are not
   * there, and have no id. A call alone notices, and loads the script.
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
   * Hands out what one of Bull's jobs holds, each as soon as there is a place; Bull is done with it then, since PostgreSQL knows what came
   * of it. What a pause leaves over goes back.
   *
   * A flush of Redis just as Bull takes a job leaves it nothing but the id. What Bull then notes about it would be kept for ever, since it
   * can't end a job that is not in its list of active ones, and would be in the way of the same job when the sweeper brings it again.
   */
  private async handOver({ id, data }: Job<BullData>, handler: DeliveryHandler): Promise<void> {
    const jobs = 'batch' in data ? data.batch : data.deliveryId ? [data] : undefined;
    if (!jobs) {
      await this.queue.client.eval(FORGET_EMPTY_JOB, 2, this.queue.toKey(String(id)), this.queue.toKey('active'), String(id));
      return;
    }
    for (const [index, job] of jobs.entries()) {
      await this.places.take();
      if (this.paused) return void (await this.addAll([jobs.slice(index)]));
      void handler(job)
        .catch((error: unknown) =>
          this.logger.error(
            { err: error, deliveryId: job.deliveryId },
            'A delivery job failed; the sweeper will enqueue it again.',
          ),
        )
        .finally(() => this.places.leave());
    }
  }

  private async closeAll(): Promise<void> {
    await this.local.close();
    const closed = withinTime(this.queue.close(true), CLOSE_TIMEOUT_MS);
    if (this.connections.ready) await closed;
    // Bull leaves connections alone that it did not open itself.
    this.connections.close();
    await closed;
  }
}

interface BullJob {
  data: BullData;
  opts: JobOptions;
}

/** Places for jobs handed out and not yet done; who finds none waits in line. */
class Places {
  free = 0;
  private readonly waiting: (() => void)[] = [];

  async take(): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }
}

const isDelayed = ({ delayMs }: DeliveryJob): boolean => delayMs !== undefined && delayMs > 0;

function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Named by the work, so that a job alone, or the same batch, is not there twice. */
function bullJob(batch: readonly DeliveryJob[]): BullJob {
  const [first, ...others] = batch.map(({ delayMs: _, ...data }) => data);
  const opts = { attempts: 1, removeOnComplete: true, removeOnFail: true };
  if (others.length > 0) {
    const names = createHash('sha256').update(batch.map(jobIdOf).join()).digest('base64url');
    return { data: { batch: [first!, ...others] }, opts: { ...opts, jobId: names } };
  }
  const delay = Math.ceil(batch[0]!.delayMs ?? 0);
  return { data: first!, opts: { ...opts, jobId: jobIdOf(first!), ...(delay > 0 ? { delay } : {}) } };
}

/** The result, or undefined when it failed or took longer. */
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
