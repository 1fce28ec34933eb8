import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { BackgroundLoop } from './background-loop.js';

/**
 * A `BackgroundLoop` that runs for as long as the application does, in processes that do background work. It ends before the stores are
 * closed, so that no run loses its connection.
 */
export abstract class WorkerLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: BackgroundLoop;
  private readonly works: boolean;

  /** `name` and `intervalMs` as for `BackgroundLoop`. */
  protected constructor({ role }: { readonly role: string }, name: string, intervalMs: number) {
    this.works = role !== 'api';
    this.loop = new BackgroundLoop(name, intervalMs, () => this.run());
  }

  onApplicationBootstrap(): void {
    if (this.works) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** One run; true when there is more to do at once. */
  abstract run(): Promise<boolean | void>;
}
