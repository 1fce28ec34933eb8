import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../api/client';
import type { Paging } from '../../../ui/paging';

export type Stream = Schema<'SsfStreamResponse'>;

export const streamsKey = (org: string) => ['ssf-streams', org] as const;

export const streamsQuery = (org: string, paging: Paging) =>
  queryOptions({
    queryKey: [...streamsKey(org), paging],
    queryFn: () => unwrap(api.GET('/v1/organizations/{org}/ssf-streams', { params: { path: { org }, query: paging } })),
    placeholderData: keepPreviousData,
  });
