/** The work was rejected: the queue was full, or the wait too long. */
export class QueueFull extends Error {}

export interface ConcurrencyLimits {
  readonly concurrency: number;
  /** Maximum length of the queue. */
  readonly queued: number;
  readonly maxWaitMs: number;
}

interface Queued {
  start(): void;
}

/** Limits the work that runs at the same time. Other work waits in a queue, whose length and waiting time are limited. */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly queue: Queued[] = [];

  constructor(private readonly limits: ConcurrencyLimits) {}

  /** Runs work when there is a free slot. @throws QueueFull, and the errors of the work */
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

  /** Passes the slot to the first work in the queue, so that work that arrives later can't take the slot. */
  private release(): void {
    const next = this.queue.shift();
    if (next) next.start();
    else this.running--;
  }
}
