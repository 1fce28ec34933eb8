import { queryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrap, unwrapWithEtag } from '../../api/client';
import type { Paging } from '../../ui/paging';
import { asOfKey } from '../as-of/as-of-search';

export type UserGroup = Schema<'GroupResponse'>;

export interface ListSearch extends Paging {
  readonly search?: string | undefined;
}

/** Prefix of the query keys of the groups of an organization. */
export const groupsKey = (org: string) => ['groups', org] as const;

export const groupsQuery = (org: string, query: ListSearch) =>
  queryOptions({
    queryKey: [...groupsKey(org), 'list', query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/organizations/{org}/groups', { params: { path: { org }, query }, signal })),
  });

export const groupQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...groupsKey(org), id],
    queryFn: async () => {
      const { body, etag } = await unwrapWithEtag(
        api.GET('/v1/organizations/{org}/groups/{id}', { params: { path: { org, id } } }),
      );
      return { group: body.data, etag };
    },
  });

export const groupMembersQuery = (org: string, id: string, query: ListSearch) =>
  queryOptions({
    queryKey: [...groupsKey(org), id, 'members', query],
    queryFn: ({ signal }) => {
      const params = { path: { org, id }, query };
      return unwrap(api.GET('/v1/organizations/{org}/groups/{id}/members', { params, signal }));
    },
  });

export const groupRolesQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...groupsKey(org), id, 'roles'],
    queryFn: async () =>
      (await unwrap(api.GET('/v1/organizations/{org}/groups/{id}/roles', { params: { path: { org, id } } }))).data,
  });

/** Loads the groups of a user, now or as of a past moment. */
export const groupsOfUserQuery = (org: string, userId: string, asOf?: string) =>
  queryOptions({
    queryKey: [...groupsKey(org), 'of-user', userId, ...asOfKey(asOf)],
    queryFn: () => {
      const params = { path: { org, id: userId }, query: { limit: 100, asOf } };
      return unwrap(api.GET('/v1/organizations/{org}/users/{id}/groups', { params }));
    },
  });
