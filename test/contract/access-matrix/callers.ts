import { hasPermission, SERVICE_PERMISSIONS } from '#platform/common';
import { BUILT_IN_ROLES } from '#directory/roles';
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

const allBut = (permission: string): string[] => SERVICE_PERMISSIONS.filter((other) => other !== permission);

/** Returns the permissions for all resources except the resource of `permission`. */
const unrelatedTo = (permission: string): string[] =>
  SERVICE_PERMISSIONS.filter((other) => other.split(':')[0] !== permission.split(':')[0]);

/** Returns a caller with a session: a user with the built-in role in the organization of the request. */
function sessionOf({ name, permissions }: (typeof BUILT_IN_ROLES)[number]): MatrixCaller {
  return {
    name: `session of ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`,
    isAuthenticated: true,
    isUser: true,
    hasAllPermissions: permissions.includes('*'),
    hasAccess: true,
    hasPermission: (permission) => hasPermission(permissions, permission),
    credential: (setup, orgs, _permission, ownAccount) => setup.sessionToken(orgs.own, name, ownAccount),
  };
}

export const CALLERS: readonly MatrixCaller[] = [
  {
    name: 'no credential',
    isAuthenticated: false,
    hasAccess: false,
    hasPermission: noPermissions,
    credential: async () => undefined,
  },
  {
    name: 'malformed key',
    isAuthenticated: false,
    hasAccess: false,
    hasPermission: noPermissions,
    credential: async () => 'service_sk_malformed',
  },
  {
    name: 'revoked key',
    isAuthenticated: false,
    hasAccess: true,
    hasPermission: allPermissions,
    credential: async (setup) => setup.credentials.revokedKey,
  },
  {
    name: 'expired key',
    isAuthenticated: false,
    hasAccess: true,
    hasPermission: allPermissions,
    credential: async (setup) => setup.credentials.expiredKey,
  },
  {
    name: 'platform key',
    isAuthenticated: true,
    platform: true,
    hasAccess: true,
    hasPermission: allPermissions,
    credential: async (setup) => setup.app.platformKey,
  },
  {
    name: 'own key with the permission alone',
    isAuthenticated: true,
    hasAccess: true,
    hasPermission: allPermissions,
    credential: (setup, orgs, permission, _ownAccount, additionalPermissions = []) =>
      setup.key(orgs.own, [permission, ...additionalPermissions]),
  },
  {
    name: 'own key with all but the permission',
    isAuthenticated: true,
    hasAccess: true,
    hasPermission: noPermissions,
    credential: (setup, orgs, permission) => setup.key(orgs.own, allBut(permission)),
  },
  {
    name: 'own key for other resources',
    isAuthenticated: true,
    hasAccess: true,
    hasPermission: noPermissions,
    credential: (setup, orgs, permission) => setup.key(orgs.own, unrelatedTo(permission)),
  },
  {
    name: 'key of a parent organization, with the permission',
    isAuthenticated: true,
    hasAccess: true,
    hasPermission: allPermissions,
    credential: (setup, _orgs, permission, _ownAccount, additionalPermissions = []) =>
      setup.key(setup.organizations.top, [permission, ...additionalPermissions]),
  },
  {
    name: 'key of a child organization, with all permissions',
    isAuthenticated: true,
    hasAccess: false,
    hasPermission: allPermissions,
    credential: (setup, orgs) => setup.key(orgs.child, ['*']),
  },
  {
    name: 'key of another tenant, with all permissions',
    isAuthenticated: true,
    hasAccess: false,
    hasPermission: allPermissions,
    credential: (setup) => setup.key(setup.organizations.otherTenant, ['*']),
  },
  {
    name: 'unknown session token',
    isAuthenticated: false,
    hasAccess: false,
    hasPermission: noPermissions,
    credential: async () => 'A'.repeat(43),
  },
  {
    name: 'session of a suspended owner of a parent organization',
    isAuthenticated: false,
    hasAccess: true,
    hasPermission: allPermissions,
    credential: async (setup) => setup.credentials.suspendedSession,
  },
  ...BUILT_IN_ROLES.map(sessionOf),
  {
    name: 'session of an owner of a parent organization',
    isAuthenticated: true,
    isUser: true,
    hasAllPermissions: true,
    hasAccess: true,
    hasPermission: allPermissions,
    credential: (setup, _orgs, _permission, ownAccount) => setup.sessionToken(setup.organizations.top, 'owner', ownAccount),
  },
  {
    name: 'session of an owner of a child organization',
    isAuthenticated: true,
    isUser: true,
    hasAllPermissions: true,
    hasAccess: false,
    hasPermission: allPermissions,
    credential: (setup, orgs, _permission, ownAccount) => setup.sessionToken(orgs.child, 'owner', ownAccount),
  },
  {
    name: 'session of an owner of another tenant',
    isAuthenticated: true,
    isUser: true,
    hasAllPermissions: true,
    hasAccess: false,
    hasPermission: allPermissions,
    credential: (setup, _orgs, _permission, ownAccount) =>
      setup.sessionToken(setup.organizations.otherTenant, 'owner', ownAccount),
  },
];
