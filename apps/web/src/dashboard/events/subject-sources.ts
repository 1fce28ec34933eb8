import { api, unwrap } from '../../api/client';
import { roleName } from '../../api/role-name';
import { matchesSearch } from '../../app/search';
import type { TextId } from '../../texts';

/** The most entries of a list that the API can't search. */
const LISTED_MAX = 100;
const FOUND_MAX = 20;

export interface Subject {
  readonly id: string;
  readonly name: string;
}

/** A kind of people or resources that a filter offers. */
export interface SubjectSource {
  readonly group: TextId;
  readonly permission: string;
  /** Loads people or resources that match a search. */
  readonly load: (org: string, search: string) => Promise<readonly Subject[]>;
}

const ofOrganization = (org: string, query: { limit?: number; search?: string } = { limit: LISTED_MAX }) => ({
  params: { path: { org }, query },
});

/** Finds the resources of a list that the API can't search. */
async function matching<Item>(
  list: Promise<{ data: readonly Item[] }>,
  search: string,
  subjectOf: (item: Item) => Subject,
): Promise<readonly Subject[]> {
  return (await list).data.map(subjectOf).filter(({ name }) => matchesSearch([name], search));
}

const named = ({ id, name }: Subject): Subject => ({ id, name });
const found = (search: string) => ({ limit: FOUND_MAX, ...(search === '' ? {} : { search }) });

export const PEOPLE: SubjectSource = {
  group: 'events.people',
  permission: 'users:read',
  load: async (org, search) => {
    const { data } = await unwrap(api.GET('/v1/organizations/{org}/users', ofOrganization(org, found(search))));
    return data.map(({ id, email, displayName }) => ({ id, name: displayName ? `${displayName} (${email})` : email }));
  },
};

const API_KEYS: SubjectSource = {
  group: 'shell.areas.apiKeys',
  permission: 'api_keys:read',
  load: (org, search) =>
    matching(unwrap(api.GET('/v1/organizations/{org}/api-keys', ofOrganization(org))), search, ({ id, name, last4 }) => ({
      id,
      name: `${name} …${last4}`,
    })),
};

const APPLICATIONS: SubjectSource = {
  group: 'shell.areas.applications',
  permission: 'oauth_clients:read',
  load: (org, search) => matching(unwrap(api.GET('/v1/organizations/{org}/oauth-clients', ofOrganization(org))), search, named),
};

const SCIM_CONNECTIONS: SubjectSource = {
  group: 'shell.areas.scim',
  permission: 'scim:read',
  load: (org, search) =>
    matching(unwrap(api.GET('/v1/organizations/{org}/scim-connections', ofOrganization(org))), search, named),
};

const GROUPS: SubjectSource = {
  group: 'shell.areas.groups',
  permission: 'groups:read',
  load: async (org, search) => {
    const { data } = await unwrap(api.GET('/v1/organizations/{org}/groups', ofOrganization(org, found(search))));
    return data.map(named);
  },
};

const ROLES: SubjectSource = {
  group: 'shell.areas.roles',
  permission: 'roles:read',
  load: (org, search) =>
    matching(unwrap(api.GET('/v1/organizations/{org}/roles', { params: { path: { org } } })), search, ({ id, name }) => ({
      id,
      name: roleName(name),
    })),
};

const WEBHOOKS: SubjectSource = {
  group: 'shell.areas.webhooks',
  permission: 'webhooks:read',
  load: (org, search) => matching(unwrap(api.GET('/v1/organizations/{org}/webhooks', ofOrganization(org))), search, named),
};

const CHILD_ORGANIZATIONS: SubjectSource = {
  group: 'events.childOrganizations',
  permission: 'organizations:read',
  load: async (org, search) => {
    const query = { parentId: org, ...found(search) };
    return (await unwrap(api.GET('/v1/organizations', { params: { query } }))).data.map(named);
  },
};

/** Who can cause events. */
export const ACTORS: readonly SubjectSource[] = [PEOPLE, API_KEYS, APPLICATIONS, SCIM_CONNECTIONS];
/** What events can be about. */
export const TARGETS: readonly SubjectSource[] = [
  PEOPLE,
  GROUPS,
  ROLES,
  API_KEYS,
  APPLICATIONS,
  SCIM_CONNECTIONS,
  WEBHOOKS,
  CHILD_ORGANIZATIONS,
];
