import { describe, expect, it } from '@jest/globals';
import { type Load, AdaptiveRequestLimit } from './adaptive-request-limit.js';

const SECOND = 4;
const BUSY: Omit<Load, 'inFlight' | 'finished'> = { seconds: 0.25, loopUtilization: 1, waitingForDatabase: 0 };

/** Returns the limit after a number of quarter seconds with `perSecond` finished requests and `inFlight` requests in progress. */
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
  it('accepts a burst of requests for two seconds', () => {
    expect(limitAfter(new AdaptiveRequestLimit(), 7, 300, 1_000)).toBe(1_024);
  });

  it('accepts many requests while the process is fast enough', () => {
    expect(limitAfter(new AdaptiveRequestLimit(), 100, 600, 1_000)).toBe(1_024);
  });

  it('lowers the limit when requests wait too long', () => {
    expect(limitAfter(new AdaptiveRequestLimit(), 3 * SECOND, 300, 900)).toBeCloseTo(300, -1);
    expect(limitAfter(new AdaptiveRequestLimit(), 3 * SECOND, 30, 900)).toBe(64);
  });

  it('keeps a lowered limit while requests reach the limit', () => {
    const limit = new AdaptiveRequestLimit();
    limitAfter(limit, 3 * SECOND, 300, 900);
    expect(limitAfter(limit, 20 * SECOND, 300, 300)).toBeCloseTo(300, -1);
  });

  it.each([
    ['few requests are in progress', { inFlight: 100 }],
    ['the event loop is idle most of the time', { loopUtilization: 0.3 }],
  ])('resets a lowered limit when %s', (_, load) => {
    const limit = new AdaptiveRequestLimit();
    limitAfter(limit, 3 * SECOND, 300, 900);
    expect(limitAfter(limit, 1, 300, 300, load)).toBe(1_024);
  });

  it('keeps the limit while requests wait for external services', () => {
    expect(limitAfter(new AdaptiveRequestLimit(), 60 * SECOND, 2, 900, { loopUtilization: 0.2 })).toBe(1_024);
  });
});
