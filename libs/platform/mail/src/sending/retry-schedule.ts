const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays before the second attempt, the third and so on: together 20 hours, so that links in emails have not expired at the last one. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS];

export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/** Returns the time of the next attempt after a failed one, or null after the last one. `attempt` starts at 1. */
export function nextAttemptAfter(attempt: number, failedAt: Date): Date | null {
  const delayMs = DELAYS_MS[attempt - 1];
  return delayMs === undefined ? null : new Date(failedAt.getTime() + delayMs);
}
