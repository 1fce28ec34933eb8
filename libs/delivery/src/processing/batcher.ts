/**
 * Group commit: items that come while a run is under way are handled together in the next, so that under load few statements do the
 * work of many, while a single item waits for nobody.
 */
export class Batcher<Item, Result> {
  private waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  private running = 0;

  /** `work` gives one result for each item, in order. */
  constructor(
    private readonly sizeMax: number,
    private readonly runsAtOnceMax: number,
    private readonly work: (items: Item[]) => Promise<Result[]>,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.runNext();
    });
  }

  private runNext(): void {
    if (this.running >= this.runsAtOnceMax || this.waiting.length === 0) return;
    this.running++;
    // What the same turn of the event loop brings still comes along.
    setImmediate(() => void this.run(this.waiting.splice(0, this.sizeMax)));
  }

  private async run(batch: typeof this.waiting): Promise<void> {
    try {
      // A run begun in the same turn has taken all.
      if (batch.length === 0) return;
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
