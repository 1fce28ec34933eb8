import { queryOptions } from '@tanstack/react-query';
import type { Paging } from '../../../ui/paging';
import { type ApiClient, type Schema, unwrap, unwrapWithEtag } from '../../../api/client';

export type ScimConnection = Schema<'ScimConnectionResponse'>;
export type ScimToken = Schema<'ScimTokenResponse'>;

/** The client and the organization of SCIM connections, in the dashboard or on the page of a setup link. */
export interface ScimScope {
  readonly client: ApiClient;
  readonly org: string;
}

/** Prefix of the query keys of the SCIM connections of an organization. */
export const scimKey = (org: string) => ['scim-connections', org] as const;
export const scimTokensKey = (org: string, connectionId: string) => [...scimKey(org), connectionId, 'tokens'] as const;

export const scimConnectionsQuery = ({ client, org }: ScimScope, paging: Paging = {}) =>
  queryOptions({
    queryKey: [...scimKey(org), 'list', paging],
    queryFn: () => unwrap(client.GET('/v1/organizations/{org}/scim-connections', { params: { path: { org }, query: paging } })),
  });

export const scimConnectionQuery = ({ client, org }: ScimScope, id: string) =>
  queryOptions({
    queryKey: [...scimKey(org), id],
    queryFn: async () => {
      const call = client.GET('/v1/organizations/{org}/scim-connections/{id}', { params: { path: { org, id } } });
      const { body, etag } = await unwrapWithEtag(call);
      return { connection: body.data, etag };
    },
    // A background job changes the mode.
    refetchInterval: ({ state }) => (['applying', 'rolling_back'].includes(state.data?.connection.mode ?? '') ? 2_000 : false),
  });

export const scimPreviewQuery = ({ client, org }: ScimScope, connection: string) =>
  queryOptions({
    queryKey: [...scimKey(org), connection, 'preview'],
    queryFn: () => {
      const params = { path: { org, connection } };
      return unwrap(client.GET('/v1/organizations/{org}/scim-connections/{connection}/preview', { params }));
    },
  });

/** Loads the first users of a preview. After the activation, these are the users whose changes could not be applied. */
export const scimPreviewedUsersQuery = ({ client, org }: ScimScope, connection: string, action?: 'suspend' | 'delete') =>
  queryOptions({
    queryKey: [...scimKey(org), connection, 'preview', 'users', action],
    queryFn: () => {
      const params = { path: { org, connection }, query: { ...(action ? { action } : {}), limit: 20 } };
      return unwrap(client.GET('/v1/organizations/{org}/scim-connections/{connection}/preview/users', { params }));
    },
  });

/** Loads the first groups of a preview, as `scimPreviewedUsersQuery` loads users. */
export const scimPreviewedGroupsQuery = ({ client, org }: ScimScope, connection: string) =>
  queryOptions({
    queryKey: [...scimKey(org), connection, 'preview', 'groups'],
    queryFn: () => {
      const params = { path: { org, connection }, query: { limit: 20 } };
      return unwrap(client.GET('/v1/organizations/{org}/scim-connections/{connection}/preview/groups', { params }));
    },
  });

export const scimTokensQuery = ({ client, org }: ScimScope, connection: string) =>
  queryOptions({
    queryKey: scimTokensKey(org, connection),
    queryFn: () => {
      const params = { path: { org, connection }, query: { limit: 100 } };
      return unwrap(client.GET('/v1/organizations/{org}/scim-connections/{connection}/tokens', { params }));
    },
    // Shows the first request of the directory without a reload.
    refetchInterval: ({ state }) => (state.data?.data.some(({ lastUsedAt }) => lastUsedAt === null) ? 5_000 : false),
  });
