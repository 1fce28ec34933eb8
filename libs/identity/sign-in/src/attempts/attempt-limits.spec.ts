import { describe, expect, it } from '@jest/globals';
import { type AttemptState, CLOSED_MS, type FailureCount, decideAttempt } from './attempt-limits.js';

const MINUTE_MS = 60_000;
const START = new Date('2026-01-15T09:00:00.000Z');
const at = (minutes: number): Date => new Date(START.getTime() + minutes * MINUTE_MS);
const noFailures = (now: Date): FailureCount => ({ failures: 0, lastFailedAt: now, lockedUntil: null });

/** Simulates failed attempts at these minutes. Returns the outcomes, with the minutes to wait if the account is locked. */
function outcomesOf(minutes: readonly number[], isAddressKnown = false): string[] {
  let state: AttemptState = { fromAddress: noFailures(START), fromUnknownAddresses: noFailures(START), isAddressKnown };
  return minutes.map((minute) => {
    const decision = decideAttempt(state, at(minute));
    if (decision.kind === 'refused') return `refused, ${(decision.until.getTime() - at(minute).getTime()) / MINUTE_MS}`;
    state = { ...decision, isAddressKnown };
    const { lockedUntil } = decision.fromAddress;
    return lockedUntil ? `locks, ${(lockedUntil.getTime() - at(minute).getTime()) / MINUTE_MS}` : 'counted';
  });
}

describe('decideAttempt', () => {
  it('locks the account for one minute after five consecutive failures', () => {
    const outcomes = outcomesOf([0, 0, 0, 0, 0, 0, 0.5]);
    expect(outcomes).toEqual([...Array(4).fill('counted'), 'locks, 1', 'refused, 1', 'refused, 0.5']);
  });

  it('doubles the lock time after each further failure, up to one hour', () => {
    const minutes = [0, 0, 0, 0, 0, 1, 3, 7, 15, 31, 63, 123];
    expect(outcomesOf(minutes).slice(4)).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((wait) => `locks, ${wait}`));
  });

  it('resets the count after 15 minutes without a failure or a lock', () => {
    expect(outcomesOf([0, 0, 0, 0, 15, 15])).toEqual(Array(6).fill('counted'));
    expect(outcomesOf([0, 0, 0, 0, 14, 14]).slice(4)).toEqual(['locks, 1', 'refused, 1']);
    expect(outcomesOf([0, 0, 0, 0, 0, 15.9]).at(-1)).toBe('locks, 2');
    expect(outcomesOf([0, 0, 0, 0, 0, 16]).at(-1)).toBe('counted');
  });

  it('rejects unknown IP addresses after 100 consecutive failures from unknown IP addresses', () => {
    let fromUnknownAddresses = noFailures(START);
    for (let count = 0; count < 100; count++) {
      const decision = decideAttempt({ fromAddress: noFailures(START), fromUnknownAddresses, isAddressKnown: false }, at(count));
      if (decision.kind === 'refused') throw new Error(`Refused after ${count} failures.`);
      fromUnknownAddresses = decision.fromUnknownAddresses;
    }
    const state = { fromAddress: noFailures(at(100)), fromUnknownAddresses };
    expect(decideAttempt({ ...state, isAddressKnown: false }, at(100))).toEqual({
      kind: 'refused',
      until: new Date(at(99).getTime() + CLOSED_MS),
      failures: 100,
    });
    expect(decideAttempt({ ...state, isAddressKnown: true }, at(100)).kind).toBe('admitted');
    const later = new Date(at(99).getTime() + CLOSED_MS);
    expect(decideAttempt({ fromAddress: noFailures(later), fromUnknownAddresses, isAddressKnown: false }, later).kind).toBe(
      'admitted',
    );
  });

  it('counts the failures of each known IP address separately', () => {
    const decision = decideAttempt(
      { fromAddress: noFailures(START), fromUnknownAddresses: { ...noFailures(START), failures: 7 }, isAddressKnown: true },
      START,
    );
    expect(decision).toMatchObject({ kind: 'admitted', fromUnknownAddresses: { failures: 7 }, fromAddress: { failures: 1 } });
    expect(outcomesOf([0, 0, 0, 0, 0, 0], true).slice(4)).toEqual(['locks, 1', 'refused, 1']);
  });
});
