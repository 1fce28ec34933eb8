import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { firstIdAt, isId, newId } from './ids.js';
import { ID_PREFIXES, type ResourceKind } from './resource-kinds.js';

const kinds = Object.keys(ID_PREFIXES) as ResourceKind[];
const kind = fc.constantFrom(...kinds);
/** A time that the 48 bits of a UUIDv7 can contain. */
const time = fc.date({ min: new Date(0), max: new Date(2 ** 48 - 1), noInvalidDate: true });

/** Cursors are plain IDs. A query must receive only valid IDs. */
describe('IDs', () => {
  it('are valid only for the kind of their prefix', () => {
    fc.assert(
      fc.property(kind, kind, (one, other) => {
        expect(isId(other, newId(one))).toBe(one === other);
      }),
    );
  });

  it('are invalid with a forbidden character or additional text', () => {
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

  it('are only well-formed TypeIDs', () => {
    fc.assert(fc.property(kind, fc.string({ unit: 'binary', maxLength: 80 }), (one, text) => !isId(one, text)));
    fc.assert(
      fc.property(kind, fc.stringMatching(/^[0-9a-z]{26}$/), (one, text) => {
        // The 26 characters of 5 bits have two more bits than a UUID. These two bits must be 0. The alphabet has no i, l, o and u.
        const isTypeId = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/.test(text);
        expect(isId(one, `${ID_PREFIXES[one]}_${text}`)).toBe(isTypeId);
      }),
    );
  });

  it('are not less than firstIdAt of their creation time', () => {
    fc.assert(
      fc.property(kind, time, time, (one, a, b) => {
        const [first, second] = [firstIdAt(one, a), firstIdAt(one, b)];
        expect(isId(one, first)).toBe(true);
        expect(Math.sign(a.getTime() - b.getTime())).toBe(first < second ? -1 : first > second ? 1 : 0);
      }),
    );
    const before = new Date();
    expect(newId('user') >= firstIdAt('user', before)).toBe(true);
  });
});
