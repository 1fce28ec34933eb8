const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays between attempts, in milliseconds. Links in emails are still valid at the last attempt, after about 20 hours. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS];

export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/** Returns the time of the next attempt after a failed attempt, or null after the last attempt. `attempt` starts at 1. */
export function nextAttemptAfter(attempt: number, failedAt: Date): Date | null {
  const delayMs = DELAYS_MS[attempt - 1];
  return delayMs === undefined ? null : new Date(failedAt.getTime() + delayMs);
}
