import { queryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrapWithEtag } from '../../../api/client';
import { baseUrl } from '../../../api/base-url';

export type IdentityProvider = Schema<'IdentityProviderResponse'>;

export type ProviderType = IdentityProvider['type'];

/** Returns the redirect URI to register at a provider, if the issuer is an address. Each issuer has its own, as the service computes it. */
export function redirectUriOf({ type, issuer }: Readonly<{ type: ProviderType; issuer: string }>): string | undefined {
  const address = type === 'github' && issuer === '' ? 'https://github.com' : issuer;
  if (!URL.canParse(address)) return undefined;
  const { host, pathname } = new URL(address);
  const name = encodeURIComponent(host + pathname.replace(/\/$/, ''))
    .replaceAll('~', '%7E')
    .replaceAll('%2F', '~');
  return `${baseUrl}/v1/auth/oidc/callback/${name}`;
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
