import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock, newId, systemContext } from '#common';
import { LRUCache } from 'lru-cache';
import { ApiKeyRepository, type KnownKey } from './api-key.repository.js';

const INTERVAL_MS = 60_000;
const MAX_KEYS = 10_000;

/** Keeps when and from where each key was last used: at most one write a minute and key, and none that a request waits for. */
@Injectable()
export class KeyUsage implements BeforeApplicationShutdown {
  private readonly logger = new Logger(KeyUsage.name);
  private readonly noted = new LRUCache<string, true>({ max: MAX_KEYS, ttl: INTERVAL_MS });
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
  ) {}

  note({ id, tenantId }: KnownKey, ipAddress: string | undefined): void {
    if (this.noted.has(id)) return;
    this.noted.set(id, true);
    const write = this.keys
      .touch(systemContext(newId('request')), tenantId, id, this.clock.now(), ipAddress)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'Could not note the use of an API key.'))
      .finally(() => this.underWay.delete(write));
    this.underWay.add(write);
  }

  /** Waits for the writes under way, before the connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.underWay);
  }
}
