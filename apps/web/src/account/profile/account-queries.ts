import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { queryClient } from '../../app/query-client';
import { sessionQuery } from '../../app/session';

/** Loads the signed-in user. @throws ApiProblem 401 without a session */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => (await unwrap(api.GET('/v1/auth/me'))).data,
  // The session was loaded with the user.
  initialData: () => queryClient.getQueryData(sessionQuery.queryKey)?.user ?? undefined,
  initialDataUpdatedAt: () => queryClient.getQueryState(sessionQuery.queryKey)?.dataUpdatedAt,
});

export const ownMfaQuery = queryOptions({
  queryKey: ['own-mfa'],
  queryFn: async () => (await unwrap(api.GET('/v1/auth/mfa'))).data,
});
