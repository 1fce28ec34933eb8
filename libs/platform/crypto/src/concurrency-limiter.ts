/** The queue was full, or the wait was too long. */
export class QueueFull extends Error {}

export interface ConcurrencyLimits {
  readonly concurrency: number;
  readonly queued: number;
  readonly maxWaitMs: number;
}

interface Queued {
  start(): void;
}

/** Limits the number of concurrent functions. Further functions wait in a queue with a maximum length and a maximum waiting time. */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly queue: Queued[] = [];

  constructor(private readonly limits: ConcurrencyLimits) {}

  /** Runs `work` when a slot is free. @throws QueueFull, and the errors of `work` */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  private acquire(): Promise<void> {
    if (this.running < this.limits.concurrency) {
      this.running++;
      return Promise.resolve();
    }
    if (this.queue.length >= this.limits.queued) return Promise.reject(new QueueFull());
    return new Promise((resolve, reject) => {
      const queued: Queued = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.queue.splice(this.queue.indexOf(queued), 1);
        reject(new QueueFull());
      }, this.limits.maxWaitMs);
      this.queue.push(queued);
    });
  }

  /** Releases a slot to the first function in the queue, so that a later function can't get the slot. */
  private release(): void {
    const next = this.queue.shift();
    if (next) next.start();
    else this.running--;
  }
}
