import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Paging } from '../../../ui/paging';
import { api, type Schema, unwrap } from '../../../api/client';

export type Impersonation = Schema<'ImpersonationResponse'>;

/** The page polls, because others can approve, start and end at any time. */
const POLL_MS = 10_000;

export const impersonationsKey = (org: string) => ['impersonations', org] as const;

/** Loads a page of impersonations, newest first. */
export const impersonationsQuery = (org: string, paging: Paging) =>
  queryOptions({
    queryKey: [...impersonationsKey(org), paging],
    queryFn: () => unwrap(api.GET('/v1/organizations/{org}/impersonations', { params: { path: { org }, query: paging } })),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });

/** Signs the caller in as the user, and opens the account pages of the user. */
export async function startImpersonation({ organizationId: org, id }: Impersonation): Promise<void> {
  await unwrap(api.POST('/v1/organizations/{org}/impersonations/{id}/start', { params: { path: { org, id } } }));
  window.location.assign('/account');
}
