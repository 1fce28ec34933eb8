const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits before the second attempt, the third and so on: together 20 hours, so that links in mails are still good when they arrive. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS];

export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/** When to try again after the failed attempt of that number (1-based); null: never again. */
export function nextAttemptAfter(attempt: number, failedAt: Date): Date | null {
  const delayMs = DELAYS_MS[attempt - 1];
  return delayMs === undefined ? null : new Date(failedAt.getTime() + delayMs);
}
