import { describe, expect, it } from '@jest/globals';
import { assertComplete, readResource, type ScimObject } from './resource.js';
import { ENTERPRISE_SCHEMA_ID as ENTERPRISE, GROUP_TYPE, USER_TYPE } from './schemas.js';

const user = (fields: object): ScimObject => readResource(USER_TYPE, { userName: 'a', ...fields });
const list = (length: number) => Array.from({ length }, (_, index) => ({ value: `${index}` }));

describe('a resource', () => {
  it.each<[string, object, object]>([
    ['ignores unknown and read-only attributes', { id: '1', meta: {}, groups: [{ value: 'g' }], shoe: '1', password: 'x' }, {}],
    ['has canonical names', { TITLE: 'a', NAME: { GIVENNAME: 'b' } }, { title: 'a', name: { givenName: 'b' } }],
    ['has no empty values', { title: '', name: {}, emails: [], roles: [''], locale: null, manager: '' }, {}],
    [
      'reads booleans as text',
      { active: 'FALSE', roles: [{ value: 'a', primary: 'True' }] },
      { active: false, roles: [{ value: 'a', primary: true }] },
    ],
    [
      'reads one value as a list, and texts as values',
      { roles: 'a', emails: ['b'], ims: { value: 'c' } },
      { roles: [{ value: 'a' }], emails: [{ value: 'b' }], ims: [{ value: 'c' }] },
    ],
    [
      'reads the extension',
      { [ENTERPRISE.toUpperCase()]: { MANAGER: [{ value: '7' }], shoe: '1' } },
      { [ENTERPRISE]: { manager: { value: '7' } } },
    ],
    ['has no empty extension', { [ENTERPRISE]: { shoe: '1' } }, {}],
    ['ignores null as extension', { [ENTERPRISE]: null }, {}],
    ['has several lines only in addresses', { addresses: [{ formatted: 'a\nb' }] }, { addresses: [{ formatted: 'a\nb' }] }],
    ['has texts of 4000 characters', { title: 'a'.repeat(4_000) }, { title: 'a'.repeat(4_000) }],
    ['has 100 values', { roles: list(100) }, { roles: list(100) }],
  ])('%s', (_title, fields, expected) => {
    expect(user(fields)).toEqual({ userName: 'a', ...expected });
  });

  it.each<[object, string]>([
    [{ title: 1 }, '"title" must be a string.'],
    [{ title: ['a'] }, '"title" must be a string.'],
    [{ active: 'maybe' }, '"active" must be true or false.'],
    [{ active: 1 }, '"active" must be true or false.'],
    [{ name: 'a' }, '"name" must be an object.'],
    [{ emails: [1] }, '"emails" must be an object.'],
    [{ addresses: ['a'] }, '"addresses" must be an object.'],
    [{ name: [{}, {}] }, '"name" must be an object.'],
    [{ emails: [[{ value: 'a' }]] }, '"emails" must be an object.'],
    [{ emails: [{ VALUE: 1 }] }, '"emails.value" must be a string.'],
    [{ [ENTERPRISE]: 'a' }, `"${ENTERPRISE}" must be an object.`],
    [{ [ENTERPRISE]: { manager: { value: 1 } } }, `"${ENTERPRISE}:manager.value" must be a string.`],
    [{ title: 'a\nb' }, '"title" must be one line'],
    [{ addresses: [{ formatted: 'a\0' }] }, '"addresses.formatted" must be'],
    [{ title: 'a'.repeat(4_001) }, '"title" is longer than 4000 characters.'],
    [{ roles: list(101) }, '"roles" has more than 100 values.'],
    [
      {
        roles: [
          { value: 'a', primary: true },
          { value: 'b', primary: 'true' },
        ],
      },
      '"roles" has more than one primary value.',
    ],
    [{ name: { givenName: 'a', GivenName: 'b' } }, 'The name "GivenName" appears twice. The case of names does not matter.'],
  ])('is rejected: case %#', (fields, problem) => {
    expect(() => user(fields)).toThrow(problem);
  });

  it('is an object with the required attributes and at most 64 KB besides members', () => {
    for (const body of [null, [], 'a']) expect(() => readResource(USER_TYPE, body)).toThrow('The body must be a JSON object.');
    const members = list(10_000);
    expect(readResource(GROUP_TYPE, { displayName: 'a', members })).toEqual({ displayName: 'a', members });
    expect(() => assertComplete(GROUP_TYPE, { displayName: 'a', members })).not.toThrow();
    expect(() => assertComplete(GROUP_TYPE, { externalId: 'a' })).toThrow('The attribute "displayName" is required.');
    const size = 64 * 1_024 - '{"userName":""}'.length;
    expect(() => assertComplete(USER_TYPE, { userName: 'a'.repeat(size) })).not.toThrow();
    expect(() => assertComplete(USER_TYPE, { userName: 'a'.repeat(size + 1) })).toThrow('larger than 64 KB.');
  });
});
