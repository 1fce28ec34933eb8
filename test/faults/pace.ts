import { setTimeout as sleep } from 'node:timers/promises';

/** Gives turns by the clock, so many a second, whether what came of those before has ended or not. */
export class Pace {
  private readonly waiting: (() => void)[] = [];
  private stopped = false;

  constructor(private readonly turnsPerSecond: number) {}

  /** How many wait for a turn. */
  get waits(): number {
    return this.waiting.length;
  }

  /** Resolves with the next turn, or at once when no more are given. */
  async turn(): Promise<void> {
    if (!this.stopped) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Gives turns until it is stopped; a turn that no one waits for is told to `onUnused`, which has to make someone wait. */
  async run(onUnused: () => void): Promise<void> {
    const startedAt = performance.now();
    for (let turns = 0; !this.stopped; turns++) {
      await sleep(Math.max(0, startedAt + (turns * 1_000) / this.turnsPerSecond - performance.now()));
      if (this.waiting.length === 0) onUnused();
      this.waiting.shift()?.();
    }
  }

  /** Lets all that wait go on. */
  stop(): void {
    this.stopped = true;
    for (const goOn of this.waiting.splice(0)) goOn();
  }
}
