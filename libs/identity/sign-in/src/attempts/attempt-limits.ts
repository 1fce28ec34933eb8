const MINUTE_MS = 60_000;

/** This many failures in a row from an IP address lock an account for this address. */
export const FAILURES_UNTIL_LOCK = 5;
/** After this time without a failure, failures are no longer in a row. */
export const QUIET_MS = 15 * MINUTE_MS;
const FIRST_LOCK_MS = MINUTE_MS;
const LONGEST_LOCK_MS = 60 * MINUTE_MS;

/** This many failures in a row from unknown IP addresses close an account to all unknown addresses (NIST SP 800-63B-4, 3.2.2). */
export const FAILURES_UNTIL_CLOSED = 100;
/** After this time without an attempt, a closed account is open to unknown IP addresses again. */
export const CLOSED_MS = 30 * 24 * 60 * MINUTE_MS;

/** Failures in a row; the last one at `lastFailedAt`. */
export interface FailureCount {
  readonly failures: number;
  readonly lastFailedAt: Date;
  readonly lockedUntil: Date | null;
}

/** What is known about an account when an attempt begins. */
export interface AttemptState {
  /** Failures from this IP address. */
  readonly pair: FailureCount;
  /** Failures from all IP addresses that the account does not know. */
  readonly account: FailureCount;
  /** Whether the user has signed in from this IP address before. */
  readonly addressKnown: boolean;
}

export interface RefusedAttempt {
  readonly kind: 'refused';
  readonly until: Date;
  readonly failures: number;
}

export interface AdmittedAttempt {
  readonly kind: 'admitted';
  /** The new counts, as if the attempt had failed. A success resets them. */
  readonly pair: FailureCount;
  readonly account: FailureCount;
  /** Failures in a row before this attempt. */
  readonly earlierFailures: number;
  /** Whether this attempt locks the account if it fails. */
  readonly locks: boolean;
}

export type AttemptDecision = RefusedAttempt | AdmittedAttempt;

/**
 * Decides whether an attempt is admitted. It counts as failed from the beginning, so that concurrent attempts can't exceed the limit. From the
 * fifth failure on, the account is locked: at first for a minute, then twice as long with each further failure, at most for an hour.
 */
export function decideAttempt(state: AttemptState, now: Date): AttemptDecision {
  const pair = resetWhenQuiet(state.pair, now, QUIET_MS);
  const account = resetWhenQuiet(state.account, now, CLOSED_MS);
  if (pair.lockedUntil && pair.lockedUntil > now) return { kind: 'refused', until: pair.lockedUntil, failures: pair.failures };
  if (!state.addressKnown && account.failures >= FAILURES_UNTIL_CLOSED) {
    return { kind: 'refused', until: later(account.lastFailedAt, CLOSED_MS), failures: account.failures };
  }
  const failures = pair.failures + 1;
  return {
    kind: 'admitted',
    pair: { failures, lastFailedAt: now, lockedUntil: lockAfter(failures, now) },
    account: state.addressKnown ? account : { failures: account.failures + 1, lastFailedAt: now, lockedUntil: null },
    earlierFailures: pair.failures,
    locks: failures === FAILURES_UNTIL_LOCK,
  };
}

function lockAfter(failures: number, now: Date): Date | null {
  if (failures < FAILURES_UNTIL_LOCK) return null;
  return later(now, Math.min(LONGEST_LOCK_MS, FIRST_LOCK_MS * 2 ** (failures - FAILURES_UNTIL_LOCK)));
}

/** Resets a count after `quietMs` without a failure and without a lock. */
function resetWhenQuiet(count: FailureCount, now: Date, quietMs: number): FailureCount {
  const last = count.lockedUntil && count.lockedUntil > count.lastFailedAt ? count.lockedUntil : count.lastFailedAt;
  return later(last, quietMs) <= now ? { failures: 0, lastFailedAt: now, lockedUntil: null } : count;
}

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
