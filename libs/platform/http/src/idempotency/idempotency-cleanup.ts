import { Injectable } from '@nestjs/common';
import { newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { IdempotencyRepository } from './idempotency.repository.js';

const INTERVAL_MS = 3_600_000;
const BATCH = 1_000;

/** Removes kept answers that have grown too old, every hour, in the processes that do background work. */
@Injectable()
export class IdempotencyCleanup extends WorkerLoop {
  constructor(
    private readonly records: IdempotencyRepository,
    config: AppConfig,
  ) {
    super(config, IdempotencyCleanup.name, INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    return (await this.records.removeOld(systemContext(newId('request')), BATCH)) === BATCH;
  }
}
