import { Logger } from '@nestjs/common';
import { type DeliveryHandler, type DeliveryJob, DeliveryQueue, jobIdOf } from './delivery-queue.js';
import { DueHeap } from './due-heap.js';

/** Maximum number of jobs in memory. With a large backlog, the sweeper adds the other jobs later. */
const JOBS_MAX = 50_000;

/** Maximum duration of a timer, in milliseconds, because setTimeout overflows after 24.8 days. */
const LONGEST_TIMER_MS = 3_600_000;

/** The queue of a process without Redis. Keeps jobs in memory, ordered by due time on the monotonic clock. */
export class InProcessDeliveryQueue extends DeliveryQueue {
  private readonly logger = new Logger(InProcessDeliveryQueue.name);
  private readonly delayed = new DueHeap<DeliveryJob>();
  private readonly waiting = new Map<string, DeliveryJob>();
  private readonly known = new Set<string>();
  private handler?: DeliveryHandler;
  private concurrency = 0;
  private active = 0;
  private timer?: NodeJS.Timeout;
  private paused = false;

  async add(jobs: readonly DeliveryJob[]): Promise<number> {
    let added = 0;
    for (const job of jobs) {
      const id = jobIdOf(job);
      if (this.known.size >= JOBS_MAX || this.paused) break;
      added++;
      if (this.known.has(id)) continue;
      this.known.add(id);
      if (job.delayMs && job.delayMs > 0) this.delayed.push(performance.now() + job.delayMs, job);
      else this.waiting.set(id, job);
    }
    this.dispatch();
    return added;
  }

  process(concurrency: number, handler: DeliveryHandler): void {
    if (this.handler) throw new Error('The queue already has a handler.');
    this.concurrency = concurrency;
    this.handler = handler;
    this.dispatch();
  }

  async pause(): Promise<void> {
    this.paused = true;
    clearTimeout(this.timer);
  }

  async waitingCount(): Promise<number> {
    return this.waiting.size;
  }

  async check(): Promise<void> {
    if (this.paused) throw new Error('The queue is closed.');
  }

  async close(): Promise<void> {
    await this.pause();
    this.waiting.clear();
    this.known.clear();
  }

  private dispatch(): void {
    if (this.paused || !this.handler) return;
    const nowMs = performance.now();
    for (let job = this.delayed.takeDue(nowMs); job; job = this.delayed.takeDue(nowMs)) this.waiting.set(jobIdOf(job), job);
    for (const [id, job] of this.waiting) {
      if (this.active >= this.concurrency) break;
      this.waiting.delete(id);
      void this.run(id, job, this.handler);
    }
    this.setTimer();
  }

  private async run(id: string, job: DeliveryJob, handler: DeliveryHandler): Promise<void> {
    this.active++;
    try {
      await handler(job);
    } catch (error) {
      this.logger.error({ err: error, deliveryId: job.deliveryId }, 'A delivery job failed; the sweeper will enqueue it again.');
    } finally {
      this.active--;
      this.known.delete(id);
      this.dispatch();
    }
  }

  private setTimer(): void {
    clearTimeout(this.timer);
    const dueAtMs = this.delayed.nextDueAtMs;
    if (dueAtMs === undefined) return;
    const delayMs = Math.min(Math.max(Math.ceil(dueAtMs - performance.now()), 1), LONGEST_TIMER_MS);
    this.timer = setTimeout(() => this.dispatch(), delayMs).unref();
  }
}
