import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  ALLOWED_WHILE_SUSPENDED,
  AllowedWhileSuspended,
  callerFor,
  demandGrantable,
  holdsPermission,
  holdsSecondFactor,
  permissionsAt,
  permissionsBeyond,
  Public,
  PUBLIC_ROUTE,
  reaches,
  SERVICE_PERMISSIONS,
} from './access.js';
import { GrantBeyondOwn } from './domain-error.js';
import type { Caller } from './request-context.js';

/** With mutation tests this file runs hundreds of times. */
const MUTANT = process.env['STRYKER_MUTATOR_WORKER'] !== undefined;

const RESOURCES = [...new Set(SERVICE_PERMISSIONS.map((permission) => permission.split(':')[0]!))];
const OWN_NAMES = ['invoices:read', 'invoices:*', 'user:read', 'usersx:read', 'users:impersonate', 'x.y-z:a_b'];

const wildcard = fc.constantFrom('*', ...RESOURCES.map((resource) => `${resource}:*`));
const known = fc.constantFrom<string>(...SERVICE_PERMISSIONS);
const permission = fc.oneof({ weight: 6, arbitrary: known }, { weight: 3, arbitrary: wildcard }, fc.constantFrom(...OWN_NAMES));
const permissions = fc.uniqueArray(permission, { maxLength: 12 });

const caller = (granted: readonly string[]): Caller => ({ kind: 'key', permissions: granted });
/** The plain model: which of this service's permissions a list covers. */
const covered = (granted: readonly string[]): Set<string> =>
  new Set(
    SERVICE_PERMISSIONS.filter(
      (each) => granted.includes('*') || granted.includes(each) || granted.includes(`${each.split(':')[0]}:*`),
    ),
  );

describe('routes', () => {
  class Routes {
    @Public('Anybody may know.')
    open(): void {}

    @AllowedWhileSuspended()
    resume(): void {}
  }
  const said = (key: string) =>
    [Routes.prototype.open, Routes.prototype.resume].map((route) => Reflect.getMetadata(key, route) as unknown);

  it('keep what is declared of them, for the access guard', () => {
    expect(said(PUBLIC_ROUTE)).toEqual(['Anybody may know.', undefined]);
    expect(said(ALLOWED_WHILE_SUSPENDED)).toEqual([undefined, true]);
  });
});

describe('holdsPermission', () => {
  it.each([
    [['*'], 'users:read', true],
    [['*'], 'invoices:read', true],
    [['users:*'], 'users:read', true],
    [['users:*'], 'users:impersonate', true],
    [['users:*'], 'usersx:read', false],
    [['users:*'], 'user:read', false],
    [['users:read'], 'users:*', false],
    [['users:read'], 'users:readx', false],
    [['users:read'], 'users:rea', false],
    [['use:*'], 'user', false],
    [[''], 'users:read', false],
    [[':*'], 'users', false],
    [[], 'users:read', false],
  ])('%j for %s: %s', (granted, wanted, holds) => {
    expect(holdsPermission(granted, wanted)).toBe(holds);
  });

  it('agrees with a plain model, and with more permissions never holds less', () => {
    fc.assert(
      fc.property(permissions, permissions, known, (granted, more, wanted) => {
        expect(holdsPermission(granted, wanted)).toBe(covered(granted).has(wanted));
        if (holdsPermission(granted, wanted)) expect(holdsPermission([...granted, ...more], wanted)).toBe(true);
      }),
    );
  });
});

describe('permissionsBeyond', () => {
  it('lets pass exactly what covers nothing that the caller lacks', () => {
    fc.assert(
      fc.property(permissions, permissions, (granted, wanted) => {
        const beyond = permissionsBeyond(caller(granted), wanted);
        const held = covered(granted);
        const passed = wanted.filter((each) => !beyond.includes(each));

        expect(beyond.every((each) => wanted.includes(each))).toBe(true);
        // Nobody who got what passed can do anything that the granting caller can't.
        for (const each of covered(passed)) expect(held).toContain(each);
        // And nothing is refused without reason.
        for (const each of beyond)
          expect(each === '*' ? !granted.includes('*') : [...covered([each])].some((one) => !held.has(one))).toBe(true);
      }),
    );
  });

  it('is nothing for one’s own permissions, and for those of any caller with "*"', () => {
    fc.assert(
      fc.property(permissions, permissions, (granted, wanted) => {
        expect(permissionsBeyond(caller(granted), granted)).toEqual([]);
        expect(permissionsBeyond(caller(['*']), wanted)).toEqual([]);
      }),
    );
  });

  it('can’t be passed by in any number of steps: what a caller grants, no receiver can grant beyond', () => {
    fc.assert(
      fc.property(permissions, fc.array(permissions, { minLength: 1, maxLength: 6 }), (granted, wanted) => {
        const handedOn = wanted.reduce<readonly string[]>(
          (held, wished) => wished.filter((each) => permissionsBeyond(caller(held), [each]).length === 0),
          granted,
        );
        expect(permissionsBeyond(caller(granted), handedOn)).toEqual([]);
      }),
      { numRuns: MUTANT ? 100 : 5_000 },
    );
  });

  it('knows every permission that an operation wants', () => {
    const openapi = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');
    const wanted = [...openapi.matchAll(/"x-required-permission": "([^"]+)"/g)].map(([, each]) => each!);
    expect(new Set(wanted).size).toBeGreaterThan(10);
    for (const each of wanted) expect(permissionsBeyond(caller([]), [each, `${each.split(':')[0]}:*`])).toHaveLength(2);
  });

  it('refuses "*" to one who holds every single permission, since it covers those to come', () => {
    expect(permissionsBeyond(caller(SERVICE_PERMISSIONS), ['*', 'users:*', 'users:read'])).toEqual(['*']);
  });
});

