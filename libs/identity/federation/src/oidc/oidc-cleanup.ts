import { Injectable } from '@nestjs/common';
import { Clock, newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { OidcSignInRepository } from './oidc-sign-in.repository.js';

const INTERVAL_MS = 600_000;
const BATCH = 1_000;

/** Removes sign-ins that nobody came back from, in the processes that do background work. */
@Injectable()
export class OidcCleanup extends WorkerLoop {
  constructor(
    private readonly signIns: OidcSignInRepository,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    super(config, OidcCleanup.name, INTERVAL_MS);
  }

  /** Removes a batch; true when there may be more. */
  async run(): Promise<boolean> {
    return (await this.signIns.removeExpired(systemContext(newId('request')), this.clock.now(), BATCH)) === BATCH;
  }
}
