import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the condition is true. @throws Error with `what` after the timeout */
export async function eventually(condition: () => Promise<boolean> | boolean, timeoutMs: number, what: string): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${what}`);
    await sleep(20);
  }
}