describe('demandGrantable', () => {
  it('names the bearer and all that is lacking', () => {
    const demand = () => demandGrantable(caller(['users:read']), 'The role "x"', ['users:read', 'users:write', 'own:thing', '*']);
    expect(demand).toThrow(GrantBeyondOwn);
    expect(demand).toThrow(/The role "x".*users:write.*\*/);
    expect(() => demandGrantable(caller(['users:read']), 'The role "x"', ['users:read', 'own:thing'])).not.toThrow();
  });
});

describe('reaches', () => {
  const place = { id: 'org_c', ancestorIds: ['org_a', 'org_b'] };

  it.each([
    ['its own organization', { kind: 'key', organizationIds: ['org_c'], permissions: [] }, true],
    ['one below', { kind: 'key', organizationIds: ['org_a'], permissions: [] }, true],
    ['no other', { kind: 'key', organizationIds: ['org_d'], permissions: ['*'] }, false],
    ['nothing without an organization', { kind: 'key', permissions: ['*'] }, false],
    ['nothing as nobody', { kind: 'anonymous', permissions: [] }, false],
    [
      'all that is not barred',
      { kind: 'user', organizationIds: ['org_a'], barredOrganizationIds: ['org_d'], permissions: [] },
      true,
    ],
    [
      'nothing where all that it is given is barred',
      { kind: 'user', organizationIds: ['org_c'], barredOrganizationIds: ['org_d', 'org_c'], permissions: [] },
      false,
    ],
    ['all as the system', { kind: 'system', permissions: [] }, true],
    [
      'nothing where it is barred',
      { kind: 'user', organizationIds: ['org_a'], barredOrganizationIds: ['org_b'], permissions: [] },
      false,
    ],
    ['all as the platform', { kind: 'platform', permissions: [] }, true],
  ] satisfies [string, Caller, boolean][])('%s', (_name, who, expected) => {
    expect(reaches(who, place)).toBe(expected);
  });
});

describe('a user with roles in several organizations', () => {
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
  ])('holds in %s what its roles there and above give', (_name, place, held) => {
    expect(permissionsAt(user, place)).toEqual(held);
    expect(callerFor(user, 'users:write', place).permissions).toEqual(held);
  });

  it.each([
    ['users:read', [true, true, true, false]],
    ['users:write', [false, true, true, false]],
    ['webhooks:read', [false, false, false, true]],
    ['api_keys:write', [false, false, false, false]],
  ])('reaches with %s where it holds it: %j', (permission, expected) => {
    const narrowed = callerFor(user, permission, grandchild);
    expect([top, child, grandchild, elsewhere].map((place) => reaches(narrowed, place))).toEqual(expected);
  });

  it('is left the one permission where no organization is addressed, and none where it holds that nowhere', () => {
    expect(callerFor(user, 'users:write')).toMatchObject({ organizationIds: ['org_child'], permissions: ['users:write'] });
    expect(callerFor(user, 'api_keys:write')).toMatchObject({ organizationIds: [], permissions: [] });
  });

  it('can be narrowed again to another permission and place', () => {
    const first = callerFor(user, 'users:write', child);
    expect(callerFor(first, 'webhooks:read', elsewhere)).toEqual(callerFor(user, 'webhooks:read', elsewhere));
  });

  it('differs from a key, which is the same everywhere and holds nothing out of reach', () => {
    const key: Caller = { kind: 'key', organizationIds: ['org_child'], permissions: ['*'] };
    expect(callerFor(key, 'users:read', child)).toBe(key);
    expect(permissionsAt(key, grandchild)).toEqual(['*']);
    expect(permissionsAt(key, top)).toEqual([]);
  });
});

describe('holdsSecondFactor', () => {
  it.each([
    [['password'], ['totp', 'passkey'], false],
    [['password', 'totp'], ['totp'], true],
    [['password', 'sms'], ['totp', 'passkey'], false],
    [['passkey'], ['passkey'], true],
    [['password', 'recovery_code'], ['totp'], true],
    [['oidc'], ['totp'], false],
    [['oidc', 'mfa'], ['totp'], true],
    [[], [], false],
  ])('%j where %j are allowed: %s', (methods, allowed, expected) => {
    expect(holdsSecondFactor(methods, allowed)).toBe(expected);
  });
});
