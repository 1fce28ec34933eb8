import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { firstIdAt, isId, newId } from './ids.js';
import { ID_PREFIXES, type ResourceKind } from './resource-kinds.js';

const kinds = Object.keys(ID_PREFIXES) as ResourceKind[];
const kind = fc.constantFrom(...kinds);
/** What the 48 bits of a UUIDv7 hold. */
const moment = fc.date({ min: new Date(0), max: new Date(2 ** 48 - 1), noInvalidDate: true });

/** Cursors are plain ids: what is none must not get as far as a query. */
describe('ids', () => {
  it('are of their own kind alone', () => {
    fc.assert(
      fc.property(kind, kind, (one, other) => {
        expect(isId(other, newId(one))).toBe(one === other);
      }),
    );
  });

  it('are no longer ids with any one character changed for one that ids do not have, nor with anything before or behind', () => {
    const foreign = fc.string({ minLength: 1, maxLength: 4 }).filter((text) => !/^[0-9a-z]+$/.test(text));
    fc.assert(
      fc.property(kind, fc.nat(25), foreign, fc.string({ minLength: 1, unit: 'binary' }), (one, position, foreignText, more) => {
        const id = newId(one);
        const at = id.length - 26 + position;
        expect(isId(one, id.slice(0, at) + foreignText + id.slice(at + 1))).toBe(false);
        expect([isId(one, id + more), isId(one, more + id)]).toEqual([false, false]);
      }),
    );
  });

  it('are not met by chance, and judging never throws, whatever the text', () => {
    fc.assert(fc.property(kind, fc.string({ unit: 'binary', maxLength: 80 }), (one, text) => !isId(one, text)));
    fc.assert(
      fc.property(kind, fc.stringMatching(/^[0-9a-z]{26}$/), (one, text) => {
        // 128 bits in 26 characters of five leave two bits that must be empty; some letters are none of the alphabet's.
        const isTypeId = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/.test(text);
        expect(isId(one, `${ID_PREFIXES[one]}_${text}`)).toBe(isTypeId);
      }),
    );
  });

  it('are bounded from below by their time, in order', () => {
    fc.assert(
      fc.property(kind, moment, moment, (one, a, b) => {
        const [first, second] = [firstIdAt(one, a), firstIdAt(one, b)];
        expect(isId(one, first)).toBe(true);
        expect(Math.sign(a.getTime() - b.getTime())).toBe(first < second ? -1 : first > second ? 1 : 0);
      }),
    );
    const before = new Date();
    expect(newId('user') >= firstIdAt('user', before)).toBe(true);
  });
});
