import { setTimeout as sleep } from 'node:timers/promises';

/** Starts turns at a constant rate per second, whether earlier turns have ended or not. */
export class Pace {
  private readonly waiting: (() => void)[] = [];
  private stopped = false;

  constructor(private readonly turnsPerSecond: number) {}

  /** The number of callers that wait for a turn. */
  get waits(): number {
    return this.waiting.length;
  }

  /** Resolves with the next turn, or at once after `stop()`. */
  async turn(): Promise<void> {
    if (!this.stopped) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Starts turns until it is stopped. Calls `onUnused` if nothing waits for a turn; it must add a caller that waits. */
  async run(onUnused: () => void): Promise<void> {
    const startedAt = performance.now();
    for (let turns = 0; !this.stopped; turns++) {
      await sleep(Math.max(0, startedAt + (turns * 1_000) / this.turnsPerSecond - performance.now()));
      if (this.waiting.length === 0) onUnused();
      this.waiting.shift()?.();
    }
  }

  /** Resolves all waiting turns. */
  stop(): void {
    this.stopped = true;
    for (const goOn of this.waiting.splice(0)) goOn();
  }
}
