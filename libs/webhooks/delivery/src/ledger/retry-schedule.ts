/**
 * Returns the delay after a failed attempt, in milliseconds, or undefined after the last attempt. Attempts of a round count from 1. The
 * delay after attempt n is the n-th delay of the schedule (specification 6.3).
 */
export function delayAfterAttemptMs(attempt: number, scheduleMs: readonly number[]): number | undefined {
  return scheduleMs[attempt - 1];
}

/** A future attempt, which is canceled if an earlier attempt succeeds. */
export interface ScheduledAttempt {
  /** Number of the attempt, counted from 1 over all rounds. */
  readonly number: number;
  /** Time of the next attempt. Null for later attempts, and while the delivery waits until its webhook is enabled. */
  readonly at: Date | null;
  /** Delay after the previous attempt, or null for the next attempt. */
  readonly afterSeconds: number | null;
}

/** Returns the remaining attempts of a delivery. */
export function remainingAttempts(
  delivery: { readonly attemptCount: number; readonly attemptsBefore: number; readonly nextAttemptAt: Date | null },
  scheduleMs: readonly number[],
): ScheduledAttempt[] {
  const { attemptCount, attemptsBefore, nextAttemptAt } = delivery;
  const next = { number: attemptCount + 1, at: nextAttemptAt, afterSeconds: null };
  const later = scheduleMs
    .slice(attemptCount - attemptsBefore)
    .map((delayMs, index) => ({ number: next.number + 1 + index, at: null, afterSeconds: delayMs / 1_000 }));
  return [next, ...later];
}
