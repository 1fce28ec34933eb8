/**
 * How long to wait after a failed attempt, in milliseconds; undefined after the last one. Attempts of a round count from 1, and each
 * failed one is followed by the schedule's delay of the same number (specification 6.3).
 */
export function delayAfterAttemptMs(attempt: number, scheduleMs: readonly number[]): number | undefined {
  return scheduleMs[attempt - 1];
}

/** An attempt that is still to come, unless an earlier one succeeds. */
export interface ScheduledAttempt {
  /** From 1 over all rounds. */
  readonly number: number;
  /** When it is due; known of the next one only, and not as long as the delivery is held back. */
  readonly at: Date | null;
  /** How long after the one before; null for the next one. */
  readonly afterSeconds: number | null;
}

/** What is left of the schedule for a delivery that has had so many attempts, some of them in earlier rounds. */
export function attemptsToCome(
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
