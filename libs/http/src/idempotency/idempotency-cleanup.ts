import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundLoop, newId, systemContext } from '#common';
import { AppConfig } from '#config';
import { IdempotencyRepository } from './idempotency.repository.js';

const INTERVAL_MS = 3_600_000;
const BATCH = 1_000;

/** Removes kept answers that have grown too old, every hour, in the processes that do background work. */
@Injectable()
export class IdempotencyCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new BackgroundLoop(IdempotencyCleanup.name, INTERVAL_MS, () => this.removeSome());

  constructor(
    private readonly records: IdempotencyRepository,
    private readonly config: AppConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  private async removeSome(): Promise<boolean> {
    return (await this.records.removeOld(systemContext(newId('request')), BATCH)) === BATCH;
  }
}
