import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { newId, type RequestContext, systemContext } from '#platform/common';
import { LRUCache } from 'lru-cache';

const MAX_RECORDED = 50_000;

/** Records uses of credentials. Requests do not wait for the writes. */
export abstract class UseRecords implements BeforeApplicationShutdown {
  // `max` would allocate all entries at the start.
  private readonly recorded = new LRUCache<string, true>({ maxSize: MAX_RECORDED, sizeCalculation: () => 1 });
  private readonly pending = new Set<Promise<void>>();

  protected constructor(private readonly logger: Logger) {}

  /** Waits for pending writes before the connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }

  /** Writes at most once in the time, in this process. */
  protected writeOnce(name: string, ttlMs: number, write: (ctx: RequestContext) => Promise<void>): void {
    if (this.recorded.has(name)) return;
    this.recorded.set(name, true, { ttl: ttlMs });
    const pendingWrite = write(systemContext(newId('request')))
      .catch((error: unknown) => {
        this.recorded.delete(name);
        this.logger.warn({ err: error }, 'Could not record the use of a credential.');
      })
      .finally(() => this.pending.delete(pendingWrite));
    this.pending.add(pendingWrite);
  }
}
