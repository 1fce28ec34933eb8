import { queryOptions } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, type Schema, unwrap } from '../api/client';
import { ApiProblem } from '../api/problem';
import { queryClient } from '../app/query-client';
import { asOfKey } from './as-of/as-of-search';

/** Returns the id of the organization in the URL. */
export const useOrganizationId = (): string => useParams({ from: '/dashboard/organizations/$org' }).org;

/** Loads an organization, now or as of a past moment. */
export const organizationQuery = (org: string, asOf?: string) =>
  queryOptions({
    queryKey: ['organization', org, ...asOfKey(asOf)],
    queryFn: async () => (await unwrap(api.GET('/v1/organizations/{org}', { params: { path: { org }, query: { asOf } } }))).data,
  });

/** Loads the ancestors that the caller can see, from the root down. */
export const ancestorsQuery = (org: string, asOf?: string) =>
  queryOptions({
    queryKey: ['organization', org, 'ancestors', ...asOfKey(asOf)],
    queryFn: async (): Promise<readonly Pick<Schema<'OrganizationResponse'>, 'id' | 'name' | 'status' | 'parentId'>[]> => {
      const ancestors = [];
      let { parentId } = await queryClient.ensureQueryData(organizationQuery(org, asOf));
      while (parentId !== null) {
        const parent = await queryClient.ensureQueryData(organizationQuery(parentId, asOf)).catch(nullIfHidden);
        if (!parent) break;
        ({ parentId } = parent);
        ancestors.unshift({ id: parent.id, name: parent.name, status: parent.status, parentId });
      }
      return ancestors;
    },
  });

/** Returns null if the caller can't see the resource. @throws other errors */
export function nullIfHidden(error: unknown): null {
  if (error instanceof ApiProblem && (error.status === 404 || error.status === 403)) return null;
  throw error;
}
