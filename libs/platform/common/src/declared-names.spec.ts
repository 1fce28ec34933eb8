import { describe, expect, it } from '@jest/globals';
import { DeclaredNames } from './declared-names.js';

describe('DeclaredNames', () => {
  const first = ['users:read', 'users:write', 'roles:read'];

  it('adds names in alphabetical order', () => {
    const forwards = new DeclaredNames<string>(':', first);
    const backwards = new DeclaredNames<string>(':', first);
    const { names, patterns } = forwards;
    forwards.add(['badges:write', 'badges:read']);
    forwards.add(['zoos:read']);
    backwards.add(['zoos:read']);
    backwards.add(['badges:write', 'badges:read']);
    expect(names).toEqual([...first, 'badges:read', 'badges:write', 'zoos:read']);
    expect(patterns).toEqual(['*', 'users:*', 'roles:*', 'badges:*', 'zoos:*', ...names]);
    expect([backwards.names, backwards.patterns]).toEqual([names, patterns]);
  });

  it('ignores duplicate names', () => {
    const { names } = new DeclaredNames<string>('.', ['user.created']);
    const declared = new DeclaredNames<string>('.', names);
    declared.add(['user.created', 'badge.created']);
    declared.add(['badge.created']);
    expect(declared.names).toEqual(['user.created', 'badge.created']);
    expect(declared.patterns).toEqual(['*', 'user.*', 'badge.*', 'user.created', 'badge.created']);
  });
});
