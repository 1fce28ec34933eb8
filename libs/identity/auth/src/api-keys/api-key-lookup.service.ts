import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newId, type RequestContext, systemContext } from '#platform/common';
import { Notifications, TransactionRunner } from '#platform/database';
import { LRUCache } from 'lru-cache';
import { ApiKeyQuery, type KnownKey } from './api-key.query.js';

/** Processes say on this channel that a credential or permission changed; the payload is the key's id, or `*` for anything. */
export const ACCESS_CHANGED_CHANNEL = 'access_changed';

const MAX_KEYS = 10_000;
/** Below the second within which a revocation must count everywhere, should a notification be lost on a connection that only seems alive. */
const KEPT_MS = 800;

/**
 * Finds keys by hash and remembers them for a moment, so that a busy key costs no query for each request. A change anywhere makes all
 * processes forget at once; one that can't hear the others right now remembers nothing.
 */
@Injectable()
export class ApiKeyLookupService implements OnModuleInit {
  private readonly known = new LRUCache<string, KnownKey>({ max: MAX_KEYS, ttl: KEPT_MS });
  /** Tells a look-up that began before a change from one that began after it. */
  private generation = 0;

  constructor(
    private readonly query: ApiKeyQuery,
    private readonly notifications: Notifications,
    private readonly transactions: TransactionRunner,
  ) {}

  onModuleInit(): void {
    this.notifications.on(ACCESS_CHANGED_CHANNEL, () => this.forget());
    this.notifications.onReconnect(() => this.forget());
  }

  /** The key with this hash, as it was at most `KEPT_MS` ago. */
  async find(hash: Buffer): Promise<KnownKey | undefined> {
    const name = hash.toString('base64');
    const remembered = this.notifications.connected ? this.known.get(name) : undefined;
    if (remembered) return remembered;
    const { generation } = this;
    const start = performance.now();
    const found = await this.query.findByHash(systemContext(newId('request')), hash);
    if (found && this.notifications.connected && generation === this.generation) this.known.set(name, found, { start });
    return found;
  }

  /** Makes this process and all others forget, once the context's transaction has committed. */
  changed(ctx: RequestContext, keyId: string): void {
    this.transactions.afterCommit(ctx, () => {
      this.forget();
      this.notifications.notify(ACCESS_CHANGED_CHANNEL, keyId);
    });
  }

  private forget(): void {
    this.generation++;
    this.known.clear();
  }
}
