import { type DeliveryHandler, type DeliveryJob, DeliveryQueue, jobIdOf } from './delivery-queue.js';

/** Maximum number of jobs in memory. The sweeper adds the other jobs later. */
const JOBS_MAX = 50_000;
/** Jobs with a longer delay are not kept, because the sweeper adds deliveries that are due soon. */
const DELAY_MAX_MS = 60_000;

/** The queue of a process without Redis. Keeps delayed jobs as timers, and other jobs only until processing starts. */
export class InProcessDeliveryQueue extends DeliveryQueue {
  private readonly waiting = new Map<string, DeliveryJob>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private handler?: DeliveryHandler;
  private paused = false;

  get isProcessing(): boolean {
    return this.handler !== undefined;
  }

  async add(jobs: readonly DeliveryJob[]): Promise<number> {
    const free = this.paused ? 0 : Math.max(0, JOBS_MAX - this.timers.size - this.waiting.size);
    const accepted = jobs.slice(0, free);
    for (const job of accepted) this.schedule(job);
    this.dispatch();
    return accepted.length;
  }

  process(handler: DeliveryHandler): void {
    this.handler = handler;
    this.dispatch();
  }

  async pause(): Promise<void> {
    this.paused = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
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
  }

  private schedule(job: DeliveryJob): void {
    const id = jobIdOf(job);
    const { delayMs = 0 } = job;
    if (this.timers.has(id) || delayMs > DELAY_MAX_MS) return;
    if (delayMs <= 0) {
      this.waiting.set(id, job);
      return;
    }
    const timer = setTimeout(() => {
      this.timers.delete(id);
      this.waiting.set(id, job);
      this.dispatch();
    }, Math.ceil(delayMs));
    this.timers.set(id, timer.unref());
  }

  private dispatch(): void {
    if (!this.handler || this.paused || this.waiting.size === 0) return;
    const jobs = [...this.waiting.values()];
    this.waiting.clear();
    this.handler(jobs);
  }
}
