import { describe, expect, it } from '@jest/globals';
import { type Load, AdaptiveRequestLimit } from './adaptive-request-limit.js';

const SECOND = 4;
const BUSY: Omit<Load, 'inFlight' | 'finished'> = { seconds: 0.25, loopUtilization: 1, waitingForDatabase: 0 };

/** The limit after so many quarters of a second in which as much was finished while so many were under way. */
function limitAfter(
  limit: AdaptiveRequestLimit,
  quarters: number,
  perSecond: number,
  inFlight: number,
  load: Partial<Load> = {},
): number {
  for (let index = 0; index < quarters; index++) limit.update({ ...BUSY, finished: perSecond / SECOND, inFlight, ...load });
  return limit.value;
}

describe('AdaptiveRequestLimit', () => {
  it('takes bursts: a thousand at once that are served within two seconds', () => {
    expect(limitAfter(new AdaptiveRequestLimit(), 7, 300, 1_000)).toBe(1_024);
  });

  it('takes many callers that are served in time, for as long as they like', () => {
    expect(limitAfter(new AdaptiveRequestLimit(), 100, 600, 1_000)).toBe(1_024);
  });

  it('takes no more than a second’s worth once too many have waited for too long', () => {
    expect(limitAfter(new AdaptiveRequestLimit(), 3 * SECOND, 300, 900)).toBeCloseTo(300, -1);
    expect(limitAfter(new AdaptiveRequestLimit(), 3 * SECOND, 30, 900)).toBe(64);
  });

  it('goes on refusing while those who are taken are as many as it takes', () => {
    const limit = new AdaptiveRequestLimit();
    limitAfter(limit, 3 * SECOND, 300, 900);
    expect(limitAfter(limit, 20 * SECOND, 300, 300)).toBeCloseTo(300, -1);
  });

  it.each([
    ['few are under way', { inFlight: 100 }],
    ['it has time', { loopUtilization: 0.3 }],
  ])('takes all again once %s', (_, load) => {
    const limit = new AdaptiveRequestLimit();
    limitAfter(limit, 3 * SECOND, 300, 900);
    expect(limitAfter(limit, 1, 300, 300, load)).toBe(1_024);
  });

  it('holds nobody responsible who waits for others: hundreds of slow receivers that are tried out', () => {
    expect(limitAfter(new AdaptiveRequestLimit(), 60 * SECOND, 2, 900, { loopUtilization: 0.2 })).toBe(1_024);
  });

  it('knows that the database is behind by those who wait for it', () => {
    expect(
      limitAfter(new AdaptiveRequestLimit(), 3 * SECOND, 100, 900, { loopUtilization: 0.2, waitingForDatabase: 800 }),
    ).toBeCloseTo(100, -1);
  });
});
