import { InvalidRequest, parseUrl, type FieldProblemCode } from '#platform/common';

/** `github` is OAuth 2.0 without OpenID Connect: no discovery, no ID token. */
export const PROVIDER_TYPES = ['oidc', 'github'] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

const GITHUB_ADDRESS = 'https://github.com';

/** The scope that each sign-in needs. */
const NEEDED_SCOPE = { oidc: 'openid', github: 'user:email' };
const DEFAULT_SCOPES = { oidc: ['openid', 'email', 'profile'], github: ['user:email'] };

interface SupportedFields {
  readonly hasClientSecret: boolean;
  readonly mfaTrusted: boolean;
  readonly allowedClients: readonly string[];
}

/** Returns the scopes to request, which include the scope that each sign-in needs. */
export function scopesFor(type: ProviderType, requested: readonly string[] = DEFAULT_SCOPES[type]): string[] {
  const needed = NEEDED_SCOPE[type];
  return requested.includes(needed) ? [...requested] : [needed, ...requested];
}

/**
 * Returns the issuer to store. For GitHub, which has no OpenID Connect issuer, this is the address of the server.
 * @throws InvalidRequest (400) for the field `issuer`
 */
export function issuerFor(type: ProviderType, issuer: string | undefined): string {
  if (type === 'oidc') {
    if (issuer === undefined) throw invalid('issuer', 'required', 'issuer is required.');
    return issuer;
  }
  const url = parseUrl(issuer ?? GITHUB_ADDRESS);
  if (url?.pathname === '/') return url.origin;
  const message = `The issuer of a GitHub provider must be the address of the server without a path, such as ${GITHUB_ADDRESS}.`;
  throw invalid('issuer', 'url_invalid', message);
}

/**
 * Asserts that a GitHub provider has a client secret, and that it is not trusted for something that GitHub does not state.
 * @throws InvalidRequest (400)
 */
export function assertSupported(type: ProviderType, { hasClientSecret, mfaTrusted, allowedClients }: SupportedFields): void {
  if (type !== 'github') return;
  if (!hasClientSecret) throw invalid('clientSecret', 'required', 'clientSecret is required for a GitHub provider.');
  if (mfaTrusted)
    throw invalid('mfaTrusted', 'not_supported', 'GitHub does not report how a person signed in. Set mfaTrusted to false.');
  if (allowedClients.length > 0)
    throw invalid('allowedClients', 'not_supported', 'GitHub signs no assertions. Leave allowedClients empty.');
}

const invalid = (field: string, code: FieldProblemCode, message: string): InvalidRequest =>
  new InvalidRequest([{ pointer: `/${field}`, in: 'body', code, message }]);
