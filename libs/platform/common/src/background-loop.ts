import { Logger } from '@nestjs/common';

/**
 * Runs `work` every `intervalMs`, and immediately after `wake()`. Runs never overlap. If `work` returns true, the next run starts
 * immediately. Errors are logged.
 */
export class BackgroundLoop {
  private readonly logger: Logger;
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  private isRequested = false;
  private stopped = true;

  constructor(
    private readonly name: string,
    private readonly intervalMs: number,
    private readonly work: () => Promise<boolean | void>,
  ) {
    this.logger = new Logger(name);
  }

  start(): void {
    this.stopped = false;
    this.wake();
  }

  /** Requests a run as soon as possible. If a run is in progress, the requested run starts after it. */
  wake(): void {
    if (this.stopped) return;
    this.isRequested = true;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
      if (this.isRequested) this.wake();
    });
  }

  /** Stops the loop and waits for the current run. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.isRequested = false;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    try {
      while (this.isRequested && !this.stopped) {
        this.isRequested = false;
        if (await this.work()) this.isRequested = true;
      }
    } catch (error) {
      this.isRequested = false;
      if (!this.stopped) this.logger.error({ err: error }, `${this.name} failed; retrying in ${this.intervalMs} ms.`);
    }
    if (!this.stopped) this.timer = setTimeout(() => this.wake(), this.intervalMs).unref();
  }
}
