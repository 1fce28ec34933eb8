import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../api/client';

export type Stream = Schema<'SsfStreamResponse'>;

export const streamsKey = (org: string) => ['ssf-streams', org] as const;

export const streamsQuery = (org: string, page: number) =>
  queryOptions({
    queryKey: [...streamsKey(org), { page }],
    queryFn: () => unwrap(api.GET('/v1/organizations/{org}/ssf-streams', { params: { path: { org }, query: { page } } })),
    placeholderData: keepPreviousData,
  });
