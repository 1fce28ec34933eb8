import { holdsPermission, SERVICE_PERMISSIONS } from '#platform/common';
import { BUILT_IN_ROLES } from '#directory/roles';
import type { RequestOrganizations, World } from './world.js';

/** One column of the matrix. */
export interface MatrixCaller {
  readonly name: string;
  /** Whether the credential is valid at all. */
  readonly known: boolean;
  readonly platform?: true;
  /** Whether it is a signed-in user. */
  readonly session?: true;
  /** Whether it has every permission. */
  readonly all?: boolean;
  /** Whether the caller can access the organization in the request. */
  readonly reaches: boolean;
  /** Whether the caller has the permission that an operation requires. */
  holds(permission: string): boolean;
  /** Returns the bearer token for a request to `place.own` that requires `permission`; undefined if none is sent. */
  credential(
    world: World,
    place: RequestOrganizations,
    permission: string,
    ownAccount: boolean,
    also?: readonly string[],
  ): Promise<string | undefined>;
}

const everything = (): boolean => true;
const nothing = (): boolean => false;

const allBut = (permission: string): string[] => SERVICE_PERMISSIONS.filter((known) => known !== permission);

/** Returns the permissions of all other resources. */
const unrelatedTo = (permission: string): string[] =>
  SERVICE_PERMISSIONS.filter((known) => known.split(':')[0] !== permission.split(':')[0]);

/** Returns a user who signed in to the organization in the request and has a built-in role in it. */
function sessionOf({ name, permissions }: (typeof BUILT_IN_ROLES)[number]): MatrixCaller {
  return {
    name: `session of ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`,
    known: true,
    session: true,
    all: permissions.includes('*'),
    reaches: true,
    holds: (permission) => holdsPermission(permissions, permission),
    credential: (world, place, _permission, ownAccount) => world.sessionToken(place.own, name, ownAccount),
  };
}

/** All callers of the matrix. */
export const CALLERS: readonly MatrixCaller[] = [
  {
    name: 'no credential',
    known: false,
    reaches: false,
    holds: nothing,
    credential: async () => undefined,
  },
  {
    name: 'malformed key',
    known: false,
    reaches: false,
    holds: nothing,
    credential: async () => 'service_sk_malformed',
  },
  {
    name: 'revoked key',
    known: false,
    reaches: true,
    holds: everything,
    credential: async (world) => world.credentials.revokedKey,
  },
  {
    name: 'expired key',
    known: false,
    reaches: true,
    holds: everything,
    credential: async (world) => world.credentials.expiredKey,
  },
  {
    name: 'platform key',
    known: true,
    platform: true,
    reaches: true,
    holds: everything,
    credential: async (world) => world.app.platformKey,
  },
  {
    name: 'own key with the permission alone',
    known: true,
    reaches: true,
    holds: everything,
    credential: (world, place, permission, _ownAccount, also = []) => world.key(place.own, [permission, ...also]),
  },
  {
    name: 'own key with all but the permission',
    known: true,
    reaches: true,
    holds: nothing,
    credential: (world, place, permission) => world.key(place.own, allBut(permission)),
  },
  {
    name: 'own key for other resources',
    known: true,
    reaches: true,
    holds: nothing,
    credential: (world, place, permission) => world.key(place.own, unrelatedTo(permission)),
  },
  {
    name: 'key of a parent organization, with the permission',
    known: true,
    reaches: true,
    holds: everything,
    credential: (world, _place, permission, _ownAccount, also = []) => world.key(world.organizations.top, [permission, ...also]),
  },
  {
    name: 'key of a child organization, with all permissions',
    known: true,
    reaches: false,
    holds: everything,
    credential: (world, place) => world.key(place.below, ['*']),
  },
  {
    name: 'key of another tenant, with all permissions',
    known: true,
    reaches: false,
    holds: everything,
    credential: (world) => world.key(world.organizations.otherTenant, ['*']),
  },
  {
    name: 'unknown session token',
    known: false,
    reaches: false,
    holds: nothing,
    credential: async () => 'A'.repeat(43),
  },
  {
    name: 'session of a suspended owner of a parent organization',
    known: false,
    reaches: true,
    holds: everything,
    credential: async (world) => world.credentials.suspendedSession,
  },
  ...BUILT_IN_ROLES.map(sessionOf),
  {
    name: 'session of an owner of a parent organization',
    known: true,
    session: true,
    all: true,
    reaches: true,
    holds: everything,
    credential: (world, _place, _permission, ownAccount) => world.sessionToken(world.organizations.top, 'owner', ownAccount),
  },
  {
    name: 'session of an owner of a child organization',
    known: true,
    session: true,
    all: true,
    reaches: false,
    holds: everything,
    credential: (world, place, _permission, ownAccount) => world.sessionToken(place.below, 'owner', ownAccount),
  },
  {
    name: 'session of an owner of another tenant',
    known: true,
    session: true,
    all: true,
    reaches: false,
    holds: everything,
    credential: (world, _place, _permission, ownAccount) =>
      world.sessionToken(world.organizations.otherTenant, 'owner', ownAccount),
  },
];
