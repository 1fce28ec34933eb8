import { Injectable } from '@nestjs/common';
import { type RequestContext, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { TransactionRunner } from '#platform/database';
import { ChainCatchUpQuery } from './chain-catch-up.query.js';
import { CHAIN_START, chainHash } from './chain-hash.js';

const INTERVAL_MS = 60_000;
const TENANTS_PER_ROUND = 100;
const EVENTS_PER_BATCH = 2_000;

/**
 * Links events that a process of an earlier release positioned without linking them. Relays link the events that they position, as soon
 * as all earlier events of the tenant are linked.
 */
@Injectable()
export class ChainCatchUp extends WorkerLoop {
  private readonly ctx: RequestContext = systemContext('chain-catch-up');

  constructor(
    config: AppConfig,
    private readonly chainCatchUp: ChainCatchUpQuery,
    private readonly transactions: TransactionRunner,
  ) {
    super(config, 'Chain catch-up', INTERVAL_MS);
  }

  /** Links one batch of events of each tenant. Returns true if events may be left. */
  async run(): Promise<boolean> {
    const tenants = await this.chainCatchUp.listTenants(this.ctx, TENANTS_PER_ROUND);
    let hasMore = tenants.length === TENANTS_PER_ROUND;
    for (const tenantId of tenants) {
      const tenantHasMore = await this.transactions.run(this.ctx, (ctx) => this.linkNext(ctx, tenantId));
      hasMore ||= tenantHasMore;
    }
    return hasMore;
  }

  /** Links the next batch of a tenant. Returns false if all events are linked, or if a relay has locked the stream. */
  private async linkNext(ctx: RequestContext, tenantId: string): Promise<boolean> {
    const end = await this.chainCatchUp.lockStream(ctx, tenantId);
    if (!end) return false;
    const events = await this.chainCatchUp.listEvents(ctx, tenantId, end.chainedPosition, EVENTS_PER_BATCH);
    let hash = end.lastChainHash ?? CHAIN_START;
    // An existing hash is never computed again: if it is wrong, a verification must find it.
    const hashes = events.map((event) => (hash = event.chain_hash ?? chainHash(hash, tenantId, BigInt(event.position), event)));
    const ids = events.map(({ id }) => id);
    await this.chainCatchUp.writeHashes(ctx, tenantId, ids, hashes);
    // If there are no events, the unlinked events were deleted from the table. A verification finds the gap.
    await this.chainCatchUp.moveEnd(ctx, tenantId, events.at(-1)?.position, hash);
    return events.length === EVENTS_PER_BATCH;
  }
}
