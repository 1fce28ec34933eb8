import { Injectable } from '@nestjs/common';
import { Clock, newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ExpiredMfaRepository } from './expired-mfa.repository.js';

const INTERVAL_MS = 3_600_000;
const BATCH = 1_000;

/** Removes what waited for a proof in vain, every hour, in the processes that do background work. */
@Injectable()
export class MfaCleanup extends WorkerLoop {
  constructor(
    private readonly expired: ExpiredMfaRepository,
    config: AppConfig,
    private readonly clock: Clock,
  ) {
    super(config, MfaCleanup.name, INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    return this.expired.remove(systemContext(newId('request')), this.clock.now(), BATCH);
  }
}
