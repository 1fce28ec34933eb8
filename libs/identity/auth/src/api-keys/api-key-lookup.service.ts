import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newId, type RequestContext, systemContext } from '#platform/common';
import { Notifications, TransactionRunner } from '#platform/database';
import { LRUCache } from 'lru-cache';
import { ApiKeyQuery, type KnownKey } from './api-key.query.js';

/** The notification channel for changed credentials and permissions. The payload is an API key id, or `*` for all keys. */
export const ACCESS_CHANGED_CHANNEL = 'access_changed';

const MAX_KEYS = 10_000;
/** The lifetime of a cached key. A revocation takes effect within a second, even if its notification is lost. */
const CACHE_TTL_MS = 800;

/**
 * Finds API keys by hash and caches the keys briefly, to save queries. A change clears the caches of all processes. A process that can't
 * receive notifications caches nothing.
 */
@Injectable()
export class ApiKeyLookupService implements OnModuleInit {
  private readonly cache = new LRUCache<string, KnownKey>({ max: MAX_KEYS, ttl: CACHE_TTL_MS });
  /** The number of changes. A lookup that began before a change is not cached. */
  private generation = 0;

  constructor(
    private readonly apiKeyQuery: ApiKeyQuery,
    private readonly notifications: Notifications,
    private readonly transactions: TransactionRunner,
  ) {}

  onModuleInit(): void {
    this.notifications.on(ACCESS_CHANGED_CHANNEL, () => this.clear());
    this.notifications.onReconnect(() => this.clear());
  }

  async find(hash: Buffer): Promise<KnownKey | undefined> {
    const cacheKey = hash.toString('base64');
    const cached = this.notifications.connected ? this.cache.get(cacheKey) : undefined;
    if (cached) return cached;
    const { generation } = this;
    const start = performance.now();
    const key = await this.apiKeyQuery.findByHash(systemContext(newId('request')), hash);
    if (key && this.notifications.connected && generation === this.generation) this.cache.set(cacheKey, key, { start });
    return key;
  }

  /** Clears the caches of all processes after the context's transaction has committed. */
  invalidate(ctx: RequestContext, keyId: string): void {
    this.transactions.afterCommit(ctx, () => {
      this.clear();
      this.notifications.notify(ACCESS_CHANGED_CHANNEL, keyId);
    });
  }

  private clear(): void {
    this.generation++;
    this.cache.clear();
  }
}
