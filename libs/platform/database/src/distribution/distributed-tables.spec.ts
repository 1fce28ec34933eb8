import { describe, expect, it } from '@jest/globals';
import { type Table, tablesToDistribute } from './distributed-tables.js';

const table = (name: string, references: string[] = [], hasTenant = true): Table => ({
  name,
  references,
  hasTenant,
  isDistributed: false,
  localBytes: 0,
});

describe('tablesToDistribute', () => {
  it('returns organizations first, then each table after the tables that it references', () => {
    const tables = [table('a', ['users']), table('events'), table('organizations'), table('users', ['organizations'])];
    expect(tablesToDistribute(tables).map(({ name }) => name)).toEqual(['organizations', 'events', 'users', 'a']);
  });

  it('distributes by tenant, some tables by value, and not the tables without a tenant', () => {
    const tables = [table('organizations'), table('users'), table('token_hashes'), table('signing_keys', [], false)];
    expect(tablesToDistribute(tables).map(({ name, column, colocation }) => [name, column, colocation])).toEqual([
      ['organizations', 'tenant_id', 'none'],
      ['users', 'tenant_id', 'organizations'],
      ['token_hashes', 'hash', 'none'],
    ]);
  });

  it.each([
    ['form a cycle', [table('a', ['b']), table('b', ['a'])]],
    ['reference a table without a tenant', [table('a', ['kinds']), table('b', ['a']), table('kinds', [], false)]],
  ])('throws if foreign keys %s', (_, tables) => {
    expect(() => tablesToDistribute(tables)).toThrow(/reference a table without tenant_id: a, b\.$/);
  });
});
