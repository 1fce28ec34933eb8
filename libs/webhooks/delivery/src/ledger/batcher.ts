/** Number of items of a run from which on the next run is delayed, to collect more items. */
const BUSY_SIZE = 8;

export interface BatcherLimits {
  readonly sizeMax: number;
  readonly runsAtOnceMax: number;
  /** Minimum time between the starts of runs under load, because few large runs cost less. Default: 0. */
  readonly spacingMs?: number;
}

/**
 * Group commit: items that are added during a run are handled together in the next run. Under load, this needs fewer statements. A single
 * item does not wait.
 */
export class Batcher<Item, Result> {
  private waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  private running = 0;
  private nextRunAt = 0;
  private timer?: NodeJS.Timeout;

  /** `work` returns one result for each item, in order. */
  constructor(
    private readonly limits: BatcherLimits,
    private readonly work: (items: Item[]) => Promise<Result[]>,
  ) {}

  /** Number of items that wait for a run. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.runNext();
    });
  }

  private runNext(): void {
    if (this.running >= this.limits.runsAtOnceMax || this.waiting.length === 0) return;
    const waitMs = this.waiting.length >= this.limits.sizeMax ? 0 : this.nextRunAt - performance.now();
    if (waitMs > 0) {
      this.timer ??= setTimeout(() => {
        this.nextRunAt = 0;
        this.runNext();
      }, waitMs);
      return;
    }
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running++;
    // Items that are added in the same turn of the event loop join the run.
    setImmediate(() => void this.run(this.waiting.splice(0, this.limits.sizeMax)));
  }

  private async run(batch: typeof this.waiting): Promise<void> {
    try {
      // A concurrent run of the same turn has taken all items.
      if (batch.length === 0) return;
      this.nextRunAt = batch.length < BUSY_SIZE ? 0 : performance.now() + (this.limits.spacingMs ?? 0);
      const results = await this.work(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.running--;
      this.runNext();
    }
  }
}
