import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Lets the outcome be known only when a whole number of steps has passed since the start, so that the time does not tell what was done,
 * as long as that takes less than a step. (OWASP ASVS 6.3.8)
 */
export async function inEvenTime<T>(stepMs: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    const tookMs = performance.now() - start;
    await sleep(Math.max(1, Math.ceil(tookMs / stepMs)) * stepMs - tookMs);
  }
}
