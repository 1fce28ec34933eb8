import { describe, expect, it } from '@jest/globals';
import type { Caller } from '#common';
import { OrganizationPending, OrganizationSuspended } from '#organizations';
import { bearerToken, demandPermission, demandWritable } from './access-decisions.js';
import { Forbidden, Unauthenticated } from './access-errors.js';

const callerWith = (...permissions: string[]): Caller => ({ kind: 'key', id: 'key_1', permissions });

describe('bearerToken', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['Bearer   abc', 'abc'],
  ])('reads %j', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', 'Bearer \u00e9', `Bearer ${'a'.repeat(4_097)}`])(
    'refuses %j',
    (header) => {
      expect(() => bearerToken(header)).toThrow(Unauthenticated);
    },
  );

  it('says what is missing', () => {
    expect(() => bearerToken(undefined)).toThrow(/Send an API key/);
    expect(() => bearerToken('Basic abc')).toThrow(/must have the form/);
  });
});

describe('demandPermission', () => {
  it.each([['users:read'], ['users:*'], ['*']])('lets %s pass', (granted) => {
    expect(() => demandPermission(callerWith(granted), 'users:read')).not.toThrow();
  });

  it.each([[[]], [['users:write']], [['user:*']], [['roles:*', 'users:delete']]])(
    'stops %j and names what is missing',
    (granted) => {
      const demand = () => demandPermission(callerWith(...granted), 'users:read');
      expect(demand).toThrow(Forbidden);
      expect(demand).toThrow(/"users:read"/);
    },
  );
});

describe('demandWritable', () => {
  const acme = { slug: 'acme' };

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('stops %s where nothing may change', (method) => {
    expect(() => demandWritable(method, { ...acme, status: 'suspended' })).toThrow(OrganizationSuspended);
    expect(() => demandWritable(method, { ...acme, status: 'pending' })).toThrow(OrganizationPending);
    expect(() => demandWritable(method, { ...acme, status: 'active' })).not.toThrow();
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('lets %s pass anywhere', (method) => {
    expect(() => demandWritable(method, { ...acme, status: 'suspended' })).not.toThrow();
    expect(() => demandWritable(method, { ...acme, status: 'pending' })).not.toThrow();
  });
});
