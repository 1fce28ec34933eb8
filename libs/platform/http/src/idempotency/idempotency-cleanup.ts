import { Injectable } from '@nestjs/common';
import { newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { IdempotencyQuery } from './idempotency.query.js';

const INTERVAL_MS = 3_600_000;
const BATCH_SIZE = 1_000;

/** Deletes expired records every hour, in processes that do background work. */
@Injectable()
export class IdempotencyCleanup extends WorkerLoop {
  constructor(
    private readonly idempotency: IdempotencyQuery,
    config: AppConfig,
  ) {
    super(config, IdempotencyCleanup.name, INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    return (await this.idempotency.deleteExpired(systemContext(newId('request')), BATCH_SIZE)) === BATCH_SIZE;
  }
}
