import type { ResourceKind, ServicePermission } from '#platform/common';

/** The types of results, in the order of the response: the kind of their ids, and the permission that shows them in lists. */
export const SEARCH_TYPES = {
  user: { kind: 'user', permission: 'users:read' },
  organization: { kind: 'organization', permission: 'organizations:read' },
  group: { kind: 'group', permission: 'groups:read' },
  role: { kind: 'role', permission: 'roles:read' },
  api_key: { kind: 'apiKey', permission: 'api_keys:read' },
  webhook: { kind: 'webhook', permission: 'webhooks:read' },
  oauth_client: { kind: 'oauthClient', permission: 'oauth_clients:read' },
} as const satisfies Record<string, { kind: ResourceKind; permission: ServicePermission }>;

export type SearchType = keyof typeof SEARCH_TYPES;

/** The organization of a result or one of its ancestors. */
export interface PathOrganization {
  readonly id: string;
  readonly name: string;
}

export interface FoundItem {
  readonly type: SearchType;
  readonly id: string;
  readonly name: string;
  /** What distinguishes results with the same name, such as the email address of a user. */
  readonly detail: string | null;
  readonly status: string | null;
  readonly organizationId: string;
  /** The organization and its ancestors, root first, including those that the caller can't access. Null if the search covers all tenants. */
  readonly path: readonly PathOrganization[] | null;
}

/** What a search looks for: an id of any resource, the email address of a person, or a text. */
export type SearchTerm =
  | { readonly by: 'id'; readonly id: string }
  | { readonly by: 'email'; readonly emailKey: string }
  | { readonly by: 'text'; readonly text: string };
