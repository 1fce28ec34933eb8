import { Injectable } from '@nestjs/common';
import { type RequestContext, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { TransactionRunner } from '#platform/database';
import { ChainCatchUpRepository } from './chain-catch-up.repository.js';

const INTERVAL_MS = 60_000;
const TENANTS_PER_ROUND = 100;
const EVENTS_PER_BATCH = 2_000;

/**
 * Brings the chain up to the last numbered event where a process of an earlier release numbered events without linking them. Relays
 * link what they number themselves, and go on doing so once a tenant has been caught up with.
 */
@Injectable()
export class ChainCatchUp extends WorkerLoop {
  private readonly ctx: RequestContext = systemContext('chain-catch-up');

  constructor(
    config: AppConfig,
    private readonly repository: ChainCatchUpRepository,
    private readonly transactions: TransactionRunner,
  ) {
    super(config, 'Chain catch-up', INTERVAL_MS);
  }

  /** One batch for each tenant that is behind; true when there is more to do. */
  async run(): Promise<boolean> {
    const tenants = await this.repository.tenantsBehind(this.ctx, TENANTS_PER_ROUND);
    let more = tenants.length === TENANTS_PER_ROUND;
    for (const tenantId of tenants) {
      const linked = await this.transactions.run(this.ctx, (ctx) => this.repository.linkNext(ctx, tenantId, EVENTS_PER_BATCH));
      more ||= linked;
    }
    return more;
  }
}
