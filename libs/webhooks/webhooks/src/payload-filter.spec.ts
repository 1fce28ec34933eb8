import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { filterProblem, meetsFilter, type PayloadFilter } from './payload-filter.js';

const DATA = {
  id: 'usr_1',
  status: 'suspended',
  email: 'ada@example.com',
  failedAttempts: 4,
  phoneNumber: null,
  roles: ['admin', 'viewer'],
  metadata: { plan: 'pro', seats: 10 },
  changes: { status: { from: 'active', to: 'suspended' } },
};

describe('meetsFilter', () => {
  it.each<[PayloadFilter, boolean]>([
    [{ status: 'suspended' }, true],
    [{ status: 'active' }, false],
    [{ status: 'suspended', id: 'usr_2' }, false],
    [{ 'changes.status.to': 'suspended' }, true],
    [{ 'metadata.plan': { $in: ['pro', 'team'] } }, true],
    [{ 'metadata.plan': { $nin: ['pro', 'team'] } }, false],
    [{ failedAttempts: { $gt: 3, $lte: 4 } }, true],
    [{ failedAttempts: { $gt: 4 } }, false],
    [{ failedAttempts: { $gt: '3' } }, false],
    [{ roles: 'admin' }, true],
    [{ roles: { $all: ['admin', 'viewer'] } }, true],
    [{ roles: { $size: 3 } }, false],
    [{ nothing: { $exists: false } }, true],
    [{ phoneNumber: { $exists: true } }, true],
    [{ phoneNumber: null }, true],
    [{ status: { $ne: 'active' } }, true],
    [{ $or: [{ status: 'active' }, { 'metadata.seats': { $gte: 10 } }] }, true],
    [{ $and: [{ status: 'suspended' }, { $nor: [{ id: 'usr_1' }] }] }, false],
    [{ failedAttempts: { $not: { $lt: 4 } } }, true],
  ])('maps the filter %j to %s', (filter, met) => {
    expect(filterProblem(filter)).toBeUndefined();
    expect(meetsFilter(filter, DATA)).toBe(met);
  });
});

describe('filterProblem', () => {
  it.each<[unknown, string, string]>([
    [{}, '', 'too_few'],
    [[], '', 'wrong_type'],
    ['status', '', 'wrong_type'],
    [{ $where: 'process.exit()' }, '/$where', 'invalid_operator'],
    [{ status: { $where: 'x' } }, '/status/$where', 'invalid_operator'],
    [{ email: { $regex: '(a+)+$' } }, '/email/$regex', 'invalid_operator'],
    [{ email: { $type: 'string' } }, '/email/$type', 'invalid_operator'],
    [{ roles: { $elemMatch: { a: 1 } } }, '/roles/$elemMatch', 'invalid_operator'],
    [{ status: {} }, '/status', 'too_few'],
    [{ status: ['a'] }, '/status', 'wrong_type'],
    [{ status: { name: 'a' } }, '/status/name', 'invalid_operator'],
    [{ status: { toString: 'a' } }, '/status/toString', 'invalid_operator'],
    [{ '__proto__.polluted': 1 }, '/__proto__.polluted', 'invalid_key'],
    [JSON.parse('{"__proto__": 1}'), '/__proto__', 'invalid_key'],
    [{ 'a.constructor.name': 'Object' }, '/a.constructor.name', 'invalid_key'],
    [{ 'a..b': 1 }, '/a..b', 'invalid_key'],
    [{ 'a/b~c': 1 }, '/a~1b~0c', 'invalid_key'],
    [{ status: { $in: [] } }, '/status/$in', 'wrong_type'],
    [{ status: { $in: ['a', {}] } }, '/status/$in/1', 'wrong_type'],
    [{ status: { $in: Array.from({ length: 101 }, () => 1) } }, '/status/$in', 'wrong_type'],
    [{ status: { $gt: true } }, '/status/$gt', 'wrong_type'],
    [{ status: { $exists: 1 } }, '/status/$exists', 'wrong_type'],
    [{ status: { $size: -1 } }, '/status/$size', 'wrong_type'],
    [{ status: { $not: 'a' } }, '/status/$not', 'wrong_type'],
    [{ $or: {} }, '/$or', 'wrong_type'],
    [{ $or: [{ status: 'a' }, { $not: {} }] }, '/$or/1/$not', 'invalid_operator'],
    [{ $or: [{ $or: [{ $or: [{ $or: [{ $or: [{ a: 1 }] }] }] }] }] }, '/$or/0/$or/0/$or/0/$or/0/$or/0', 'too_deep'],
    [{ a: { $not: { $not: { $not: { $not: { $not: { $eq: 1 } } } } } } }, '/a/$not/$not/$not/$not', 'too_deep'],
    [Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, 1])), '', 'too_many'],
    [{ status: 'x'.repeat(4_096) }, '', 'too_large'],
  ])('maps the filter %j to the location "%s" and the code %s', (filter, path, code) => {
    expect(filterProblem(filter)).toMatchObject({ path, code });
  });

  it('rejects every filter whose evaluation throws', () => {
    const operators = ['$eq', '$in', '$not', '$and', '$or', '$exists', '$where', '$regex', '$size'];
    const key = fc.constantFrom('a', 'a.b', '__proto__', ...operators);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(1, 'x', null, true),
        fc.array(tie('tree'), { maxLength: 3 }),
        tie('object'),
      ),
      object: fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
    }));
    fc.assert(
      fc.property(fc.oneof(fc.dictionary(key, tree, { maxKeys: 3 }), tree), fc.jsonValue(), (filter, data) => {
        if (filterProblem(filter)) return;
        expect(typeof meetsFilter(filter as PayloadFilter, { a: data })).toBe('boolean');
      }),
      { numRuns: 2_000 },
    );
  });
});
