import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';

/** All roles that can be given in an organization. */
export const rolesQuery = (org: string) =>
  queryOptions({
    queryKey: ['roles', org],
    queryFn: () => answerOf(api.GET('/v1/organizations/{org}/roles', { params: { path: { org } } })),
  });

/** One of them, with the ETag that a change of it has to name. */
export const roleQuery = (org: string, roleId: string) =>
  queryOptions({
    queryKey: ['roles', org, roleId],
    queryFn: async () => {
      const call = api.GET('/v1/organizations/{org}/roles/{roleId}', { params: { path: { org, roleId } } });
      const { data: role } = await answerOf(call);
      return { role, etag: (await call).response.headers.get('etag') };
    },
  });

/** How many users of an organization have a role there. */
export const holdersQuery = (org: string, roleId: string) =>
  queryOptions({
    queryKey: ['users', org, 'holders', roleId],
    queryFn: async () => {
      const query = { role: roleId, limit: 1 };
      const { pagination } = await answerOf(api.GET('/v1/organizations/{org}/users', { params: { path: { org }, query } }));
      return pagination.total;
    },
  });

/** What this service asks for; the same everywhere. */
export const servicePermissionsQuery = queryOptions({
  queryKey: ['service-permissions'],
  queryFn: async () => (await answerOf(api.GET('/v1/permissions'))).data,
  staleTime: Number.POSITIVE_INFINITY,
});
