import { Injectable } from '@nestjs/common';
import { Clock, newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ExpiredSignInQuery } from './expired-sign-in.query.js';

const INTERVAL_MS = 3_600_000;
const BATCH_SIZE = 1_000;
/** Longer than the absence after which a new device is reported. */
const ORIGIN_RETENTION_MS = 400 * 24 * 3_600_000;

/** Deletes failure counts and origins that have no effect anymore. Runs every hour, in processes that do background work. */
@Injectable()
export class SignInCleanupService extends WorkerLoop {
  constructor(
    private readonly expiredSignIn: ExpiredSignInQuery,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    super(config, SignInCleanupService.name, INTERVAL_MS);
  }

  /** Deletes a batch of failure counts and a batch of origins. Returns whether more rows can exist. */
  async run(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const now = this.clock.now();
    const failures = await this.expiredSignIn.deleteFailures(ctx, now, BATCH_SIZE);
    const origins = await this.expiredSignIn.deleteOrigins(ctx, new Date(now.getTime() - ORIGIN_RETENTION_MS), BATCH_SIZE);
    return failures === BATCH_SIZE || origins === BATCH_SIZE;
  }
}
