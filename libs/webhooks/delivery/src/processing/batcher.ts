/** After a run with this many items, more are expected. */
const BUSY_SIZE = 8;

export interface BatcherLimits {
  readonly sizeMax: number;
  readonly runsAtOnceMax: number;
  /** Under load, the next run starts this long after the previous one, since few large runs cost less. Default 0. */
  readonly spacingMs?: number;
}

/**
 * Group commit: items that are added during a run are handled together in the next run. Under load, few statements do the work of many; a
 * single item does not wait.
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
    // Items of the same turn of the event loop join the run.
    setImmediate(() => void this.run(this.waiting.splice(0, this.limits.sizeMax)));
  }

  private async run(batch: typeof this.waiting): Promise<void> {
    try {
      // A run that started in the same turn has all items.
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
