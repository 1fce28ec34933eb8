import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';

/** Loads the signed-in user. @throws ApiProblem 401 without a session */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => (await unwrap(api.GET('/v1/auth/me'))).data,
});

export const ownMfaQuery = queryOptions({
  queryKey: ['own-mfa'],
  queryFn: async () => (await unwrap(api.GET('/v1/auth/mfa'))).data,
});
