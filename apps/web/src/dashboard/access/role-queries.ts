import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schema, unwrap, unwrapWithEtag } from '../../api/client';
import { findText, t } from '../../texts';
import { isServicePermission, PERMISSION_OR_PATTERN } from './permission-patterns';

type Role = Schema<'RoleResponse'>;

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
  select: (permissions) =>
    permissions.map(({ name, description }) => ({ name, description: findText(`service.permissions.${name}`) ?? description })),
});

/** Returns the description of a role. Built-in roles have a description in the language of the page. */
export const descriptionOf = ({ builtIn, name, description }: Role): string | null =>
  (builtIn ? findText(`service.roles.${name}`) : undefined) ?? description ?? null;

/** Loads the permissions of the service, and the permissions and patterns that the roles of the organization have for other applications. */
export function useAllPermissions(org: string): readonly { name: string; description: string }[] | undefined {
  const { data: service } = useQuery(servicePermissionsQuery);
  const { data: roles } = useQuery(rolesQuery(org));
  return useMemo(() => {
    if (!service || !roles) return undefined;
    const known = new Set<string>(service.map(({ name }) => name));
    const granted = roles.data.flatMap(({ permissions }) => permissions);
    const own = [...new Set(granted)].filter(
      (name) => PERMISSION_OR_PATTERN.test(name) && !known.has(name) && !isServicePermission(name, service),
    );
    return [
      ...service,
      ...own.sort().map((name) => ({ name, description: name.endsWith(':*') ? t('permissionChecks.allOfResource') : '' })),
    ];
  }, [service, roles]);
}
