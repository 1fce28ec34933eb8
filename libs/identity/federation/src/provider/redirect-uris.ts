import type { SignInProvider } from '#directory/organizations';

/** Returns the redirect URI of OpenID Connect providers. */
export const oidcRedirectUri = (baseUrl: string): string => `${baseUrl}/v1/auth/oidc/callback`;

/**
 * Returns the redirect URI of a GitHub server. Each server has its own, because not every server names itself in its responses: otherwise
 * another provider could make the service send it a code of that server (RFC 9700, section 4.4.2).
 */
export const githubRedirectUri = (baseUrl: string, host: string): string =>
  `${baseUrl}/v1/auth/oidc/github/${encodeURIComponent(host)}`;

/** Returns the redirect URI to register at a provider. */
export const redirectUriOf = (baseUrl: string, { type, issuer }: Pick<SignInProvider, 'type' | 'issuer'>): string =>
  type === 'github' ? githubRedirectUri(baseUrl, new URL(issuer).host) : oidcRedirectUri(baseUrl);

/** Returns whether a URL is a redirect URI with the parameters of a response. */
export function isRedirectTo(redirectUri: string, { origin, pathname }: URL): boolean {
  const expected = new URL(redirectUri);
  return origin === expected.origin && pathname === expected.pathname;
}

/** Returns whether a URL can be the redirect of some provider. */
export function isRedirect(baseUrl: string, url: URL): boolean {
  const anyHost = new URL(githubRedirectUri(baseUrl, ''));
  return (
    isRedirectTo(oidcRedirectUri(baseUrl), url) || (url.origin === anyHost.origin && url.pathname.startsWith(anyHost.pathname))
  );
}
