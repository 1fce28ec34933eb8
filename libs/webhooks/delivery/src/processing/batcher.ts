/** A run with so many items says that more are to be expected. */
const BUSY_SIZE = 8;

export interface BatcherLimits {
  readonly sizeMax: number;
  readonly runsAtOnceMax: number;
  /** While there is much to do, the next run gathers items until this long after the last one began: few large ones cost less. Default 0. */
  readonly spacingMs?: number;
}

/**
 * Group commit: items that come while a run is under way are handled together in the next, so that under load few statements do the
 * work of many, while a single item waits for nobody.
 */
export class Batcher<Item, Result> {
  private waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  private running = 0;
  private nextRunAt = 0;
  private timer?: NodeJS.Timeout;

  /** `work` gives one result for each item, in order. */
  constructor(
    private readonly limits: BatcherLimits,
    private readonly work: (items: Item[]) => Promise<Result[]>,
  ) {}

  /** How many wait for a run. */
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
    // What the same turn of the event loop brings still comes along.
    setImmediate(() => void this.run(this.waiting.splice(0, this.limits.sizeMax)));
  }

  private async run(batch: typeof this.waiting): Promise<void> {
    try {
      // A run begun in the same turn has taken all.
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
