import type { AppLogger } from '#platform/observability';

const STEP_MARGIN_MS = 3_000;

type Step = (remainingMs: number) => Promise<void>;

/**
 * Stops the process in order. Each started component adds a step. SIGTERM and SIGINT run the steps in reverse order and exit with
 * 0. All steps together have `timeoutMs`; each step has a margin in addition. A second signal exits immediately.
 */
export class Shutdown {
  private readonly steps: { name: string; stop: Step }[] = [];
  private running?: Promise<void>;

  constructor(
    private readonly timeoutMs: number,
    private readonly logger: AppLogger,
  ) {}

  add(name: string, stop: Step): void {
    this.steps.push({ name, stop });
  }

  /** Handles the signals in the only process or in the primary. */
  listen(): void {
    this.exitOnSignals((signal) => {
      if (this.running) process.exit(1);
      this.logger.log(
        `${signal}: finishing work in progress, for at most ${this.timeoutMs} ms. Another signal ends the process immediately.`,
      );
    });
  }

  /**
   * Handles the signals in one of several processes. Does not log the signal or exit at a second signal, because the primary
   * does.
   */
  follow(): void {
    this.exitOnSignals(() => undefined);
  }

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Runs all steps, once. Logs steps that fail or time out, and continues. */
  run(): Promise<void> {
    return (this.running ??= this.stopAll());
  }

  private exitOnSignals(first: (signal: NodeJS.Signals) => void): void {
    const onSignal = (signal: NodeJS.Signals) => {
      first(signal);
      // Not awaited: `run` never rejects, because it logs errors of steps.
      void this.run().then(() => process.exit(0));
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  }

  private async stopAll(): Promise<void> {
    const deadline = Date.now() + this.timeoutMs;
    for (const { name, stop } of this.steps.toReversed()) {
      const remainingMs = Math.max(deadline - Date.now(), 0);
      try {
        await withTimeout(remainingMs + STEP_MARGIN_MS, stop(remainingMs));
      } catch (error) {
        this.logger.error(`Could not stop the ${name} gracefully.`, { err: error });
      }
    }
  }
}

async function withTimeout(timeoutMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
