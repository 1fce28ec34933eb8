import type { AppLogger } from '#platform/observability';

const LAST_STEPS_MS = 3_000;

type Step = (remainingMs: number) => Promise<void>;

/**
 * Stops the process in order. What is started registers how it is stopped; SIGTERM and SIGINT run these steps in reverse, together
 * bounded by `limitMs` (and a little more, so that a database of our own is always told to stop), and end the process with 0.
 * A second signal ends it at once.
 */
export class Shutdown {
  private readonly steps: { name: string; stop: Step }[] = [];
  private running?: Promise<void>;

  constructor(
    private readonly limitMs: number,
    private readonly logger: AppLogger,
  ) {}

  /** Registers how something that just started is stopped. */
  add(name: string, stop: Step): void {
    this.steps.push({ name, stop });
  }

  listen(): void {
    this.endOnSignals((signal) => {
      if (this.running) process.exit(1);
      this.logger.log(
        `${signal}: finishing work in progress, for at most ${this.limitMs} ms. Another signal ends the process immediately.`,
      );
    });
  }

  /** As one of several processes: the same, but how it goes and when all end at once is said by the primary, which gets the signals, too. */
  follow(): void {
    this.endOnSignals(() => undefined);
  }

  /** Whether the process is stopping already. */
  get underWay(): boolean {
    return this.running !== undefined;
  }

  /** Runs all steps, once; one that fails or takes too long is logged and left. */
  run(): Promise<void> {
    return (this.running ??= this.stopAll());
  }

  private endOnSignals(first: (signal: NodeJS.Signals) => void): void {
    const onSignal = (signal: NodeJS.Signals) => {
      first(signal);
      // Nobody waits for a signal's handler, and stopping never fails: what its steps throw is logged.
      void this.run().then(() => process.exit(0));
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  }

  private async stopAll(): Promise<void> {
    const deadline = Date.now() + this.limitMs;
    for (const { name, stop } of this.steps.toReversed()) {
      const remainingMs = Math.max(deadline - Date.now(), 0);
      try {
        await within(remainingMs + LAST_STEPS_MS, stop(remainingMs));
      } catch (error) {
        this.logger.error(`Could not stop the ${name} gracefully.`, { err: error });
      }
    }
  }
}

async function within(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${limitMs} ms.`)), limitMs);
  });
  try {
    await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
