import { Injectable } from '@nestjs/common';
import { Clock, newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ExpiredArtifactQuery } from './oauth-artifact.query.js';

const INTERVAL_MS = 600_000;
const BATCH_SIZE = 1_000;

/** Deletes expired codes, tokens and authorization requests every ten minutes, in processes that do background work. */
@Injectable()
export class ArtifactCleanupService extends WorkerLoop {
  constructor(
    private readonly expiredArtifacts: ExpiredArtifactQuery,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    super(config, ArtifactCleanupService.name, INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    const now = this.clock.now();
    return (await this.expiredArtifacts.deleteExpired(systemContext(newId('request')), now, BATCH_SIZE)) === BATCH_SIZE;
  }
}
