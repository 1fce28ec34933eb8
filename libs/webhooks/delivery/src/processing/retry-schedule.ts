/**
 * Returns the delay after a failed attempt, in milliseconds; undefined after the last one. Attempts of a round count from 1; attempt n is
 * followed by the n-th delay of the schedule (specification 6.3).
 */
export function delayAfterAttemptMs(attempt: number, scheduleMs: readonly number[]): number | undefined {
  return scheduleMs[attempt - 1];
}

/** A future attempt; it is canceled when an earlier one succeeds. */
export interface ScheduledAttempt {
  /** From 1 over all rounds. */
  readonly number: number;
  /** When it is due; null for all but the next attempt, and while the delivery waits for its webhook. */
  readonly at: Date | null;
  /** Delay after the previous attempt; null for the next attempt. */
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
