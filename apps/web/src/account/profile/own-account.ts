import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';

/** Whoever is signed in, with what may have changed since the page was loaded. @throws ApiProblem 401 when nobody is */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => (await answerOf(api.GET('/v1/auth/me'))).data,
});

/** The own second factors. */
export const ownMfaQuery = queryOptions({
  queryKey: ['own-mfa'],
  queryFn: async () => (await answerOf(api.GET('/v1/auth/mfa'))).data,
});
