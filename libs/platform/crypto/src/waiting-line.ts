/** Refused work: the line was full, or the wait too long. */
export class WaitingLineFull extends Error {}

export interface WaitingLineLimits {
  readonly concurrency: number;
  readonly waiting: number;
  readonly waitMs: number;
}

interface Waiting {
  enter(): void;
}

/** Lets at most `concurrency` pieces of work run at once; others wait in order, at most `waiting` of them and none longer than `waitMs`. */
export class WaitingLine {
  private running = 0;
  private readonly waiting: Waiting[] = [];

  constructor(private readonly limits: WaitingLineLimits) {}

  /** @throws WaitingLineFull, and whatever the work throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private enter(): Promise<void> {
    if (this.running < this.limits.concurrency) {
      this.running++;
      return Promise.resolve();
    }
    if (this.waiting.length >= this.limits.waiting) return Promise.reject(new WaitingLineFull());
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(new WaitingLineFull());
      }, this.limits.waitMs);
      this.waiting.push(waiting);
    });
  }

  /** The place goes straight to the next in line, so that nobody who comes later can take it. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next) next.enter();
    else this.running--;
  }
}
