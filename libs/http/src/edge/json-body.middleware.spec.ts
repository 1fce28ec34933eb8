import { describe, expect, it } from '@jest/globals';
import { isDeeperThan } from './json-body.middleware.js';

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('isDeeperThan', () => {
  it.each([
    [undefined, false],
    ['text', false],
    [{}, false],
    [nested(32), false],
    [nested(33), true],
    [{ a: [{ b: nested(30) }] }, true],
    [{ a: [{ b: nested(29) }] }, false],
    [nested(100_000), true],
  ])('judges case %#', (value, deeper) => {
    expect(isDeeperThan(value, 32)).toBe(deeper);
  });
});
