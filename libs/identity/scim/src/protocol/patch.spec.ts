import { describe, expect, it } from '@jest/globals';
import { text } from './attributes.js';
import { applyPatch, readPatch } from './patch.js';
import type { ScimObject } from './resource.js';
import { ENTERPRISE_SCHEMA_ID as ENTERPRISE, GROUP_TYPE, USER_SCHEMA_ID, USER_TYPE } from './schemas.js';

type Operation = readonly [op: unknown, path: unknown, value?: unknown];

const bodyOf = (operations: readonly Operation[]) => ({
  Operations: operations.map(([op, path, value]) => ({ op, path, value })),
});
const patched = (resource: ScimObject, ...operations: readonly Operation[]): ScimObject =>
  applyPatch(resource, readPatch(USER_TYPE, bodyOf(operations)));
const invalid = (scimType: string) => expect.objectContaining({ scimType, message: expect.stringMatching(/ .*\.$/) });
const list = (length: number, item: (index: number) => unknown) => Array.from({ length }, (_, index) => item(index));
const work = { value: 'w@example.com', type: 'work', primary: true };
const home = { value: 'h@example.com', type: 'home' };

describe('a PATCH request', () => {
  it.each<[string, ScimObject, Operation[], ScimObject]>([
    ['sets', { title: 'a' }, [['ADD', 'TITLE', 'b']], { title: 'b' }],
    ['sets with the id of the schema', {}, [['add', `${USER_SCHEMA_ID.toUpperCase()}:title`, 'b']], { title: 'b' }],
    ['removes', { title: 'a', locale: 'de' }, [['remove', 'title', 'x']], { locale: 'de' }],
    ['removes with an empty value', { title: 'a' }, [['replace', 'title', '']], {}],
    [
      'sets without a path',
      { title: 'a' },
      [['add', '', { title: 'b', 'name.givenName': 'A' }]],
      { title: 'b', name: { givenName: 'A' } },
    ],
    [
      'ignores unknown and read-only names without a path',
      {},
      [['add', null, { id: '1', shoe: '2', meta: {}, title: 'a' }]],
      { title: 'a' },
    ],
    [
      'filters in a name without a path',
      { emails: [work, home] },
      [['replace', undefined, { 'emails[type eq "home"].value': 'x@example.com' }]],
      { emails: [work, { ...home, value: 'x@example.com' }] },
    ],
    [
      'sets a sub-attribute',
      { name: { familyName: 'B', givenName: 'C' } },
      [['add', 'name.givenName', 'A']],
      { name: { familyName: 'B', givenName: 'A' } },
    ],
    ['sets the first sub-attribute', {}, [['add', 'name.givenName', 'A']], { name: { givenName: 'A' } }],
    [
      'removes a sub-attribute',
      { name: { familyName: 'B', givenName: 'C' } },
      [['remove', 'name.givenName', 'x']],
      { name: { familyName: 'B' } },
    ],
    ['removes the last sub-attribute', { name: { givenName: 'C' } }, [['remove', 'name.givenName']], {}],
    [
      'keeps the other sub-attributes',
      { name: { familyName: 'B', givenName: 'C' } },
      [['replace', 'name', { givenName: 'A' }]],
      { name: { familyName: 'B', givenName: 'A' } },
    ],
    ['removes with no sub-attributes', { name: { familyName: 'B' } }, [['replace', 'name', null]], {}],
    [
      'sets the extension',
      { [ENTERPRISE]: { department: 'A' } },
      [['add', ENTERPRISE.toLowerCase(), { costCenter: '7' }]],
      { [ENTERPRISE]: { department: 'A', costCenter: '7' } },
    ],
    [
      'sets the extension without a path',
      {},
      [['add', undefined, { [ENTERPRISE.toLowerCase()]: { 'manager.value': '7', id: '1' } }]],
      { [ENTERPRISE]: { manager: { value: '7' } } },
    ],
    [
      'removes the extension',
      { title: 'a', [ENTERPRISE]: { department: 'A', manager: { value: '7' } } },
      [['remove', ENTERPRISE]],
      { title: 'a' },
    ],
    [
      'removes an attribute of the extension',
      { [ENTERPRISE]: { department: 'A', division: 'B' } },
      [['remove', `${ENTERPRISE}:division`]],
      { [ENTERPRISE]: { department: 'A' } },
    ],
    [
      'adds values once',
      { emails: [work, home] },
      [['add', 'emails', [{ ...home, display: 'H' }]]],
      { emails: [work, { ...home, display: 'H' }] },
    ],
    [
      'adds a value of another type',
      { emails: [home] },
      [['add', 'emails', { ...home, type: 'other' }]],
      { emails: [home, { ...home, type: 'other' }] },
    ],
    [
      'adds values without `value`',
      { addresses: [{ country: 'DE' }] },
      [['add', 'addresses', { country: 'FR' }]],
      { addresses: [{ country: 'DE' }, { country: 'FR' }] },
    ],
    [
      'moves the primary value',
      { emails: [work, home] },
      [['add', 'emails', [{ value: 'n@example.com', primary: true }]]],
      { emails: [{ ...work, primary: false }, home, { value: 'n@example.com', primary: true }] },
    ],
    ['replaces all values', { emails: [work] }, [['replace', 'emails', [home]]], { emails: [home] }],
    ['removes all values', { emails: [work, home] }, [['remove', 'emails']], {}],
    ['removes all values with null', { emails: [work, home] }, [['replace', 'emails', null]], {}],
    ['adds no value', { emails: [work] }, [['add', 'emails', []]], { emails: [work] }],
    [
      'removes the named values',
      { emails: [work, home] },
      [['remove', 'emails', [{ value: 'x@example.com' }, { value: 'h@example.com' }]]],
      { emails: [work] },
    ],
    [
      'sets a sub-attribute of all values',
      { emails: [work, home] },
      [['replace', 'emails.type', 'other']],
      {
        emails: [
          { ...work, type: 'other' },
          { ...home, type: 'other' },
        ],
      },
    ],
    [
      'removes a sub-attribute of all values',
      { emails: [work] },
      [['remove', 'emails.type', 'x']],
      { emails: [{ value: 'w@example.com', primary: true }] },
    ],
    ['removes matching values', { emails: [work, home] }, [['remove', 'emails[type eq "work"]']], { emails: [home] }],
    [
      'removes a sub-attribute of matching values',
      { emails: [work, home] },
      [['remove', 'emails[type eq "home"].type', 'x']],
      { emails: [work, { value: 'h@example.com' }] },
    ],
    [
      'sets matching values',
      { emails: [work, home] },
      [['replace', 'emails[type eq "home"]', { display: 'H' }]],
      { emails: [work, { ...home, display: 'H' }] },
    ],
    [
      'moves the primary value to the matching one',
      { emails: [work, home] },
      [['replace', 'emails[type eq "home"].primary', 'True']],
      {
        emails: [
          { ...work, primary: false },
          { ...home, primary: true },
        ],
      },
    ],
    [
      'creates the value that a filter describes',
      { emails: [work] },
      [['add', 'emails[type eq "home"].value', 'h@example.com']],
      { emails: [work, home] },
    ],
    [
      'creates the value that two conditions describe',
      { emails: [work] },
      [['add', 'emails[type eq "home" and display eq "H"]', { value: 'h@example.com' }]],
      { emails: [work, { ...home, display: 'H' }] },
    ],
  ])('%s', (_title, resource, operations, expected) => {
    const before = structuredClone(resource);
    expect(patched(resource, ...operations)).toEqual(expected);
    expect(resource).toEqual(before);
  });

  it.each<[string, Operation[]]>([
    ['invalidSyntax', []],
    ['invalidSyntax', [['move', 'title', 'a']]],
    ['invalidSyntax', [[1, 'title', 'a']]],
    ['invalidPath', [['add', 1, { title: 'a' }]]],
    ['noTarget', [['remove', '', { title: 'a' }]]],
    ['invalidValue', [['add', undefined, 'a']]],
    ['invalidValue', [['add', undefined, { [ENTERPRISE]: 'a' }]]],
    ['invalidPath', [['add', 'shoe', 'a']]],
    ['invalidPath', [['add', 'emails.shoe', 'a']]],
    ['invalidPath', [['add', 'emails.value.x', 'a']]],
    ['invalidPath', [['add', 'name[givenName eq "A"]', { familyName: 'B' }]]],
    ['mutability', [['replace', 'groups', [{ value: 'a' }]]]],
    ['mutability', [['remove', 'meta.created']]],
    ['noTarget', [['replace', 'emails[type co "x"].value', 'a']]],
    ['noTarget', [['replace', 'emails[type eq "x" or type eq "y"].value', 'a']]],
    ['noTarget', [['replace', 'emails[type eq "x" and not (value pr)].value', 'a']]],
    ['invalidFilter', [['remove', 'emails[shoe eq "x"]']]],
    ['invalidValue', [['add', 'emails', list(101, (index) => ({ value: `${index}` }))]]],
    [
      'invalidValue',
      [
        ['add', 'emails', list(100, (index) => ({ value: `${index}` }))],
        ['add', 'emails', home],
      ],
    ],
    ['invalidSyntax', list(1_001, () => ['add', 'title', 'a']) as Operation[]],
    ['invalidSyntax', list(501, () => ['add', '', { title: 'a', locale: 'de' }]) as Operation[]],
  ])('is rejected as %s: case %#', (scimType, operations) => {
    expect(() => patched({}, ...operations)).toThrow(invalid(scimType));
  });

  it('has a list of objects as operations', () => {
    for (const body of [null, [], {}, { Operations: {} }, { Operations: [null] }])
      expect(() => readPatch(USER_TYPE, body)).toThrow(invalid('invalidSyntax'));
    expect(readPatch(USER_TYPE, { operations: [{ op: 'remove', path: 'title' }] })).toHaveLength(1);
  });

  it("can't write a read-only sub-attribute", () => {
    const [title] = [text('title', '')];
    const type = {
      ...USER_TYPE,
      schema: {
        ...USER_TYPE.schema,
        attributes: [{ ...title, type: 'complex' as const, subAttributes: [text('a', '', { mutability: 'readOnly' })] }],
      },
    };
    expect(() => readPatch(type, bodyOf([['add', 'title.a', 'x']]))).toThrow(invalid('mutability'));
  });

  it('has at most 1000 operations, 1000 conditions and 10 searches of members', () => {
    const conditions = (count: number) => `emails[${list(count, () => 'type pr').join(' or ')}]`;
    const user = (count: number, path: string) => () =>
      readPatch(USER_TYPE, bodyOf(list(count, () => ['remove', path]) as Operation[]));
    const group = (count: number, path: string) => () =>
      readPatch(GROUP_TYPE, bodyOf(list(count, () => ['remove', path]) as Operation[]));
    expect(user(1_000, 'title')()).toHaveLength(1_000);
    expect(user(10, conditions(100))()).toHaveLength(10);
    expect(user(20, conditions(51))).toThrow('at most 1000 conditions');
    expect(group(10, 'members[type eq "User"]')()).toHaveLength(10);
    expect(group(11, 'members[type eq "User"]')).toThrow('at most 10 filters of members');
    expect(group(11, 'members[value co "a"]')).toThrow('at most 10 filters of members');
    for (const path of ['members', 'members[value eq "a"]']) expect(group(11, path)()).toHaveLength(11);
    expect(user(11, 'emails[type eq "work"]')()).toHaveLength(11);
  });
});
