import { Injectable } from '@nestjs/common';
import { Clock, newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ExpiredMfaQuery } from './expired-mfa.query.js';

const INTERVAL_MS = 3_600_000;
const BATCH_SIZE = 1_000;

/** Deletes expired challenges and enrolments every hour, in processes that do background work. */
@Injectable()
export class MfaCleanupService extends WorkerLoop {
  constructor(
    private readonly expiredMfa: ExpiredMfaQuery,
    config: AppConfig,
    private readonly clock: Clock,
  ) {
    super(config, MfaCleanupService.name, INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    return this.expiredMfa.delete(systemContext(newId('request')), this.clock.now(), BATCH_SIZE);
  }
}
