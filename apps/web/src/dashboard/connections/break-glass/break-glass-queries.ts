import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api, type Schema, unwrap } from '../../../api/client';
import { sessionQuery } from '../../../app/session';
import type { Paging } from '../../../ui/paging';
import { covers, permissionsQuery } from '../../permissions';

export type BreakGlassRequest = Schema<'BreakGlassResponse'>;
export type BreakGlassStatus = BreakGlassRequest['status'];

export const STATUSES: readonly BreakGlassStatus[] = ['pending', 'approved', 'denied', 'expired', 'ended'];

/** The page polls, because other users can approve or deny a request at any time. */
export const POLL_MS = 10_000;
const RUNNING_MAX = 100;

export function breakGlassFilters({ status }: Record<string, unknown>): { status?: BreakGlassStatus } {
  const validStatus = STATUSES.find((each) => each === status);
  return validStatus ? { status: validStatus } : {};
}

/** Loads a page of requests, newest first. */
export const requestsQuery = (org: string, filters: Paging & { readonly status?: BreakGlassStatus }) =>
  queryOptions({
    queryKey: ['break-glass', org, filters],
    queryFn: () => unwrap(api.GET('/v1/organizations/{org}/break-glass', { params: { path: { org }, query: filters } })),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });

/** Returns the active emergency access of the signed-in user. Reloads the permissions when the access starts or ends. */
export function useEmergencyAccess(org: string, intervalMs: number): BreakGlassRequest | undefined {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const { data: mine = [] } = useQuery(permissionsQuery(org));
  const { data: running } = useQuery({
    queryKey: ['break-glass', org, 'running'],
    queryFn: async () => {
      const query = { status: 'approved' as const, limit: RUNNING_MAX };
      return (await unwrap(api.GET('/v1/organizations/{org}/break-glass', { params: { path: { org }, query } }))).data;
    },
    enabled: Boolean(session?.user) && covers(mine, 'break_glass:request'),
    refetchInterval: intervalMs,
  });
  const ownRequest = running?.find(({ requesterId, status }) => requesterId === session?.user?.id && status === 'approved');
  const isKnown = running !== undefined;
  const previousId = useRef<string | null>(null);
  useEffect(() => {
    if (!isKnown) return;
    const currentId = ownRequest?.id ?? '';
    const hasChanged = previousId.current !== null && previousId.current !== currentId;
    previousId.current = currentId;
    if (!hasChanged) return;
    void client
      .invalidateQueries({ queryKey: sessionQuery.queryKey })
      .then(() => client.invalidateQueries({ queryKey: ['permissions'] }));
  }, [client, isKnown, ownRequest?.id]);
  return ownRequest;
}
