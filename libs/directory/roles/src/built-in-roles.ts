import { BUILT_IN_ROLE_PERMISSIONS, HIDDEN_ROLE, nameKey } from '#platform/common';

/** A built-in role or a custom role of an organization. */
export interface VisibleRole {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly permissions: readonly string[];
  /** The organization of the role; null for a built-in role. */
  readonly organizationId: string | null;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  /** Null for a built-in role, which never changes. */
  readonly version: number | null;
}

const builtIn = (name: string, description: string, permissions: readonly string[]): VisibleRole => ({
  id: `role_${name}`,
  name,
  description,
  permissions,
  organizationId: null,
  createdAt: null,
  updatedAt: null,
  version: null,
});

export const EVERY_MEMBERS_PERMISSIONS: readonly string[] = BUILT_IN_ROLE_PERMISSIONS.member;

export const BUILT_IN_ROLES: readonly VisibleRole[] = [
  builtIn('owner', 'Full access to everything.', ['*']),
  builtIn(
    'admin',
    'Manages users, members, roles, webhooks and API keys, and grants permissions of your own applications. Cannot delete the organization or approve break-glass requests.',
    BUILT_IN_ROLE_PERMISSIONS.admin,
  ),
  builtIn('member', 'Can view the organization and its members.', EVERY_MEMBERS_PERMISSIONS),
  builtIn('viewer', 'Can view everything, but not make changes.', BUILT_IN_ROLE_PERMISSIONS.viewer),
];

export const OWNER_ROLE_ID = 'role_owner';

export const builtInRole = (reference: string): VisibleRole | undefined =>
  BUILT_IN_ROLES.find((role) => role.id === reference || role.name === reference);

/** Returns the name of a role. `name` is the name of the custom role, or null if the context of the read hides the role. */
export const roleNameOf = (id: string, name: string | null): string => builtInRole(id)?.name ?? name ?? HIDDEN_ROLE;

/** Returns whether a name is the name of a built-in role. Ignores case. */
export const isBuiltInName = (name: string): boolean => BUILT_IN_ROLES.some((role) => role.name === nameKey(name));
