import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '#platform/config';
import { remainingAttempts, delayAfterAttemptMs } from './retry-schedule.js';

describe('delayAfterAttemptMs', () => {
  const schedule = loadConfig({}).webhookRetryScheduleMs;

  it.each([
    [1, 60],
    [2, 300],
    [3, 1_800],
    [4, 7_200],
    [5, 86_400],
  ])('after failed attempt %i, returns %i s by default', (attempt, seconds) => {
    expect(delayAfterAttemptMs(attempt, schedule)).toBe(seconds * 1_000);
  });

  it('returns undefined after the last attempt', () => {
    expect(delayAfterAttemptMs(6, schedule)).toBeUndefined();
    expect(delayAfterAttemptMs(1, [])).toBeUndefined();
  });
});

describe('remainingAttempts', () => {
  const due = new Date('2026-01-15T10:00:00.000Z');
  const shown = (attemptCount: number, attemptsBefore: number, nextAttemptAt: Date | null = due) =>
    remainingAttempts({ attemptCount, attemptsBefore, nextAttemptAt }, [60_000, 300_000, 1_800_000]).map(
      ({ number, at, afterSeconds }) => [number, at, afterSeconds],
    );

  it.each([
    [
      'returns four attempts for a new delivery',
      0,
      0,
      [
        [1, due, null],
        [2, null, 60],
        [3, null, 300],
        [4, null, 1_800],
      ],
    ],
    [
      'returns two attempts after two failed attempts',
      2,
      0,
      [
        [3, due, null],
        [4, null, 1_800],
      ],
    ],
    ['returns one attempt before the last attempt', 3, 0, [[4, due, null]]],
    [
      'returns four attempts for a new round',
      4,
      4,
      [
        [5, due, null],
        [6, null, 60],
        [7, null, 300],
        [8, null, 1_800],
      ],
    ],
    [
      'returns three attempts after one failed attempt of a new round',
      5,
      4,
      [
        [6, due, null],
        [7, null, 300],
        [8, null, 1_800],
      ],
    ],
  ])('%s', (_, attemptCount, attemptsBefore, expected) => {
    expect(shown(attemptCount, attemptsBefore)).toEqual(expected);
  });

  it('returns no times while the delivery waits until its webhook is enabled', () => {
    expect(shown(2, 0, null)).toEqual([
      [3, null, null],
      [4, null, 1_800],
    ]);
  });
});
