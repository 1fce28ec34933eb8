import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { queryClient } from '../../app/query-client';
import { sessionQuery } from '../../app/session';

/** Loads the id of the only organization that the user can see. Null for several organizations and for operators. */
export const onlyOrganizationQuery = queryOptions({
  queryKey: ['organizations', 'only'],
  queryFn: async (): Promise<string | null> => {
    const { user } = await queryClient.ensureQueryData(sessionQuery);
    if (user?.organizations.length !== 1) return null;
    const { data, pagination } = await unwrap(api.GET('/v1/organizations', { params: { query: { limit: 1 } } }));
    return pagination.total === 1 ? data[0]!.id : null;
  },
});
