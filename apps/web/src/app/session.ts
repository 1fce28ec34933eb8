import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';

/** Who is signed in; asked once for a page load, and again after each sign-in or sign-out. @throws ApiProblem 401 when nobody is */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => (await answerOf(api.GET('/v1/auth/me'))).data,
  staleTime: Number.POSITIVE_INFINITY,
});
