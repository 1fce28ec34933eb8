const CALLBACK = '/v1/auth/oidc/callback';

/**
 * Returns the redirect URI to register at a provider. Each issuer has its own, because not every provider names itself in its responses:
 * otherwise another provider could make the service send it a code of this one (RFC 9700, section 4.4.2).
 */
export function redirectUriOf(baseUrl: string, issuer: string): string {
  const { host, pathname } = new URL(issuer);
  // Many proxies refuse encoded slashes.
  const name = encodeURIComponent(host + pathname.replace(/\/$/, ''))
    .replaceAll('~', '%7E')
    .replaceAll('%2F', '~');
  return `${baseUrl}${CALLBACK}/${name}`;
}

/** Returns whether a URL is a redirect URI with the parameters of a response. */
export function isRedirectTo(redirectUri: string, { origin, pathname }: URL): boolean {
  const expected = new URL(redirectUri);
  return origin === expected.origin && pathname === expected.pathname;
}

/** Returns whether a URL can be the redirect of some provider. */
export const isRedirect = (baseUrl: string, url: URL): boolean =>
  url.origin === new URL(baseUrl).origin && url.pathname.startsWith(`${CALLBACK}/`);
