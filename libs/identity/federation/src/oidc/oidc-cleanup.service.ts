import { Injectable } from '@nestjs/common';
import { Clock, newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { OidcSignInQuery } from './oidc-sign-in.query.js';

const INTERVAL_MS = 600_000;
const BATCH_SIZE = 1_000;

/** Deletes expired sign-ins every 10 minutes, in processes that do background work. */
@Injectable()
export class OidcCleanupService extends WorkerLoop {
  constructor(
    private readonly oidcSignInQuery: OidcSignInQuery,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    super(config, OidcCleanupService.name, INTERVAL_MS);
  }

  /** Deletes a batch of expired sign-ins. Returns true if the batch was full, so that the next batch follows immediately. */
  async run(): Promise<boolean> {
    return (
      (await this.oidcSignInQuery.deleteExpired(systemContext(newId('request')), this.clock.now(), BATCH_SIZE)) === BATCH_SIZE
    );
  }
}
