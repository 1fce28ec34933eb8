import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { neutralized, restored } from '#platform/http';
import { itemsOf, listCell } from './csv-cells.js';

const FORMULA_STARTS = ['=', '+', '-', '@', '\t', '\r'];
const cell = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.tuple(fc.constantFrom(...FORMULA_STARTS, "'", "'=", "''@"), fc.string()).map(([start, rest]) => start + rest),
);

describe('CSV cell', () => {
  it('never starts with a formula character', () => {
    fc.assert(
      fc.property(cell, (text) => {
        expect(FORMULA_STARTS.some((start) => neutralized(text).startsWith(start))).toBe(false);
        expect(restored(neutralized(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('preserves the items of a list', () => {
    const item = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text === text.trim());
    fc.assert(
      fc.property(fc.array(item), (items) => expect(itemsOf(listCell(items), '/roles')).toEqual(items)),
      { numRuns: 2_000 },
    );
  });
});
