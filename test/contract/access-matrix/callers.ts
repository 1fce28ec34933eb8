import { hasPermission, SERVICE_PERMISSIONS } from '#platform/common';
import { BUILT_IN_ROLES } from '#directory/roles';
import type { MatrixRow } from './row.js';
import type { RequestOrganizations, Setup } from './setup.js';

/** A kind of caller: one column of the matrix. */
export interface MatrixCaller {
  readonly name: string;
  readonly isAuthenticated: boolean;
  readonly platform?: true;
  readonly isUser?: true;
  readonly hasAllPermissions?: boolean;
  /** Whether the caller can access the organization in the request. */
  readonly hasAccess: boolean;
  hasPermission(permission: string): boolean;
  /** Returns the bearer token for a request to `orgs.own`, or undefined without a token. */
  credential(setup: Setup, orgs: RequestOrganizations, permission: string, row: MatrixRow): Promise<string | undefined>;
}

const allPermissions = (): boolean => true;
const noPermissions = (): boolean => false;

const allBut = (permission: string): string[] => SERVICE_PERMISSIONS.filter((other) => other !== permission);

/** Returns the permissions for all resources except the resource of `permission`. */
const unrelatedTo = (permission: string): string[] =>
  SERVICE_PERMISSIONS.filter((other) => other.split(':')[0] !== permission.split(':')[0]);

const UNAUTHENTICATED = { isAuthenticated: false, hasAccess: false, hasPermission: noPermissions };
const KEY = { isAuthenticated: true, hasAccess: true, hasPermission: allPermissions };
const OWNER = { ...KEY, isUser: true, hasAllPermissions: true } as const;

/** Returns a caller with a session: a user with the built-in role in the organization of the request. */
function sessionOf({ name, permissions }: (typeof BUILT_IN_ROLES)[number]): MatrixCaller {
  return {
    name: `session of ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`,
    isAuthenticated: true,
    isUser: true,
    hasAllPermissions: permissions.includes('*'),
    hasAccess: true,
    hasPermission: (permission) => hasPermission(permissions, permission),
    credential: (setup, orgs, _permission, { ownAccount }) => setup.sessionToken(orgs.own, name, ownAccount),
  };
}

export const CALLERS: readonly MatrixCaller[] = [
  { ...UNAUTHENTICATED, name: 'no credential', credential: async () => undefined },
  { ...UNAUTHENTICATED, name: 'malformed key', credential: async () => 'service_sk_malformed' },
  { ...UNAUTHENTICATED, name: 'revoked key', credential: async ({ credentials }) => credentials.revokedKey },
  { ...UNAUTHENTICATED, name: 'expired key', credential: async ({ credentials }) => credentials.expiredKey },
  { ...KEY, name: 'platform key', platform: true, credential: async ({ app }) => app.platformKey },
  {
    ...KEY,
    name: 'own key with the permission alone',
    credential: (setup, orgs, permission, { additionalPermissions = [] }) =>
      setup.key(orgs.own, [permission, ...additionalPermissions]),
  },
  {
    ...KEY,
    name: 'own key with all but the permission',
    hasPermission: noPermissions,
    credential: (setup, orgs, permission) => setup.key(orgs.own, allBut(permission)),
  },
  {
    ...KEY,
    name: 'own key for other resources',
    hasPermission: noPermissions,
    credential: (setup, orgs, permission) => setup.key(orgs.own, unrelatedTo(permission)),
  },
  {
    ...KEY,
    name: 'key of a parent organization, with the permission',
    credential: (setup, _orgs, permission, { additionalPermissions = [] }) =>
      setup.key(setup.organizations.top, [permission, ...additionalPermissions]),
  },
  {
    ...KEY,
    name: 'key of a child organization, with all permissions',
    hasAccess: false,
    credential: (setup, orgs) => setup.key(orgs.child, ['*']),
  },
  {
    ...KEY,
    name: 'key of another tenant, with all permissions',
    hasAccess: false,
    credential: (setup) => setup.key(setup.organizations.otherTenant, ['*']),
  },
  { ...UNAUTHENTICATED, name: 'unknown session token', credential: async () => 'A'.repeat(43) },
  {
    ...UNAUTHENTICATED,
    name: 'session of a suspended owner of a parent organization',
    credential: async ({ credentials }) => credentials.suspendedSession,
  },
  ...BUILT_IN_ROLES.map(sessionOf),
  {
    ...OWNER,
    name: 'session of an owner of a parent organization',
    credential: (setup, _orgs, _permission, { ownAccount }) => setup.sessionToken(setup.organizations.top, 'owner', ownAccount),
  },
  {
    ...OWNER,
    name: 'session of an owner of a child organization',
    hasAccess: false,
    credential: (setup, orgs, _permission, { ownAccount }) => setup.sessionToken(orgs.child, 'owner', ownAccount),
  },
  {
    ...OWNER,
    name: 'session of an owner of another tenant',
    hasAccess: false,
    credential: (setup, _orgs, _permission, { ownAccount }) =>
      setup.sessionToken(setup.organizations.otherTenant, 'owner', ownAccount),
  },
];
