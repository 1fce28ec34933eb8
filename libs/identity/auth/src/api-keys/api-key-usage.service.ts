import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock, newId, type RequestContext, systemContext } from '#platform/common';
import { LRUCache } from 'lru-cache';
import { ApiKeyQuery, type KnownKey } from './api-key.query.js';

const USE_INTERVAL_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_RECORDED = 50_000;

/** Records the last use of each API key, and of each permission of the key. Requests do not wait for the writes. */
@Injectable()
export class ApiKeyUsageService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('KeyUsage');
  // `max` would allocate all entries at the start.
  private readonly recorded = new LRUCache<string, true>({ maxSize: MAX_RECORDED, sizeCalculation: () => 1 });
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly apiKeyQuery: ApiKeyQuery,
    private readonly clock: Clock,
  ) {}

  /** Writes at most once a minute for each API key. */
  recordUse({ id, tenantId }: Pick<KnownKey, 'id' | 'tenantId'>, ipAddress: string | undefined): void {
    this.writeOnce(id, USE_INTERVAL_MS, (ctx) => this.apiKeyQuery.recordUse(ctx, tenantId, id, this.clock.now(), ipAddress));
  }

  /** Writes at most once a day for each API key and permission. */
  recordPermissionUse({ id, tenantId }: Pick<KnownKey, 'id' | 'tenantId'>, permission: string): void {
    const day = this.clock.now().toISOString().slice(0, 10);
    this.writeOnce(`${id} ${permission} ${day}`, DAY_MS, (ctx) =>
      this.apiKeyQuery.recordPermissionUse(ctx, tenantId, id, permission, day),
    );
  }

  /** Waits for pending writes before the connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }

  private writeOnce(name: string, ttlMs: number, write: (ctx: RequestContext) => Promise<void>): void {
    if (this.recorded.has(name)) return;
    this.recorded.set(name, true, { ttl: ttlMs });
    const pendingWrite = write(systemContext(newId('request')))
      .catch((error: unknown) => {
        this.recorded.delete(name);
        this.logger.warn({ err: error }, 'Could not record the use of an API key.');
      })
      .finally(() => this.pending.delete(pendingWrite));
    this.pending.add(pendingWrite);
  }
}
