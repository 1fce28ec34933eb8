import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundLoop, Clock, newId, systemContext } from '#common';
import { AppConfig } from '#config';
import { SignInFailureRepository } from './sign-in-failure.repository.js';
import { SignInOriginRepository } from './sign-in-origin.repository.js';

const INTERVAL_MS = 3_600_000;
const BATCH = 1_000;
/** Longer than any absence that is judged by it. */
const ORIGINS_KEPT_MS = 400 * 24 * 3_600_000;

/** Removes counts of failures and origins that no longer matter, every hour, in the processes that do background work. */
@Injectable()
export class SignInCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new BackgroundLoop(SignInCleanup.name, INTERVAL_MS, () => this.removeSome());

  constructor(
    private readonly failures: SignInFailureRepository,
    private readonly origins: SignInOriginRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  /** Removes what has no effect any more, a batch of each kind; true when there may be more. */
  async removeSome(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const now = this.clock.now();
    const failures = await this.failures.removeOld(ctx, now, BATCH);
    const origins = await this.origins.removeUnseen(ctx, new Date(now.getTime() - ORIGINS_KEPT_MS), BATCH);
    return failures === BATCH || origins === BATCH;
  }
}
