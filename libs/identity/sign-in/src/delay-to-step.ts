import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Delays the result of `work` to the next multiple of `stepMs`. The response time then reveals nothing about work that takes less than one
 * step (OWASP ASVS 6.3.8).
 */
export async function delayToStep<T>(stepMs: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    const tookMs = performance.now() - start;
    await sleep(Math.max(1, Math.ceil(tookMs / stepMs)) * stepMs - tookMs);
  }
}
