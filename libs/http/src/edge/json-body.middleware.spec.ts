import { describe, expect, it } from '@jest/globals';
import { shapeProblemOf } from './json-body.middleware.js';

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const wide = (fields: number): unknown => Object.fromEntries(Array.from({ length: fields }, (_, index) => [`k${index}`, 1]));

describe('shapeProblemOf', () => {
  it.each([
    [undefined, undefined],
    ['text', undefined],
    [{}, undefined],
    [nested(32), undefined],
    [nested(33), 'json_too_deep'],
    [{ a: [{ b: nested(30) }] }, 'json_too_deep'],
    [{ a: [{ b: nested(29) }] }, undefined],
    [nested(100_000), 'json_too_deep'],
    [wide(1_000), undefined],
    [wide(1_001), 'json_too_wide'],
    [{ a: [wide(1_001)] }, 'json_too_wide'],
    [Array.from({ length: 10_000 }), undefined],
  ])('judges case %#', (value, code) => {
    expect(shapeProblemOf(value)?.code).toBe(code);
  });
});
