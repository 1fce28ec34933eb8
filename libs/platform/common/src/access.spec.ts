import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  ALLOWED_WHILE_SUSPENDED,
  AllowedWhileSuspended,
  assertDelegable,
  callerFor,
  changesSomething,
  hasSecondFactor,
  ownPermissionsAt,
  permissionsAt,
  permissionsBeyond,
  Public,
  PUBLIC_ROUTE,
  reaches,
  reachesItself,
} from './access.js';
import { hasPermission } from './covers-permission.js';
import { GrantBeyondOwn } from './domain-error.js';
import { SERVICE_PERMISSIONS } from './permissions.js';
import type { Caller } from './request-context.js';

/** Mutation tests run this file hundreds of times. */
const IS_MUTATION_TEST = process.env['STRYKER_MUTATOR_WORKER'] !== undefined;

const RESOURCES = [...new Set(SERVICE_PERMISSIONS.map((permission) => permission.split(':')[0]!))];
const OWN_NAMES = ['invoices:read', 'invoices:*', 'user:read', 'usersx:read', 'users:greet', 'x.y-z:a_b'];

const wildcard = fc.constantFrom('*', ...RESOURCES.map((resource) => `${resource}:*`));
const servicePermission = fc.constantFrom<string>(...SERVICE_PERMISSIONS);
const permission = fc.oneof(
  { weight: 6, arbitrary: servicePermission },
  { weight: 3, arbitrary: wildcard },
  fc.constantFrom(...OWN_NAMES),
);
const permissions = fc.uniqueArray(permission, { maxLength: 12 });

/** Returns the service permissions that a list of permissions covers. A simple model of `hasPermission`. */
const covered = (granted: readonly string[]): Set<string> =>
  new Set(
    SERVICE_PERMISSIONS.filter(
      (each) =>
        granted.includes('*') ||
        granted.includes(each) ||
        (each !== 'users:impersonate' && granted.includes(`${each.split(':')[0]}:*`)),
    ),
  );

describe('access decorator', () => {
  class Routes {
    @Public('Anybody may know.')
    open(): void {}

    @AllowedWhileSuspended()
    remove(): void {}

    @AllowedWhileSuspended({ forSuspendedCallers: true })
    resume(): void {}
  }
  const metadataOf = (key: string) =>
    [Routes.prototype.open, Routes.prototype.remove, Routes.prototype.resume].map(
      (route) => Reflect.getMetadata(key, route) as unknown,
    );

  it('stores the options in the route metadata', () => {
    expect(metadataOf(PUBLIC_ROUTE)).toEqual(['Anybody may know.', undefined, undefined]);
    expect(metadataOf(ALLOWED_WHILE_SUSPENDED)).toEqual([
      undefined,
      { forSuspendedCallers: false },
      { forSuspendedCallers: true },
    ]);
  });
});

describe('hasPermission', () => {
  it.each([
    [['*'], 'users:read', true],
    [['*'], 'invoices:read', true],
    [['users:*'], 'users:read', true],
    [['users:*'], 'users:greet', true],
    [['users:*'], 'users:impersonate', false],
    [['users:impersonate'], 'users:impersonate', true],
    [['*'], 'users:impersonate', true],
    [['users:*'], 'usersx:read', false],
    [['users:*'], 'user:read', false],
    [['users:read'], 'users:*', false],
    [['users:read'], 'users:readx', false],
    [['users:read'], 'users:rea', false],
    [['use:*'], 'user', false],
    [[''], 'users:read', false],
    [[':*'], 'users', false],
    [[], 'users:read', false],
  ])('maps the permissions %j and the required permission %s to %s', (granted, wanted, holds) => {
    expect(hasPermission(granted, wanted)).toBe(holds);
  });

  it('agrees with a simple model', () => {
    fc.assert(
      fc.property(permissions, permissions, servicePermission, (granted, more, wanted) => {
        expect(hasPermission(granted, wanted)).toBe(covered(granted).has(wanted));
        if (hasPermission(granted, wanted)) expect(hasPermission([...granted, ...more], wanted)).toBe(true);
      }),
    );
  });
});

/** Returns whether a caller can grant a permission. A simple model of `permissionsBeyond`. */
const isDelegable = (granted: readonly string[], wanted: string): boolean => {
  const [resource, action] = wanted.split(':');
  const isOfService = wanted === '*' || covered(['*']).has(wanted) || (action === '*' && RESOURCES.includes(resource!));
  const canGrantApplicationPermissions = ['*', 'permissions:*', 'permissions:grant'].some((each) => granted.includes(each));
  return (
    [wanted, ...(wanted === 'users:impersonate' ? [] : [`${resource}:*`]), '*'].some((each) => granted.includes(each)) ||
    (!isOfService && canGrantApplicationPermissions)
  );
};

