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
 * Adds events of earlier releases to the hash chain. Earlier releases assigned positions to events without linking the events. Relays
 * of this release link new events once all earlier events of the tenant are linked.
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

  /** Links one batch of events per tenant. Returns true if more unlinked events may exist. */
  async run(): Promise<boolean> {
    const tenants = await this.chainCatchUp.listTenants(this.ctx, TENANTS_PER_ROUND);
    let hasMore = tenants.length === TENANTS_PER_ROUND;
    for (const tenantId of tenants) {
      const tenantHasMore = await this.transactions.run(this.ctx, (ctx) => this.linkNext(ctx, tenantId));
      hasMore ||= tenantHasMore;
    }
    return hasMore;
  }

  /** Links the next batch of a tenant. Returns true if the tenant may have more unlinked events. */
  private async linkNext(ctx: RequestContext, tenantId: string): Promise<boolean> {
    const end = await this.chainCatchUp.lockStream(ctx, tenantId);
    if (!end) return false;
    const events = await this.chainCatchUp.listEvents(ctx, tenantId, end.chainedPosition, EVENTS_PER_BATCH);
    let hash = end.lastChainHash ?? CHAIN_START;
    // Existing hashes are kept, even wrong hashes, so that a verification finds the wrong hashes.
    const hashes = events.map((event) => (hash = event.chain_hash ?? chainHash(hash, tenantId, BigInt(event.position), event)));
    const ids = events.map(({ id }) => id);
    await this.chainCatchUp.writeHashes(ctx, tenantId, ids, hashes);
    // If there are no events, the unlinked events were deleted from the table. A verification finds the gap.
    await this.chainCatchUp.moveEnd(ctx, tenantId, events.at(-1)?.position, hash);
    return events.length === EVENTS_PER_BATCH;
  }
}
