const MINUTE_MS = 60_000;

/** The number of failures in a row from one IP address that locks the account for this IP address. */
export const FAILURES_UNTIL_LOCK = 5;
/** The time without a failure or a lock after which the count of failures in a row is reset. */
export const RESET_AFTER_MS = 15 * MINUTE_MS;
const FIRST_LOCK_MS = MINUTE_MS;
const LONGEST_LOCK_MS = 60 * MINUTE_MS;

/** The number of failures in a row from unknown IP addresses after which all unknown IP addresses are rejected (NIST SP 800-63B-4, 3.2.2). */
export const FAILURES_UNTIL_CLOSED = 100;
/** The time without a failure after which unknown IP addresses are accepted again. */
export const CLOSED_MS = 30 * 24 * 60 * MINUTE_MS;

/** A number of failures in a row, and the time of the last failure. */
export interface FailureCount {
  readonly failures: number;
  readonly lastFailedAt: Date;
  readonly lockedUntil: Date | null;
}

export interface AttemptState {
  readonly fromAddress: FailureCount;
  readonly fromUnknownAddresses: FailureCount;
  /** Whether the user has signed in from this IP address before. */
  readonly isAddressKnown: boolean;
}

export interface RefusedAttempt {
  readonly kind: 'refused';
  readonly until: Date;
  readonly failures: number;
}

export interface AdmittedAttempt {
  readonly kind: 'admitted';
  /** The new count if the attempt fails. A success resets the count. */
  readonly fromAddress: FailureCount;
  readonly fromUnknownAddresses: FailureCount;
  /** The number of failures in a row before this attempt. */
  readonly earlierFailures: number;
  /** Whether this attempt locks the account if it fails. */
  readonly locks: boolean;
}

export type AttemptDecision = RefusedAttempt | AdmittedAttempt;

/**
 * Decides whether an attempt is admitted. An admitted attempt counts as failed until it succeeds, so that concurrent attempts can't exceed
 * the limit. The fifth failure locks the account for one minute. Each further failure doubles the lock time, up to one hour.
 */
export function decideAttempt(state: AttemptState, now: Date): AttemptDecision {
  const fromAddress = resetIfDue(state.fromAddress, now, RESET_AFTER_MS);
  const fromUnknownAddresses = resetIfDue(state.fromUnknownAddresses, now, CLOSED_MS);
  if (fromAddress.lockedUntil && fromAddress.lockedUntil > now)
    return { kind: 'refused', until: fromAddress.lockedUntil, failures: fromAddress.failures };
  if (!state.isAddressKnown && fromUnknownAddresses.failures >= FAILURES_UNTIL_CLOSED) {
    return {
      kind: 'refused',
      until: addMs(fromUnknownAddresses.lastFailedAt, CLOSED_MS),
      failures: fromUnknownAddresses.failures,
    };
  }
  const failures = fromAddress.failures + 1;
  return {
    kind: 'admitted',
    fromAddress: { failures, lastFailedAt: now, lockedUntil: lockAfter(failures, now) },
    fromUnknownAddresses: state.isAddressKnown
      ? fromUnknownAddresses
      : { failures: fromUnknownAddresses.failures + 1, lastFailedAt: now, lockedUntil: null },
    earlierFailures: fromAddress.failures,
    locks: failures === FAILURES_UNTIL_LOCK,
  };
}

function lockAfter(failures: number, now: Date): Date | null {
  if (failures < FAILURES_UNTIL_LOCK) return null;
  return addMs(now, Math.min(LONGEST_LOCK_MS, FIRST_LOCK_MS * 2 ** (failures - FAILURES_UNTIL_LOCK)));
}

/** Returns the count, or zero after `resetAfterMs` without a failure and without a lock. */
function resetIfDue(count: FailureCount, now: Date, resetAfterMs: number): FailureCount {
  const lastEvent = count.lockedUntil && count.lockedUntil > count.lastFailedAt ? count.lockedUntil : count.lastFailedAt;
  return addMs(lastEvent, resetAfterMs) <= now ? { failures: 0, lastFailedAt: now, lockedUntil: null } : count;
}

const addMs = (time: Date, ms: number): Date => new Date(time.getTime() + ms);
