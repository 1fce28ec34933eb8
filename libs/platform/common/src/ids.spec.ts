import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { CursorGone, firstIdAt, InvalidCursor, isId, newId } from './ids.js';
import { defineIdPrefix, ID_PREFIXES, type ResourceKind } from './resource-kinds.js';

const KINDS = Object.keys(ID_PREFIXES) as ResourceKind[];
const UUID_0 = '00000000000000000000000000';

describe('ID', () => {
  it.each(KINDS)('has the prefix of the kind %s', (kind) => {
    const id = newId(kind);
    expect(id).toMatch(new RegExp(`^${ID_PREFIXES[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
    expect(KINDS.filter((other) => isId(other, id))).toEqual([kind]);
  });

  it("can't have a malformed or duplicate prefix", () => {
    const before = { ...ID_PREFIXES };
    expect(() => defineIdPrefix('role', 'usr')).toThrow('The ID prefix "usr" already belongs to the kind "user".');
    for (const malformed of ['', 'r', 'Role', 'ro_le', 'roless'])
      expect(() => defineIdPrefix('role', malformed)).toThrow('must have 2 to 5 lowercase letters');
    expect(() => defineIdPrefix('role', 'role')).not.toThrow();
    expect(ID_PREFIXES).toEqual(before);
  });

  it('sorts by creation time', () => {
    const ids = Array.from({ length: 1_000 }, () => newId('event'));
    expect([...ids].sort()).toEqual(ids);
  });

  // Cursors are plain IDs. A query must receive only valid IDs.
  it('is valid only as a well-formed TypeID', () => {
    for (const form of [
      '',
      'usr',
      `usr_${UUID_0.slice(1)}`,
      `usr_8${UUID_0.slice(1)}`,
      `USR_${UUID_0}`,
      `_${UUID_0}`,
      `usr_${UUID_0}\n`,
    ])
      expect([form, isId('user', form)]).toEqual([form, false]);
    const kind = fc.constantFrom(...KINDS);
    fc.assert(fc.property(kind, fc.string({ unit: 'binary', maxLength: 80 }), (idKind, text) => !isId(idKind, text)));
    fc.assert(
      fc.property(kind, fc.stringMatching(/^[0-9a-z]{26}$/), (idKind, text) => {
        // The 26 characters of 5 bits have two more bits than a UUID. These two bits must be 0. The alphabet has no i, l, o and u.
        const isTypeId = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/.test(text);
        expect(isId(idKind, `${ID_PREFIXES[idKind]}_${text}`)).toBe(isTypeId);
      }),
    );
    fc.assert(
      fc.property(kind, fc.string({ minLength: 1, unit: 'binary' }), (idKind, more) => {
        const id = newId(idKind);
        expect([isId(idKind, id + more), isId(idKind, more + id)]).toEqual([false, false]);
      }),
    );
  });
});

describe('firstIdAt', () => {
  it('separates earlier IDs from later IDs', () => {
    const before = newId('event');
    const now = Date.now();
    const bound = firstIdAt('event', new Date(now + 1));
    expect(before < bound).toBe(true);
    expect(newId('event') >= firstIdAt('event', new Date(now))).toBe(true);
    expect(isId('event', bound)).toBe(true);
  });

  it('returns the smallest ID of a millisecond', () => {
    // RFC 9562: the first 48 bits of a UUIDv7 are the milliseconds, here 0x019c11d7b5ff.
    expect(firstIdAt('user', new Date(0x019c11d7b5ff))).toBe('usr_01kg8xfdfz0000000000000000');
    expect(firstIdAt('user', new Date(0))).toBe(`usr_${UUID_0}`);
    expect(firstIdAt('user', new Date(-1))).toBe(`usr_${UUID_0}`);
  });

  it('preserves the order of times', () => {
    const time = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(time, time, (a, b) => {
        const [first, second] = [firstIdAt('event', a), firstIdAt('event', b)];
        expect(Math.sign(a.getTime() - b.getTime())).toBe(first < second ? -1 : first > second ? 1 : 0);
      }),
    );
  });
});

describe('cursor error', () => {
  it('names the expected format if the cursor is malformed', () => {
    const cursorError = new InvalidCursor('user');
    expect(cursorError).toMatchObject({ code: 'invalid_cursor', kind: 'malformed' });
    expect(cursorError.message).toMatch(/"after".*usr_…/);
  });

  it('has the code cursor_gone if the resource was deleted', () => {
    expect(new CursorGone('Begin anew.')).toMatchObject({ code: 'cursor_gone', kind: 'malformed', message: 'Begin anew.' });
  });
});
