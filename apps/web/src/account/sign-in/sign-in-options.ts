import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';
import { bestLanguage, loadTexts } from '../../texts';

export type SignInOptions = Schema<'SignInOptionsResponse'>;

/** How one signs in to an organization, by its slug or id. @throws ApiProblem 404 when there is none */
export const signInOptionsQuery = (organization: string) =>
  queryOptions({
    queryKey: ['sign-in-options', organization],
    queryFn: async () => {
      const { data } = await answerOf(api.GET('/v1/auth/sign-in-options', { params: { query: { organization } } }));
      await loadTexts(bestLanguage([...navigator.languages, data.locale]));
      return data;
    },
    staleTime: 60_000,
  });