describe('permissionsBeyond', () => {
  it("returns exactly the permissions that the caller can't grant", () => {
    fc.assert(
      fc.property(permissions, permissions, (granted, wanted) => {
        expect(permissionsBeyond(granted, wanted)).toEqual(wanted.filter((each) => !isDelegable(granted, each)));
      }),
    );
  });

  it('prevents privilege escalation through a series of grants', () => {
    fc.assert(
      fc.property(permissions, fc.array(permissions, { minLength: 1, maxLength: 6 }), (granted, wanted) => {
        const received = wanted.reduce<readonly string[]>(
          (held, wished) => wished.filter((each) => permissionsBeyond(held, [each]).length === 0),
          granted,
        );
        expect(permissionsBeyond(granted, received)).toEqual([]);
      }),
      { numRuns: IS_MUTATION_TEST ? 100 : 5_000 },
    );
  });

  it.each([
    [['permissions:grant'], ['payments:approve', 'payments:*'], []],
    [['permissions:*'], ['payments:approve'], []],
    [['permissions:grant'], ['users:read', 'users:*', '*', 'permissions:*'], ['users:read', 'users:*', '*', 'permissions:*']],
    [['members:*'], ['payments:approve'], ['payments:approve']],
    [['payments:*'], ['payments:approve', 'payments:*'], []],
    [['payments:approve'], ['payments:*'], ['payments:*']],
  ])('maps the permissions %j and the requested permissions %j to %j', (held, wanted, beyond) => {
    expect(permissionsBeyond(held, wanted)).toEqual(beyond);
  });
});

describe('changesSomething', () => {
  it.each([
    ['users:write', true],
    ['users:*', true],
    ['*', true],
    ['break_glass:request', true],
    ['users:read', false],
    ['invoices:write', false],
    ['invoices:read', false],
    ['invoices:*', false],
  ])('maps the permission %s to %s', (wanted, expected) => {
    expect(changesSomething(wanted)).toBe(expected);
  });
});

describe('assertDelegable', () => {
  const organization = { id: 'org_b', ancestorIds: ['org_a'] };
  const user = (grants: Caller['grants']): Caller => ({ kind: 'user', permissions: ['*'], grants });

  it('names the role and all missing permissions in the error', () => {
    const key: Caller = { kind: 'key', organizationIds: ['org_a'], permissions: ['users:read'] };
    const grant = () => assertDelegable(key, organization, 'The role "x"', ['users:read', 'users:write', 'own:thing', '*']);
    expect(grant).toThrow(GrantBeyondOwn);
    expect(grant).toThrow(/The role "x".*users:write, own:thing, \*/);
    expect(() => assertDelegable(key, organization, 'The role "x"', ['users:read'])).not.toThrow();
  });

  it('ignores permissions from break-glass access', () => {
    const temporary = { organizationId: 'org_b', permissions: ['*'], temporary: true };
    const own = { organizationId: 'org_a', permissions: ['users:read'] };
    expect(ownPermissionsAt(user([temporary, own]), organization)).toEqual(['users:read']);
    expect(permissionsAt(user([temporary, own]), organization)).toEqual(['*', 'users:read']);
    expect(() => assertDelegable(user([temporary, own]), organization, 'It', ['users:read'])).not.toThrow();
    expect(() => assertDelegable(user([temporary, own]), organization, 'It', ['users:write'])).toThrow(GrantBeyondOwn);
    expect(() => assertDelegable(user([own]), { id: 'org_z', ancestorIds: [] }, 'It', ['users:read'])).toThrow(GrantBeyondOwn);
  });
});

describe('reaches', () => {
  const organization = { id: 'org_c', ancestorIds: ['org_a', 'org_b'] };

  it.each([
    [true, 'a key of the organization', { kind: 'key', organizationIds: ['org_c'], permissions: [] }],
    [true, 'a key of an ancestor', { kind: 'key', organizationIds: ['org_a'], permissions: [] }],
    [false, 'a key of another organization', { kind: 'key', organizationIds: ['org_d'], permissions: ['*'] }],
    [false, 'a key without an organization', { kind: 'key', permissions: ['*'] }],
    [false, 'an anonymous caller', { kind: 'anonymous', permissions: [] }],
    [
      true,
      'a user if only another organization is inaccessible',
      { kind: 'user', organizationIds: ['org_a'], inaccessibleOrganizationIds: ['org_d'], permissions: [] },
    ],
    [
      false,
      'a user if the organization is inaccessible',
      { kind: 'user', organizationIds: ['org_c'], inaccessibleOrganizationIds: ['org_d', 'org_c'], permissions: [] },
    ],
    [true, 'the system', { kind: 'system', permissions: [] }],
    [
      false,
      'a user if an ancestor is inaccessible',
      { kind: 'user', organizationIds: ['org_a'], inaccessibleOrganizationIds: ['org_b'], permissions: [] },
    ],
    [true, 'a platform key', { kind: 'platform', permissions: [] }],
  ] satisfies [boolean, string, Caller][])('returns %s for %s', (expected, _name, caller) => {
    expect(reaches(caller, organization)).toBe(expected);
  });
});

