import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../api/client';
import { ApiProblem } from '../api/problem';
import { queryClient } from '../app/query-client';
import { sessionQuery } from '../app/session';
import { useOrganizationId } from './organization';

/** Loads the permissions of the signed-in user in an organization: `resource:action`, `resource:*` or `*`. */
export const permissionsQuery = (org: string) =>
  queryOptions({
    queryKey: ['permissions', org],
    queryFn: async (): Promise<readonly string[]> => {
      const { kind } = await queryClient.ensureQueryData(sessionQuery);
      if (kind === 'operator') return ['*'];
      const call = api.GET('/v1/auth/me/permissions', { params: { query: { organization: org } } });
      return unwrap(call).then(({ data }) => data.permissions, noPermissionsIfDenied);
    },
  });

/** Callers without a role, or without a required second factor, have no permissions. The page shows the reason. */
function noPermissionsIfDenied(error: unknown): readonly string[] {
  if (error instanceof ApiProblem && (error.status === 404 || error.status === 403)) return [];
  throw error;
}

/** Permissions that no wildcard of a resource includes. */
const NEVER_BY_WILDCARD: ReadonlySet<string> = new Set(['users:impersonate']);

/** Returns whether permissions or patterns include a permission. */
export const covers = (permissions: readonly string[], permission: string): boolean =>
  permissions.some(
    (each) =>
      each === '*' || each === permission || (each === `${permission.split(':')[0]}:*` && !NEVER_BY_WILDCARD.has(permission)),
  );

/** Returns whether the user has all permissions in the current organization; false while the permissions load. */
export function useHasPermissions(permissions: readonly string[]): boolean {
  const { data = [] } = useQuery(permissionsQuery(useOrganizationId()));
  return permissions.every((permission) => covers(data, permission));
}

/** Returns whether the user has a permission in the current organization; false while the permissions load. */
export function useHasPermission(permission: string): boolean {
  const { data = [] } = useQuery(permissionsQuery(useOrganizationId()));
  return covers(data, permission);
}
