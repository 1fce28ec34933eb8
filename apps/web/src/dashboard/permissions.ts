import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryClient } from '../app/query-client';
import { sessionQuery } from '../app/session';
import { ancestorsQuery, useOrganizationId } from './organization';

/** What whoever is signed in may do in an organization: `resource:action`, `resource:*` or `*`. */
export const permissionsQuery = (org: string) =>
  queryOptions({
    queryKey: ['permissions', org],
    queryFn: async (): Promise<readonly string[]> => {
      const { user } = await queryClient.ensureQueryData(sessionQuery);
      if (!user) return ['*'];
      const above = await queryClient.ensureQueryData(ancestorsQuery(org));
      const places = new Set([org, ...above.map(({ id }) => id)]);
      return user.organizations
        .filter(({ id, slug }) => places.has(id) || places.has(slug))
        .flatMap(({ permissions }) => permissions);
    },
  });

/** Whether permissions that are held, of which some may be patterns, cover one. */
export const covers = (held: readonly string[], permission: string): boolean =>
  held.some((each) => each === '*' || each === permission || each === `${permission.split(':')[0]}:*`);

/** Whether the caller may do something in the organization whose page is shown; false until that is known. */
export function useMay(permission: string): boolean {
  const { data = [] } = useQuery(permissionsQuery(useOrganizationId()));
  return covers(data, permission);
}