describe('callerFor', () => {
  const top = { id: 'org_top', ancestorIds: [] };
  const child = { id: 'org_child', ancestorIds: ['org_top'] };
  const grandchild = { id: 'org_grandchild', ancestorIds: ['org_top', 'org_child'] };
  const elsewhere = { id: 'org_elsewhere', ancestorIds: [] };
  const user: Caller = {
    kind: 'user',
    id: 'usr_1',
    organizationIds: ['org_top', 'org_child', 'org_elsewhere'],
    permissions: [],
    grants: [
      { organizationId: 'org_top', permissions: ['users:read'] },
      { organizationId: 'org_child', permissions: ['users:*', 'roles:read'] },
      { organizationId: 'org_elsewhere', permissions: ['webhooks:read'] },
    ],
  };

  it.each([
    ['org_top', top, ['users:read']],
    ['org_child', child, ['users:read', 'users:*', 'roles:read']],
    ['org_grandchild', grandchild, ['users:read', 'users:*', 'roles:read']],
    ['org_elsewhere', elsewhere, ['webhooks:read']],
  ])("returns the user's permissions for %s, including inherited permissions", (_name, organization, held) => {
    expect(permissionsAt(user, organization)).toEqual(held);
    expect(callerFor(user, 'users:write', organization).permissions).toEqual(held);
  });

  it.each([
    ['users:read', [true, true, true, false]],
    ['users:write', [false, true, true, false]],
    ['webhooks:read', [false, false, false, true]],
    ['api_keys:write', [false, false, false, false]],
  ])('limits the user to the organizations with the permission %s: %j', (permission, expected) => {
    const limitedUser = callerFor(user, permission, grandchild);
    expect([top, child, grandchild, elsewhere].map((organization) => reaches(limitedUser, organization))).toEqual(expected);
  });

  it('keeps only the required permission if the route has no organization', () => {
    expect(callerFor(user, 'users:write')).toMatchObject({ organizationIds: ['org_child'], permissions: ['users:write'] });
    expect(callerFor(user, 'api_keys:write')).toMatchObject({ organizationIds: [], permissions: [] });
  });

  it('replaces the limits of an earlier call', () => {
    const first = callerFor(user, 'users:write', child);
    expect(callerFor(first, 'webhooks:read', elsewhere)).toEqual(callerFor(user, 'webhooks:read', elsewhere));
  });

  it('omits break-glass access from ownOrganizationIds', () => {
    const temporary = { organizationId: 'org_top', permissions: ['*'], temporary: true };
    const own = { organizationId: 'org_child', permissions: ['users:*'] };
    const limitedUser = callerFor({ ...user, grants: [temporary, own] }, 'users:write');
    expect(limitedUser).toMatchObject({ organizationIds: ['org_top', 'org_child'], ownOrganizationIds: ['org_child'] });
    expect([top, child, grandchild].map((organization) => reaches(limitedUser, organization))).toEqual([true, true, true]);
    expect([top, child, grandchild].map((organization) => reachesItself(limitedUser, organization))).toEqual([false, true, true]);
  });

  it('does not change an API key', () => {
    const key: Caller = { kind: 'key', organizationIds: ['org_child'], permissions: ['*'] };
    expect(callerFor(key, 'users:read', child)).toBe(key);
    expect(permissionsAt(key, grandchild)).toEqual(['*']);
    expect(permissionsAt(key, top)).toEqual([]);
    expect([top, child].map((organization) => reachesItself(key, organization))).toEqual([false, true]);
  });
});

describe('hasSecondFactor', () => {
  it.each([
    [['password'], ['totp', 'passkey'], false],
    [['password', 'totp'], ['totp'], true],
    [['password', 'sms'], ['totp', 'passkey'], false],
    [['passkey'], ['passkey'], true],
    [['password', 'recovery_code'], ['totp'], true],
    [['oidc'], ['totp'], false],
    [['oidc', 'mfa'], ['totp'], true],
    [[], [], false],
  ])('maps the methods %j and the allowed methods %j to %s', (methods, allowed, expected) => {
    expect(hasSecondFactor(methods, allowed)).toBe(expected);
  });
});
