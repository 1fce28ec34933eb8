import { hasPermission, SERVICE_PERMISSIONS } from '#platform/common';
import { BUILT_IN_ROLES } from '#directory/roles';
import type { RequestOrganizations, Setup } from './setup.js';

/** A kind of caller: one column of the matrix. */
export interface MatrixCaller {
  readonly name: string;
  /** Whether the credential is valid. */
  readonly known: boolean;
  readonly platform?: true;
  /** Whether the caller is a signed-in user. */
  readonly session?: true;
  /** Whether the caller has every permission. */
  readonly all?: boolean;
  /** Whether the caller can access the organization in the request. */
  readonly reaches: boolean;
  /** Whether the caller has the permission that an operation requires. */
  holds(permission: string): boolean;
  /** Returns the bearer token for a request to `orgs.own` that requires `permission`, or undefined if the caller sends no token. */
  credential(
    setup: Setup,
    orgs: RequestOrganizations,
    permission: string,
    ownAccount: boolean,
    additionalPermissions?: readonly string[],
  ): Promise<string | undefined>;
}

const allPermissions = (): boolean => true;
const noPermissions = (): boolean => false;

const allBut = (permission: string): string[] => SERVICE_PERMISSIONS.filter((known) => known !== permission);

/** Returns the permissions of all other resources. */
const unrelatedTo = (permission: string): string[] =>
  SERVICE_PERMISSIONS.filter((known) => known.split(':')[0] !== permission.split(':')[0]);

/** Returns the caller with the session of a user who has a built-in role in the organization of the request. */
function sessionOf({ name, permissions }: (typeof BUILT_IN_ROLES)[number]): MatrixCaller {
  return {
    name: `session of ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`,
    known: true,
    session: true,
    all: permissions.includes('*'),
    reaches: true,
    holds: (permission) => hasPermission(permissions, permission),
    credential: (setup, orgs, _permission, ownAccount) => setup.sessionToken(orgs.own, name, ownAccount),
  };
}

/** All callers of the matrix. */
export const CALLERS: readonly MatrixCaller[] = [
  {
    name: 'no credential',
    known: false,
    reaches: false,
    holds: noPermissions,
    credential: async () => undefined,
  },
  {
    name: 'malformed key',
    known: false,
    reaches: false,
    holds: noPermissions,
    credential: async () => 'service_sk_malformed',
  },
  {
    name: 'revoked key',
    known: false,
    reaches: true,
    holds: allPermissions,
    credential: async (setup) => setup.credentials.revokedKey,
  },
  {
    name: 'expired key',
    known: false,
    reaches: true,
    holds: allPermissions,
    credential: async (setup) => setup.credentials.expiredKey,
  },
  {
    name: 'platform key',
    known: true,
    platform: true,
    reaches: true,
    holds: allPermissions,
    credential: async (setup) => setup.app.platformKey,
  },
  {
    name: 'own key with the permission alone',
    known: true,
    reaches: true,
    holds: allPermissions,
    credential: (setup, orgs, permission, _ownAccount, additionalPermissions = []) =>
      setup.key(orgs.own, [permission, ...additionalPermissions]),
  },
  {
    name: 'own key with all but the permission',
    known: true,
    reaches: true,
    holds: noPermissions,
    credential: (setup, orgs, permission) => setup.key(orgs.own, allBut(permission)),
  },
  {
    name: 'own key for other resources',
    known: true,
    reaches: true,
    holds: noPermissions,
    credential: (setup, orgs, permission) => setup.key(orgs.own, unrelatedTo(permission)),
  },
  {
    name: 'key of a parent organization, with the permission',
    known: true,
    reaches: true,
    holds: allPermissions,
    credential: (setup, _orgs, permission, _ownAccount, additionalPermissions = []) =>
      setup.key(setup.organizations.top, [permission, ...additionalPermissions]),
  },
  {
    name: 'key of a child organization, with all permissions',
    known: true,
    reaches: false,
    holds: allPermissions,
    credential: (setup, orgs) => setup.key(orgs.child, ['*']),
  },
  {
    name: 'key of another tenant, with all permissions',
    known: true,
    reaches: false,
    holds: allPermissions,
    credential: (setup) => setup.key(setup.organizations.otherTenant, ['*']),
  },
  {
    name: 'unknown session token',
    known: false,
    reaches: false,
    holds: noPermissions,
    credential: async () => 'A'.repeat(43),
  },
  {
    name: 'session of a suspended owner of a parent organization',
    known: false,
    reaches: true,
    holds: allPermissions,
    credential: async (setup) => setup.credentials.suspendedSession,
  },
  ...BUILT_IN_ROLES.map(sessionOf),
  {
    name: 'session of an owner of a parent organization',
    known: true,
    session: true,
    all: true,
    reaches: true,
    holds: allPermissions,
    credential: (setup, _orgs, _permission, ownAccount) => setup.sessionToken(setup.organizations.top, 'owner', ownAccount),
  },
  {
    name: 'session of an owner of a child organization',
    known: true,
    session: true,
    all: true,
    reaches: false,
    holds: allPermissions,
    credential: (setup, orgs, _permission, ownAccount) => setup.sessionToken(orgs.child, 'owner', ownAccount),
  },
  {
    name: 'session of an owner of another tenant',
    known: true,
    session: true,
    all: true,
    reaches: false,
    holds: allPermissions,
    credential: (setup, _orgs, _permission, ownAccount) =>
      setup.sessionToken(setup.organizations.otherTenant, 'owner', ownAccount),
  },
];
