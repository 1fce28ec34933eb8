import { Logger } from '@nestjs/common';
import { type DeliveryHandler, type DeliveryJob, DeliveryQueue, jobIdOf } from './delivery-queue.js';
import { DueHeap } from './due-heap.js';

/** Beyond this the sweeper brings the rest when there is room: memory is bounded however large the backlog. */
const JOBS_MAX = 50_000;

/** setTimeout overflows beyond 24.8 days. */
const LONGEST_TIMER_MS = 3_600_000;

/** The queue for one process without Redis: jobs in memory, by when they are due on the monotonic clock. */
export class InProcessDeliveryQueue extends DeliveryQueue {
  private readonly logger = new Logger(InProcessDeliveryQueue.name);
  private readonly delayed = new DueHeap<DeliveryJob>();
  private readonly waiting = new Map<string, DeliveryJob>();
  private readonly known = new Set<string>();
  private handler?: DeliveryHandler;
  private concurrency = 0;
  private underWay = 0;
  private timer?: NodeJS.Timeout;
  private paused = false;

  async add(jobs: readonly DeliveryJob[]): Promise<number> {
    let taken = 0;
    for (const job of jobs) {
      const id = jobIdOf(job);
      if (this.known.size >= JOBS_MAX || this.paused) break;
      taken++;
      if (this.known.has(id)) continue;
      this.known.add(id);
      if (job.delayMs && job.delayMs > 0) this.delayed.push(performance.now() + job.delayMs, job);
      else this.waiting.set(id, job);
    }
    this.handOut();
    return taken;
  }

  process(concurrency: number, handler: DeliveryHandler): void {
    if (this.handler) throw new Error('The queue already has a handler.');
    this.concurrency = concurrency;
    this.handler = handler;
    this.handOut();
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

  private handOut(): void {
    if (this.paused || !this.handler) return;
    const nowMs = performance.now();
    for (let job = this.delayed.takeDue(nowMs); job; job = this.delayed.takeDue(nowMs)) this.waiting.set(jobIdOf(job), job);
    for (const [id, job] of this.waiting) {
      if (this.underWay >= this.concurrency) break;
      this.waiting.delete(id);
      void this.run(id, job, this.handler);
    }
    this.setTimer();
  }

  private async run(id: string, job: DeliveryJob, handler: DeliveryHandler): Promise<void> {
    this.underWay++;
    try {
      await handler(job);
    } catch (error) {
      this.logger.error({ err: error, deliveryId: job.deliveryId }, 'A delivery job failed; the sweeper will enqueue it again.');
    } finally {
      this.underWay--;
      this.known.delete(id);
      this.handOut();
    }
  }

  private setTimer(): void {
    clearTimeout(this.timer);
    const dueAtMs = this.delayed.nextDueAtMs;
    if (dueAtMs === undefined) return;
    const delayMs = Math.min(Math.max(Math.ceil(dueAtMs - performance.now()), 1), LONGEST_TIMER_MS);
    this.timer = setTimeout(() => this.handOut(), delayMs).unref();
  }
}
