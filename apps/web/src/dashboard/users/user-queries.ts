import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrap, unwrapWithEtag } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import type { ListPage } from '../../ui/data-table';
import { asOfKey } from '../as-of/as-of-search';
import { filterOf, type UsersSearch } from './users-search';

export type User = Schema<'UserResponse'>;
export type ListedUser = Schema<'UserListItemResponse'>;
export type Role = Schema<'RoleResponse'>;

/** Prefix of the query keys of the users of an organization. */
export const usersKey = (org: string) => ['users', org] as const;
export const userKey = (org: string, id: string) => ['user', org, id] as const;
export const membersKey = (org: string) => ['members', org] as const;

/**
 * Loads a page of users. If the cache has the previous page, the query continues after the last user of that page. This keyset
 * pagination is as fast on the last page of a million users as on the first page.
 */
export const usersQuery = (org: string, search: UsersSearch) =>
  queryOptions({
    queryKey: [...usersKey(org), 'list', search],
    queryFn: async ({ client, signal }): Promise<ListPage<ListedUser>> => {
      const page = search.page ?? 1;
      const read = async (position: { after: string } | { page: number }) =>
        unwrap(
          api.GET('/v1/organizations/{org}/users', {
            params: {
              path: { org },
              query: {
                ...filterOf(search),
                includeDescendants: search.descendants,
                sort: search.sort,
                limit: search.limit,
                ...position,
              },
            },
            signal,
          }),
        );
      const after = lastOfPreviousPage(client, org, search);
      const result =
        after === undefined ? await read({ page }) : await read({ after }).catch(retryWithPageNumber(() => read({ page })));
      return { ...result, pagination: { ...result.pagination, page } };
    },
  });

/** Returns the last user of the previous page from the cache. */
function lastOfPreviousPage(client: QueryClient, org: string, search: UsersSearch): string | undefined {
  if (search.page === undefined) return undefined;
  const previousSearch = { ...search, page: search.page === 2 ? undefined : search.page - 1 };
  return client.getQueryData(usersQuery(org, previousSearch).queryKey)?.data.at(-1)?.id;
}

/** Falls back to the page number when the cursor's user was purged. */
const retryWithPageNumber =
  <Answer>(readByNumber: () => Promise<Answer>) =>
  (error: unknown): Promise<Answer> => {
    if (error instanceof ApiProblem && error.status === 400) return readByNumber();
    throw error;
  };

/** Loads a user, now or as of a past moment. */
export const userQuery = (org: string, id: string, asOf?: string) =>
  queryOptions({
    queryKey: [...userKey(org, id), ...asOfKey(asOf)],
    queryFn: async () => {
      const { body, etag } = await unwrapWithEtag(
        api.GET('/v1/organizations/{org}/users/{id}', { params: { path: { org, id }, query: { asOf } } }),
      );
      return { user: body.data, etag };
    },
  });

/** Loads the roles that can be assigned in an organization. */
export const rolesQuery = (org: string) =>
  queryOptions({
    queryKey: ['roles', org, 'all'],
    queryFn: async () => (await unwrap(api.GET('/v1/organizations/{org}/roles', { params: { path: { org } } }))).data,
    staleTime: 60_000,
  });

/** Returns the display name, the full name, or the email address. */
export function nameOf({
  displayName,
  firstName,
  lastName,
  email,
}: Pick<User, 'displayName' | 'firstName' | 'lastName' | 'email'>) {
  return displayName ?? ([firstName, lastName].filter(Boolean).join(' ') || email);
}
