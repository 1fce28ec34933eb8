import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { firstIdAt, isId, newId } from './ids.js';
import { ID_PREFIXES, type ResourceKind } from './resource-kinds.js';

const kinds = Object.keys(ID_PREFIXES) as ResourceKind[];
const kind = fc.constantFrom(...kinds);
/** A time that the 48 bits of a UUIDv7 can contain. */
const time = fc.date({ min: new Date(0), max: new Date(2 ** 48 - 1), noInvalidDate: true });

/** Cursors are plain IDs. A query must receive only valid IDs. */
describe('ID', () => {
  it('is valid for only one kind', () => {
    fc.assert(
      fc.property(kind, kind, (idKind, otherKind) => {
        expect(isId(otherKind, newId(idKind))).toBe(idKind === otherKind);
      }),
    );
  });

  it('is invalid with a forbidden character or additional text', () => {
    const forbiddenCharacters = fc.string({ minLength: 1, maxLength: 4 }).filter((text) => !/^[0-9a-z]+$/.test(text));
    fc.assert(
      fc.property(
        kind,
        fc.nat(25),
        forbiddenCharacters,
        fc.string({ minLength: 1, unit: 'binary' }),
        (idKind, position, forbiddenText, more) => {
          const id = newId(idKind);
          const at = id.length - 26 + position;
          expect(isId(idKind, id.slice(0, at) + forbiddenText + id.slice(at + 1))).toBe(false);
          expect([isId(idKind, id + more), isId(idKind, more + id)]).toEqual([false, false]);
        },
      ),
    );
  });

  it('is valid only as a well-formed TypeID', () => {
    fc.assert(fc.property(kind, fc.string({ unit: 'binary', maxLength: 80 }), (idKind, text) => !isId(idKind, text)));
    fc.assert(
      fc.property(kind, fc.stringMatching(/^[0-9a-z]{26}$/), (idKind, text) => {
        // The 26 characters of 5 bits have two more bits than a UUID. These two bits must be 0. The alphabet has no i, l, o and u.
        const isTypeId = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/.test(text);
        expect(isId(idKind, `${ID_PREFIXES[idKind]}_${text}`)).toBe(isTypeId);
      }),
    );
  });

  it('is not less than the first ID of the creation time', () => {
    fc.assert(
      fc.property(kind, time, time, (idKind, a, b) => {
        const [first, second] = [firstIdAt(idKind, a), firstIdAt(idKind, b)];
        expect(isId(idKind, first)).toBe(true);
        expect(Math.sign(a.getTime() - b.getTime())).toBe(first < second ? -1 : first > second ? 1 : 0);
      }),
    );
    const before = new Date();
    expect(newId('user') >= firstIdAt('user', before)).toBe(true);
  });
});
