import { queryOptions } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { answerOf, api } from '../api/client';

/** The id of the organization whose page is shown. */
export const useOrganizationId = (): string => useParams({ from: '/dashboard/organizations/$org' }).org;

/** An organization by its id. */
export const organizationQuery = (org: string) =>
  queryOptions({
    queryKey: ['organization', org],
    queryFn: async () => (await answerOf(api.GET('/v1/organizations/{id}', { params: { path: { id: org } } }))).data,
  });
