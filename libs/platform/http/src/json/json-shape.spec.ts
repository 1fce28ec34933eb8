import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DomainError } from '#platform/common';
import { shapeOf } from './json-shape.js';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const wide = (fields: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: fields }, (_, index) => [`k${index}`, 1])));
const MAX_VALUES = 10_000;

function codeOf(json: string): string | undefined {
  try {
    shapeOf(Buffer.from(json), MAX_VALUES);
    return undefined;
  } catch (error) {
    return (error as DomainError).code;
  }
}

describe('shapeOf', () => {
  it.each([
    ['', undefined],
    ['"text"', undefined],
    ['{}', undefined],
    [nested(32), undefined],
    [nested(33), 'json_too_deep'],
    [`{"a":[{"b":${nested(30)}}]}`, 'json_too_deep'],
    [`{"a":[{"b":${nested(29)}}]}`, undefined],
    [nested(100_000), 'json_too_deep'],
    [`[${nested(20)},${nested(20)}]`, undefined],
    [wide(1_000), undefined],
    [wide(1_001), 'json_too_wide'],
    [`{"a":[${wide(1_001)}]}`, 'json_too_wide'],
    [`{"a":${wide(999)},"b":${wide(999)}}`, undefined],
    [`{${'"a":1,'.repeat(1_000)}"a":1}`, 'json_too_wide'],
    [`[${'1,'.repeat(9_998)}1]`, undefined],
    [`[${'1,'.repeat(9_999)}1]`, 'json_too_wide'],
    [`[${'{},'.repeat(5_000)}1]`, 'json_too_wide'],
    [JSON.stringify({ a: '{['.repeat(50) }), undefined],
    [JSON.stringify({ a: `${'"{['.repeat(50)}\\` }), undefined],
    [JSON.stringify({ [','.repeat(2_000)]: ','.repeat(2_000) }), undefined],
    [']'.repeat(100), undefined],
    [','.repeat(2_000), undefined],
    [','.repeat(10_000), 'json_too_wide'],
    ['{"a":"\\', undefined],
  ])('limits the depth, width and number of values of JSON (case %#)', (json, code) => {
    expect(codeOf(json)).toBe(code);
  });

  it('agrees with a check of the parsed JSON', () => {
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof({ withCrossShrink: true }, tie('text'), tie('list'), tie('object')),
      text: fc.string({ unit: fc.constantFrom('"', '\\', '{', '[', ']', '}', ',', 'ä', '😀', '\n') }),
      list: fc.array(tie('json'), { maxLength: 5 }),
      object: fc.dictionary(fc.string({ unit: fc.constantFrom('"', '\\', '{', ',', 'ä') }), tie('json'), { maxKeys: 5 }),
    }));
    fc.assert(
      fc.property(json, fc.nat(40), fc.constantFrom(1, 990, 1_000, 1_001), fc.nat(2), (inner, levels, count, spaces) => {
        const value = {
          ...(JSON.parse(wide(count)) as object),
          k0: 0,
          inner: Array.from({ length: levels }).reduce((deeper) => [deeper], inner),
        };
        const code = depthOf(value) > 32 ? 'json_too_deep' : widthOf(value) > 1_000 ? 'json_too_wide' : undefined;
        const actualCode = codeOf(JSON.stringify(value, undefined, spaces));
        // If the JSON is too deep and too wide, the order of the brackets decides which code is returned.
        expect(actualCode === undefined).toBe(code === undefined);
      }),
    );
  });
});

const valuesIn = (value: unknown): unknown[] => (typeof value === 'object' && value !== null ? Object.values(value) : []);

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...valuesIn(value).map(depthOf)) : 0;

const widthOf = (value: unknown): number =>
  Math.max(Array.isArray(value) ? 0 : valuesIn(value).length, ...valuesIn(value).map(widthOf));
