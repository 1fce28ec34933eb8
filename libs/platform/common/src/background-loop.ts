import { Logger } from '@nestjs/common';

/**
 * Work that a process does over and over: every `intervalMs`, and at once when woken. Runs never overlap; a failure is logged and the
 * next run is tried after the interval. When `work` gives true, there is more to do and it runs again at once.
 */
export class BackgroundLoop {
  private readonly logger: Logger;
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  private wanted = false;
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

  /** Asks for a run as soon as possible; asking during a run makes it run once more afterwards. */
  wake(): void {
    if (this.stopped) return;
    this.wanted = true;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
      if (this.wanted) this.wake();
    });
  }

  /** Starts no further run and waits for the one under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wanted = false;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    try {
      while (this.wanted && !this.stopped) {
        this.wanted = false;
        if (await this.work()) this.wanted = true;
      }
    } catch (error) {
      this.wanted = false;
      if (!this.stopped) this.logger.error({ err: error }, `${this.name} failed; retrying in ${this.intervalMs} ms.`);
    }
    if (!this.stopped) this.timer = setTimeout(() => this.wake(), this.intervalMs).unref();
  }
}
