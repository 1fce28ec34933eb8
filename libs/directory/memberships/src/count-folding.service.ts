import { Injectable } from '@nestjs/common';
import { systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { TransactionRunner } from '#platform/database';
import { DirectoryCountsQuery } from './directory-counts.query.js';

const INTERVAL_MS = 1_000;
const BATCH_SIZE = 5_000;

/** Folds the deltas of counts into the base counts, so that reads stay fast. */
@Injectable()
export class CountFoldingService extends WorkerLoop {
  constructor(
    config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly counts: DirectoryCountsQuery,
  ) {
    super(config, 'CountFolding', INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    const folded = await this.transactions.run(systemContext('count-folding'), (ctx) => this.counts.fold(ctx, BATCH_SIZE));
    return folded === BATCH_SIZE;
  }
}
