import { Logger } from '@nestjs/common';
import type { Job, JobOptions, Queue } from 'bull';
import { type DeliveryHandler, type DeliveryJob, DeliveryQueue, jobIdOf } from './delivery-queue.js';
import { InProcessDeliveryQueue } from './in-process-delivery-queue.js';
import type { RedisConnections } from '#redis';

/** How long adding may take before it counts as failed; the jobs may still get there, which does no harm. */
const ADD_TIMEOUT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 2_000;
const CHECK_TIMEOUT_MS = 1_000;
const JOBS_PER_COMMAND = 250;

/** Beyond this Redis takes no more jobs that are due at once; the sweeper brings them when there is room. */
const WAITING_MAX = 100_000;

/** Unless it was added anew meanwhile. */
const FORGET_EMPTY_JOB = `if redis.call('HEXISTS', KEYS[1], 'data') == 0 then
  redis.call('LREM', KEYS[2], 0, ARGV[1])
  return redis.call('DEL', KEYS[1])
end`;

/** The queue on Redis, shared by any number of processes. Bull is no more than an alarm clock here. */
export class BullDeliveryQueue extends DeliveryQueue {
  private readonly logger = new Logger(BullDeliveryQueue.name);
  /** While Redis does not answer, a worker goes on with what it has itself. */
  private readonly local = new InProcessDeliveryQueue();
  private lastWaitingCount = 0;
  private processing = false;
  private closing?: Promise<void>;

  constructor(
    private readonly queue: Queue<DeliveryJob>,
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
    const wanted = this.lastWaitingCount < WAITING_MAX ? jobs : jobs.filter(({ delayMs }) => delayMs);
    let taken = 0;
    for (let start = 0; start < wanted.length; start += JOBS_PER_COMMAND) {
      const some = wanted.slice(start, start + JOBS_PER_COMMAND);
      const added = await withinTime(this.queue.addBulk(some.map(bullJob)), ADD_TIMEOUT_MS);
      if (!added) break;
      taken += some.length;
    }
    return taken;
  }

  process(concurrency: number, handler: DeliveryHandler): void {
    this.processing = true;
    this.local.process(concurrency, handler);
    this.queue
      .process(concurrency, (job) => this.handOver(job, handler))
      .catch((error: Error) => {
        if (!this.closing) this.logger.error({ err: error }, 'Bull stopped handing out jobs.');
      });
  }

  async pause(): Promise<void> {
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
    if (answer === undefined) throw new Error('Redis does not answer.');
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  /**
   * A flush of Redis just as Bull takes a job leaves it nothing but the id. What Bull then notes about it would be kept for ever, since it
   * can't end a job that is not in its list of active ones, and would be in the way of the same job when the sweeper brings it again.
   */
  private async handOver({ id, data }: Job<DeliveryJob>, handler: DeliveryHandler): Promise<void> {
    if (data.deliveryId) return handler(data);
    await this.queue.client.eval(FORGET_EMPTY_JOB, 2, this.queue.toKey(String(id)), this.queue.toKey('active'), String(id));
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

function bullJob(job: DeliveryJob): { data: DeliveryJob; opts: JobOptions } {
  const { delayMs, ...data } = job;
  const opts = { jobId: jobIdOf(job), attempts: 1, removeOnComplete: true, removeOnFail: true };
  return { data, opts: delayMs && delayMs > 0 ? { ...opts, delay: Math.ceil(delayMs) } : opts };
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
