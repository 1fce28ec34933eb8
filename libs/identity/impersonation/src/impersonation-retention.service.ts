import { Injectable } from '@nestjs/common';
import { Clock, newId, type RequestContext, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { type DomainEvent, OnDomainEvent } from '#platform/events';
import { ImpersonationQuery } from './impersonation.query.js';

const INTERVAL_MS = 3_600_000;
const RETENTION_MS = 365 * 24 * 3_600_000;

/** Deletes impersonations a year after the request, and the email addresses of impersonators who were deleted permanently. */
@Injectable()
export class ImpersonationRetentionService extends WorkerLoop {
  constructor(
    config: AppConfig,
    private readonly impersonations: ImpersonationQuery,
    private readonly clock: Clock,
  ) {
    super(config, 'ImpersonationRetention', INTERVAL_MS);
  }

  async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - RETENTION_MS);
    await this.impersonations.deleteBefore(systemContext(newId('request')), before);
  }

  @OnDomainEvent('user.deleted', { mode: 'transactional' })
  async forgetImpersonator(ctx: RequestContext, { data }: DomainEvent<'user.deleted'>): Promise<void> {
    if (data.permanent) await this.impersonations.forgetImpersonator(ctx, data.id);
  }
}
