/** A role as others see it, built in or an organization's own. */
export interface VisibleRole {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly permissions: readonly string[];
  /** Where it was made; null for a built-in role. */
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

/** What the least of the built-in roles may do. */
export const EVERY_MEMBERS_PERMISSIONS: readonly string[] = ['organizations:read', 'members:read'];

/** Roles that every organization has from the start; they can't be changed. */
export const BUILT_IN_ROLES: readonly VisibleRole[] = [
  builtIn('owner', 'Full access to everything.', ['*']),
  builtIn(
    'admin',
    'Manages users, members, roles, webhooks and API keys, and grants permissions of your own applications. Cannot delete the organization or approve break-glass requests.',
    [
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
    ],
  ),
  builtIn('member', 'Can view the organization and its members.', EVERY_MEMBERS_PERMISSIONS),
  builtIn('viewer', 'Can view everything, but not make changes.', [
    'users:read',
    'organizations:read',
    'members:read',
    'roles:read',
    'webhooks:read',
    'api_keys:read',
    'events:read',
    'sessions:read',
  ]),
];

export const OWNER_ROLE_ID = 'role_owner';

export const builtInRole = (reference: string): VisibleRole | undefined =>
  BUILT_IN_ROLES.find((role) => role.id === reference || role.name === reference);
