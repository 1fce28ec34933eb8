import { describe, expect, it } from '@jest/globals';
import { readPatch } from '../protocol/patch.js';
import { GROUP_TYPE } from '../protocol/schemas.js';
import { memberChangeOf, memberIdsOf } from './group-member-changes.js';

const changeOf = (op: string, path: string, value?: unknown, current: string[] = ['a', 'b']) =>
  memberChangeOf(readPatch(GROUP_TYPE, { Operations: [{ op, path, value }] })[0]!, () => Promise.resolve(current));

describe('an operation on the members of a group', () => {
  it.each<[string, string, unknown, object]>([
    ['add', 'members', [{ value: 'c' }, 'd', { value: 'c' }], { add: ['c', 'd'] }],
    ['replace', 'members', { value: 'c' }, { set: ['c'] }],
    ['remove', 'members', [{ value: 'a' }], { remove: ['a'] }],
    ['remove', 'members', undefined, { set: [] }],
    ['remove', 'members', null, { set: [] }],
    ['remove', 'members[value eq "x"]', undefined, { remove: ['x'] }],
    ['remove', 'members[value eq "x" and type eq "Group"]', undefined, { remove: [] }],
    ['remove', 'members[value sw "a"]', undefined, { remove: ['a'] }],
    ['remove', 'members[type eq "User"]', undefined, { remove: ['a', 'b'] }],
    ['add', 'members[value eq "x"]', { value: 'c' }, { add: ['x', 'c'] }],
  ])('%s %s %j', async (op, path, value, change) => {
    expect(await changeOf(op, path, value)).toEqual(change);
  });

  it("can't change a member, or compare more than 100,000 times", async () => {
    await expect(changeOf('replace', 'members.type', 'a')).rejects.toMatchObject({
      scimType: 'mutability',
      message: expect.stringContaining("can't be changed"),
    });
    const many = Array.from({ length: 50_001 }, (_, index) => `${index}`);
    const path = 'members[type eq "x" or type eq "y"]';
    expect(await changeOf('remove', path, undefined, many.slice(1))).toEqual({ remove: [] });
    await expect(changeOf('remove', path, undefined, many)).rejects.toMatchObject({
      scimType: 'tooMany',
      message: expect.stringContaining('too many members'),
    });
  });

  it.each([1, {}, [''], { value: '' }, { value: 'a\0' }, [null]])('needs the ids of users: %j', (value) => {
    expect(() => memberIdsOf(value)).toThrow('needs the id of a user');
  });

  it('rejects groups as members', () => {
    for (const value of [{ value: 'a', type: 'GROUP' }, 'group_1'])
      expect(() => memberIdsOf(value)).toThrow(/^"(a|group_1)" is a group\./);
    expect(
      memberIdsOf([
        { value: 'a', type: 1 },
        { value: 'a_group_1', type: 'User' },
      ]),
    ).toEqual(['a', 'a_group_1']);
    expect([memberIdsOf(undefined), memberIdsOf(null)]).toEqual([[], []]);
  });
});
