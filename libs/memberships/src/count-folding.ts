import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundLoop, systemContext } from '#common';
import { AppConfig } from '#config';
import { TransactionRunner } from '#database';
import { DirectoryCounts } from './directory-counts.repository.js';

const INTERVAL_MS = 1_000;
const BATCH = 5_000;

/** Folds gathered changes of counts, so that reading them stays cheap. */
@Injectable()
export class CountFolding implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop = new BackgroundLoop('CountFolding', INTERVAL_MS, () => this.fold());

  constructor(
    private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly counts: DirectoryCounts,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.loop.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private async fold(): Promise<boolean> {
    const folded = await this.transactions.run(systemContext('count-folding'), (ctx) => this.counts.fold(ctx, BATCH));
    return folded === BATCH;
  }
}
