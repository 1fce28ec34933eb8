import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock, newId, type RequestContext, systemContext } from '#platform/common';
import { LRUCache } from 'lru-cache';
import { ApiKeyQuery, type KnownKey } from './api-key.query.js';

const INTERVAL_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_NOTED = 50_000;

/** Keeps when, from where and for what each key was last used. No request waits for a write. */
@Injectable()
export class ApiKeyUsageService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ApiKeyUsageService.name);
  private readonly noted = new LRUCache<string, true>({ max: MAX_NOTED });
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly query: ApiKeyQuery,
    private readonly clock: Clock,
  ) {}

  /** At most one write a minute and key. */
  note({ id, tenantId }: Pick<KnownKey, 'id' | 'tenantId'>, ipAddress: string | undefined): void {
    this.once(id, INTERVAL_MS, (ctx) => this.query.recordUse(ctx, tenantId, id, this.clock.now(), ipAddress));
  }

  /** At most one write a day, key and permission. */
  notePermission({ id, tenantId }: Pick<KnownKey, 'id' | 'tenantId'>, permission: string): void {
    const day = this.clock.now().toISOString().slice(0, 10);
    this.once(`${id} ${permission} ${day}`, DAY_MS, (ctx) => this.query.recordPermissionUse(ctx, tenantId, id, permission, day));
  }

  /** Waits for the writes under way, before the connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private once(what: string, ttl: number, write: (ctx: RequestContext) => Promise<void>): void {
    if (this.noted.has(what)) return;
    this.noted.set(what, true, { ttl });
    const writing = write(systemContext(newId('request')))
      .catch((error: unknown) => {
        this.noted.delete(what);
        this.logger.warn({ err: error }, 'Could not record the use of an API key.');
      })
      .finally(() => this.underWay.delete(writing));
    this.underWay.add(writing);
  }
}
