import { queryOptions } from '@tanstack/react-query';
import { api, unwrap, unwrapWithEtag } from '../../api/client';

/** Loads the roles that can be assigned in an organization. */
export const rolesQuery = (org: string) =>
  queryOptions({
    queryKey: ['roles', org],
    queryFn: () => unwrap(api.GET('/v1/organizations/{org}/roles', { params: { path: { org } } })),
  });

export const roleQuery = (org: string, roleId: string) =>
  queryOptions({
    queryKey: ['roles', org, roleId],
    queryFn: async () => {
      const call = api.GET('/v1/organizations/{org}/roles/{roleId}', { params: { path: { org, roleId } } });
      const { body, etag } = await unwrapWithEtag(call);
      return { role: body.data, etag };
    },
  });

/** Loads how many users of an organization have a role. */
export const holdersQuery = (org: string, roleId: string) =>
  queryOptions({
    queryKey: ['users', org, 'holders', roleId],
    queryFn: async () => {
      const query = { role: roleId, limit: 1 };
      const { pagination } = await unwrap(api.GET('/v1/organizations/{org}/users', { params: { path: { org }, query } }));
      return pagination.total;
    },
  });

/** Loads the permissions of the service, which are the same in all organizations. */
export const servicePermissionsQuery = queryOptions({
  queryKey: ['service-permissions'],
  queryFn: async () => (await unwrap(api.GET('/v1/permissions'))).data,
  staleTime: Number.POSITIVE_INFINITY,
});
