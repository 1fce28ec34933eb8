import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { BackgroundLoop } from './background-loop.js';

/** Base class for a `BackgroundLoop` in processes that do background work. The loop stops before the database connections are closed. */
export abstract class WorkerLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: BackgroundLoop;
  private readonly isWorker: boolean;

  protected constructor({ role }: { readonly role: string }, name: string, intervalMs: number) {
    this.isWorker = role !== 'api';
    this.loop = new BackgroundLoop(name, intervalMs, () => this.run());
  }

  onApplicationBootstrap(): void {
    if (this.isWorker) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Requests a run as soon as possible, if this process does background work. */
  protected wake(): void {
    this.loop.wake();
  }

  /** Does one run. Returns true if the next run must follow immediately. */
  abstract run(): Promise<boolean | void>;
}
