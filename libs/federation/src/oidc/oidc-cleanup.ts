import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundLoop, Clock, newId, systemContext } from '#common';
import { AppConfig } from '#config';
import { OidcSignInRepository } from './oidc-sign-in.repository.js';

const INTERVAL_MS = 600_000;
const BATCH = 1_000;

/** Removes sign-ins that nobody came back from, in the processes that do background work. */
@Injectable()
export class OidcCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new BackgroundLoop(OidcCleanup.name, INTERVAL_MS, () => this.removeSome());

  constructor(
    private readonly signIns: OidcSignInRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  /** Removes a batch; true when there may be more. */
  async removeSome(): Promise<boolean> {
    return (await this.signIns.removeExpired(systemContext(newId('request')), this.clock.now(), BATCH)) === BATCH;
  }
}
