import { setTimeout as sleep } from 'node:timers/promises';

/** Lets callers start work at a constant rate. Does not wait for the end of earlier work. */
export class Pace {
  private readonly waiting: (() => void)[] = [];
  private stopped = false;

  constructor(private readonly turnsPerSecond: number) {}

  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Resolves when the caller can start. Resolves immediately after `stop()`. */
  async turn(): Promise<void> {
    if (!this.stopped) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Resolves one waiting caller per interval until `stop()`. Calls `onUnused` when no caller is waiting. `onUnused` must add a caller. */
  async run(onUnused: () => void): Promise<void> {
    const startedAt = performance.now();
    for (let turns = 0; !this.stopped; turns++) {
      await sleep(Math.max(0, startedAt + (turns * 1_000) / this.turnsPerSecond - performance.now()));
      if (this.waiting.length === 0) onUnused();
      this.waiting.shift()?.();
    }
  }

  /** Stops and resolves all waiting callers. */
  stop(): void {
    this.stopped = true;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
