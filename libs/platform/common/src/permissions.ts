import { hasPermission } from './covers-permission.js';
import { DeclaredNames } from './declared-names.js';

const OWN_DESCRIPTIONS = {
  'users:read': 'View users.',
  'users:write': 'Create, update, suspend and activate users.',
  'users:delete': 'Delete and restore users.',
  'users:impersonate': 'Sign in as a user for support.',
  'organizations:read': 'View organizations, their hierarchy and their settings.',
  'organizations:write': 'Create child organizations, and update, suspend and activate organizations.',
  'organizations:delete': 'Delete and restore organizations.',
  'members:read': 'View members.',
  'members:write': 'Add and remove members, and assign and revoke roles.',
  'roles:read': 'View roles and check permissions.',
  'roles:write': 'Create, update and delete roles.',
  'webhooks:read': 'View webhooks and their deliveries.',
  'webhooks:write': 'Create, update, delete and test webhooks.',
  'api_keys:read': 'View API keys, but not the keys themselves.',
  'api_keys:write': 'Create, rotate and revoke API keys.',
  'events:read': 'View the event log.',
  'sessions:read': 'View sessions of users.',
  'sessions:write': 'Revoke sessions of users.',
  'sign_ins:forward': 'Send the addresses of end users with their sign-ins.',
  'break_glass:request': 'Request break-glass access.',
  'break_glass:approve': 'Approve or deny break-glass requests.',
  'permissions:grant': 'Grant permissions of your own applications without holding them.',
} as const;

/**
 * Permissions of this service, in the form `resource:action`. Libraries add permissions with `declare module '#platform/common'` and
 * `definePermissions`. Customers can use other names in their roles.
 */
export interface ServicePermissions extends Record<keyof typeof OWN_DESCRIPTIONS, string> {}

export type ServicePermission = keyof ServicePermissions;

const permissions = new DeclaredNames<ServicePermission>(':', Object.keys(OWN_DESCRIPTIONS) as (keyof typeof OWN_DESCRIPTIONS)[]);
const descriptions: Record<string, string> = { ...OWN_DESCRIPTIONS };

export const SERVICE_PERMISSIONS = permissions.names;
/** The scopes that an API key can have: `*`, all permissions of a resource (`users:*`), and single permissions. */
export const GRANTABLE_SCOPES = permissions.patterns;

export const descriptionOf = (permission: ServicePermission): string => descriptions[permission] ?? '';

/** Returns what a scope of `GRANTABLE_SCOPES` allows: for a pattern, the descriptions of all its permissions. */
export function scopeDescription(scope: string): string {
  if (scope === '*') return 'Everything that you can do.';
  const covered = SERVICE_PERMISSIONS.filter((name) => hasPermission([scope], name));
  return covered.map(descriptionOf).join(' ');
}

const ofRoles = {
  admin: new DeclaredNames<string>(':', [
    'users:*',
    'organizations:read',
    'organizations:write',
    'members:*',
    'roles:*',
    'webhooks:*',
    'api_keys:*',
    'events:read',
    'sessions:*',
    'break_glass:request',
    'permissions:grant',
  ]),
  member: new DeclaredNames<string>(':', ['organizations:read', 'members:read']),
  viewer: new DeclaredNames<string>(':', [
    'users:read',
    'organizations:read',
    'members:read',
    'roles:read',
    'webhooks:read',
    'api_keys:read',
    'events:read',
    'sessions:read',
  ]),
};

/** Shown instead of the id and the name of a role that the caller can't access. */
export const HIDDEN_ROLE = 'role_hidden';

/** Permissions of the built-in roles. The owner has all permissions. */
export const BUILT_IN_ROLE_PERMISSIONS = {
  admin: ofRoles.admin.names,
  member: ofRoles.member.names,
  viewer: ofRoles.viewer.names,
};

/** Defines permissions with their descriptions. `roles` lists the permissions, or `resource:*`, of each built-in role. */
export function definePermissions<Permission extends ServicePermission>(
  defined: Readonly<Record<Permission, string>>,
  roles: Readonly<Partial<Record<keyof typeof ofRoles, readonly string[]>>>,
): void {
  Object.assign(descriptions, defined);
  permissions.add(Object.keys(defined) as Permission[]);
  ofRoles.admin.add(roles.admin ?? []);
  ofRoles.member.add(roles.member ?? []);
  ofRoles.viewer.add(roles.viewer ?? []);
}

/** The tenant of API keys, OAuth clients and OAuth resources of the platform, which belong to no organization. */
export const PLATFORM_TENANT = 'platform';
