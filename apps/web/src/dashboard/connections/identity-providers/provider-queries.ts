import { queryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrapWithEtag } from '../../../api/client';
import { baseUrl } from '../../../api/base-url';

export type IdentityProvider = Schema<'IdentityProviderResponse'>;

export type ProviderType = IdentityProvider['type'];

/** Returns the redirect URI to register at a provider. Each GitHub server has its own. */
export function redirectUriOf({ type, issuer }: Readonly<{ type: ProviderType; issuer: string }>): string {
  if (type === 'oidc') return `${baseUrl}/v1/auth/oidc/callback`;
  const host = URL.canParse(issuer) ? new URL(issuer).host : 'github.com';
  return `${baseUrl}/v1/auth/oidc/github/${encodeURIComponent(host)}`;
}

export const providerQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: ['identity-providers', org, id],
    queryFn: async () => {
      const call = api.GET('/v1/organizations/{org}/identity-providers/{id}', { params: { path: { org, id } } });
      const { body, etag } = await unwrapWithEtag(call);
      return { provider: body.data, etag };
    },
  });
