import { Injectable } from '@nestjs/common';
import { Clock, newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ExpiredSignInQuery } from './expired-sign-in.query.js';

const INTERVAL_MS = 3_600_000;
const BATCH = 1_000;
/** Longer than any absence that is judged by it. */
const ORIGINS_KEPT_MS = 400 * 24 * 3_600_000;

/** Removes counts of failures and origins that no longer matter, every hour, in the processes that do background work. */
@Injectable()
export class SignInCleanup extends WorkerLoop {
  constructor(
    private readonly expired: ExpiredSignInQuery,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    super(config, SignInCleanup.name, INTERVAL_MS);
  }

  /** Removes what has no effect any more, a batch of each kind; true when there may be more. */
  async run(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const now = this.clock.now();
    const failures = await this.expired.deleteFailures(ctx, now, BATCH);
    const origins = await this.expired.deleteOrigins(ctx, new Date(now.getTime() - ORIGINS_KEPT_MS), BATCH);
    return failures === BATCH || origins === BATCH;
  }
}
