import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';
import { ApiProblem } from '../api/problem';
import { queryClient } from '../app/query-client';
import { sessionQuery } from '../app/session';
import { useOrganizationId } from './organization';

/** What whoever is signed in may do in an organization: `resource:action`, `resource:*` or `*`. */
export const permissionsQuery = (org: string) =>
  queryOptions({
    queryKey: ['permissions', org],
    queryFn: async (): Promise<readonly string[]> => {
      const { kind } = await queryClient.ensureQueryData(sessionQuery);
      if (kind === 'operator') return ['*'];
      const call = api.GET('/v1/auth/me/permissions', { params: { query: { organization: org } } });
      return answerOf(call).then(({ data }) => data.permissions, noneIfRefused);
    },
  });

/** Somebody without a role there, or without the second factor that it wants, may do nothing; the page itself says why. */
function noneIfRefused(error: unknown): readonly string[] {
  if (error instanceof ApiProblem && (error.status === 404 || error.status === 403)) return [];
  throw error;
}

/** Whether permissions that are held, of which some may be patterns, cover one. */
export const covers = (held: readonly string[], permission: string): boolean =>
  held.some((each) => each === '*' || each === permission || each === `${permission.split(':')[0]}:*`);

/** Whether the caller may do something in the organization whose page is shown; false until that is known. */
export function useMay(permission: string): boolean {
  const { data = [] } = useQuery(permissionsQuery(useOrganizationId()));
  return covers(data, permission);
}
