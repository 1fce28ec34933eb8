/**
 * How long to wait after a failed attempt, in milliseconds; undefined after the last one. Attempts of a round count from 1, and each
 * failed one is followed by the schedule's delay of the same number (specification 6.3).
 */
export function delayAfterAttemptMs(attempt: number, scheduleMs: readonly number[]): number | undefined {
  return scheduleMs[attempt - 1];
}
