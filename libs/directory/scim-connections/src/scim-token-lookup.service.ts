import { Injectable, Logger } from '@nestjs/common';
import { Clock, newId, systemContext } from '#platform/common';
import { LRUCache } from 'lru-cache';
import { type KnownScimToken, ScimTokenQuery } from './scim-token.query.js';

const USE_INTERVAL_MS = 60_000;

/** Finds tokens by hash, and records their last use at most once a minute. */
@Injectable()
export class ScimTokenLookupService {
  private readonly logger = new Logger(ScimTokenLookupService.name);
  private readonly recorded = new LRUCache<string, true>({ max: 10_000, ttl: USE_INTERVAL_MS });

  constructor(
    private readonly tokenQuery: ScimTokenQuery,
    private readonly clock: Clock,
  ) {}

  find(hash: Buffer): Promise<KnownScimToken | undefined> {
    return this.tokenQuery.findByHash(systemContext(newId('request')), hash);
  }

  /** A request does not fail if its use can't be recorded. */
  async recordUse(token: KnownScimToken): Promise<void> {
    if (this.recorded.has(token.id)) return;
    this.recorded.set(token.id, true);
    try {
      await this.tokenQuery.recordUse(systemContext(newId('request')), token, this.clock.now());
    } catch (error) {
      this.recorded.delete(token.id);
      this.logger.warn({ err: error }, 'Could not record the use of a SCIM token.');
    }
  }
}
