import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../../api/client';
import { baseUrl } from '../../../api/base-url';

export type IdentityProvider = Schema<'IdentityProviderResponse'>;

/** Where providers lead browsers back to; they have to know it. */
export const REDIRECT_URI = `${baseUrl}/v1/auth/oidc/callback`;

/** A provider, with the ETag that a change of it has to name. */
export const providerQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: ['identity-providers', org, id],
    queryFn: async () => {
      const call = api.GET('/v1/organizations/{org}/identity-providers/{id}', { params: { path: { org, id } } });
      const { data: provider } = await answerOf(call);
      return { provider, etag: (await call).response.headers.get('etag') };
    },
  });
