import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { durationMs, durationText } from './duration.js';

describe('durationMs', () => {
  it.each([
    ['0s', 0],
    ['250ms', 250],
    ['15s', 15_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['90d', 7_776_000_000],
  ])('parses %s', (text, expected) => {
    expect(durationMs(text)).toBe(expected);
  });

  it.each(['', '5', '5 m', '-5m', '1.5h', '5M', '5min', '1h30m', '9999999999999s'])('rejects "%s"', (text) => {
    expect(() => durationMs(text)).toThrow('must be a whole number with a unit');
  });

  it('is the inverse of durationText', () => {
    fc.assert(fc.property(fc.nat(), (milliseconds) => durationMs(durationText(milliseconds)) === milliseconds));
  });
});
