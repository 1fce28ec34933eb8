import { Injectable } from '@nestjs/common';
import { Clock, newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { SessionCallersService } from '#identity/session-access';
import { ImpersonationSessionsService } from './impersonation-sessions.service.js';
import { ImpersonationQuery } from './impersonation.query.js';

const INTERVAL_MS = 5_000;
const BATCH_SIZE = 100;

/**
 * Records which impersonations are over, with their events and emails, in worker processes. Sessions of impersonators end without this
 * service, because `SessionCallersService` decides at each request.
 */
@Injectable()
export class ImpersonationSweepService extends WorkerLoop {
  /** The last impersonation of the previous batch. */
  private afterId = '';

  constructor(
    config: AppConfig,
    private readonly impersonations: ImpersonationQuery,
    private readonly impersonationSessions: ImpersonationSessionsService,
    private readonly sessionCallers: SessionCallersService,
    private readonly clock: Clock,
  ) {
    super(config, 'ImpersonationSweep', INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const batch = await this.impersonations.listToCheck(ctx, this.clock.now(), this.afterId, BATCH_SIZE);
    for (const { tenantId, id, userId, sessionId, isOverdue } of batch) {
      const isOver = isOverdue || !sessionId || !(await this.sessionCallers.isActive({ tenantId, id: userId }, sessionId));
      if (isOver) await this.impersonationSessions.closeOverdue(ctx, { tenantId, id });
    }
    const isFull = batch.length === BATCH_SIZE;
    this.afterId = isFull ? (batch.at(-1)?.id ?? '') : '';
    return isFull;
  }
}
