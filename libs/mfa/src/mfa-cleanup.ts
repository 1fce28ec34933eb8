import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundLoop, Clock, newId, systemContext } from '#common';
import { AppConfig } from '#config';
import { ExpiredMfaRepository } from './expired-mfa.repository.js';

const INTERVAL_MS = 3_600_000;
const BATCH = 1_000;

/** Removes what waited for a proof in vain, every hour, in the processes that do background work. */
@Injectable()
export class MfaCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new BackgroundLoop(MfaCleanup.name, INTERVAL_MS, () => this.removeSome());

  constructor(
    private readonly expired: ExpiredMfaRepository,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  private async removeSome(): Promise<boolean> {
    return this.expired.remove(systemContext(newId('request')), this.clock.now(), BATCH);
  }
}
