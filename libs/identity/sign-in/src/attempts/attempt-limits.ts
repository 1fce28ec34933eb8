const MINUTE_MS = 60_000;

/** This many failures in a row lock an account for an address (contract of the sign-in). */
export const FAILURES_UNTIL_LOCK = 5;
/** Failures that lie further apart than this are not in a row. */
export const QUIET_MS = 15 * MINUTE_MS;
const FIRST_LOCK_MS = MINUTE_MS;
const LONGEST_LOCK_MS = 60 * MINUTE_MS;

/** This many failures in a row, from all addresses that the account does not know, close it to those (NIST SP 800-63B-4, 3.2.2). */
export const FAILURES_UNTIL_CLOSED = 100;
/** After so long without a try the account is open to all addresses again. */
export const CLOSED_MS = 30 * 24 * 60 * MINUTE_MS;

/** Failures in a row, the last of them at `lastFailedAt`. */
export interface FailureCount {
  readonly failures: number;
  readonly lastFailedAt: Date;
  readonly lockedUntil: Date | null;
}

/** What is known when somebody tries to sign in. */
export interface AttemptState {
  /** Of this account from this address. */
  readonly pair: FailureCount;
  /** Of this account from all addresses that it does not know. */
  readonly account: FailureCount;
  /** The user has signed in from this address before. */
  readonly addressKnown: boolean;
}

export type AttemptJudgement =
  | { readonly kind: 'refused'; readonly until: Date; readonly failures: number }
  | {
      readonly kind: 'admitted';
      /** What counts from now on, as if the attempt had failed; a success takes it back. */
      readonly pair: FailureCount;
      readonly account: FailureCount;
      /** How many failures there were before. */
      readonly earlierFailures: number;
      /** This attempt, if it fails, is the one that locks. */
      readonly locks: boolean;
    };

/**
 * Whether a try is admitted. It counts as failed from the start, so that many at once can't be more than the limit: from the fifth on a
 * lock stands, at first for a minute and twice as long with each further failure, at most an hour.
 */
export function judgeAttempt(state: AttemptState, now: Date): AttemptJudgement {
  const pair = forgotten(state.pair, now, QUIET_MS);
  const account = forgotten(state.account, now, CLOSED_MS);
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

/** Failures count no more when it has been quiet since the last one, and since the lock that it brought. */
function forgotten(count: FailureCount, now: Date, quietMs: number): FailureCount {
  const last = count.lockedUntil && count.lockedUntil > count.lastFailedAt ? count.lockedUntil : count.lastFailedAt;
  return later(last, quietMs) <= now ? { failures: 0, lastFailedAt: now, lockedUntil: null } : count;
}

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
