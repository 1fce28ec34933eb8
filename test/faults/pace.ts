import { setTimeout as sleep } from 'node:timers/promises';

/** Starts turns at a constant rate per second, without waiting for the end of earlier turns. */
export class Pace {
  private readonly waiting: (() => void)[] = [];
  private stopped = false;

  constructor(private readonly turnsPerSecond: number) {}

  /** The number of callers that wait for a turn. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Resolves at the next turn, or immediately after `stop()`. */
  async turn(): Promise<void> {
    if (!this.stopped) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Starts turns until `stop()`. Calls `onUnused` when no caller waits for a turn. `onUnused` must add a caller. */
  async run(onUnused: () => void): Promise<void> {
    const startedAt = performance.now();
    for (let turns = 0; !this.stopped; turns++) {
      await sleep(Math.max(0, startedAt + (turns * 1_000) / this.turnsPerSecond - performance.now()));
      if (this.waiting.length === 0) onUnused();
      this.waiting.shift()?.();
    }
  }

  /** Stops the turns and resolves all waiting callers. */
  stop(): void {
    this.stopped = true;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
