import { queryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrapWithEtag } from '../../../api/client';
import { baseUrl } from '../../../api/base-url';

export type IdentityProvider = Schema<'IdentityProviderResponse'>;

/** The redirect URI to register at the provider. */
export const REDIRECT_URI = `${baseUrl}/v1/auth/oidc/callback`;

export const providerQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: ['identity-providers', org, id],
    queryFn: async () => {
      const call = api.GET('/v1/organizations/{org}/identity-providers/{id}', { params: { path: { org, id } } });
      const { body, etag } = await unwrapWithEtag(call);
      return { provider: body.data, etag };
    },
  });
