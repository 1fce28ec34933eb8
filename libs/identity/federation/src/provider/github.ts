import type { SignInProvider } from '#directory/organizations';
import {
  authorizationCodeGrant,
  type Configuration,
  type CustomFetch,
  fetchProtectedResource,
  genericGrantRequest,
  ResponseBodyError,
  type ServerMetadata,
} from 'openid-client';
import { githubClaims } from './github-claims.js';
import type { IdentityClaims } from './identity-claims.js';
import { ProviderUnreachable } from './provider-http.service.js';

/** The maximum that GitHub returns at once. */
const EMAILS_MAX = 100;

type CodeChecks = Readonly<Record<'state' | 'codeVerifier', string>>;

/** Returns the endpoints of a GitHub server, which publishes no complete discovery document. */
export function githubMetadata(address: string): ServerMetadata {
  const issuer = `${address}/login/oauth`;
  return { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/access_token` };
}

/** Returns the address of the REST API of github.com, of GitHub Enterprise Cloud with data residency (`ghe.com`), or of GitHub Enterprise Server. */
export function githubApi(address: string): string {
  const { protocol, host, hostname } = new URL(address);
  const isCloud = hostname === 'github.com' || hostname.endsWith('.ghe.com');
  return isCloud ? `${protocol}//api.${host}` : `${address}/api/v3`;
}

/**
 * Makes the responses of GitHub like those of other authorization servers: GitHub reports OAuth errors with the status 200, and exceeded rate
 * limits with 403 or 429. @throws ProviderUnreachable if GitHub can't respond at the moment
 */
export const githubFetch =
  (fetch: CustomFetch): CustomFetch =>
  async (url, options) => {
    const response = await fetch(url, options);
    if (isTemporary(response)) throw new ProviderUnreachable(new Error(`GitHub responded with status ${response.status}.`));
    if (options.method !== 'POST' || response.status !== 200) return response;
    const text = await response.text();
    return new Response(text, { status: isOauthError(text) ? 400 : 200, headers: response.headers });
  };

/** Redeems a code for the claims of the person. @throws Error if GitHub refuses, or if a response is invalid */
export async function redeemAtGithub(
  configuration: Configuration,
  { issuer, trustedDomains }: SignInProvider,
  callbackUrl: URL,
  { state, codeVerifier }: CodeChecks,
): Promise<IdentityClaims> {
  const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
  const { access_token: token } = await authorizationCodeGrant(configuration, callbackUrl, checks);
  const read = async (path: string): Promise<unknown> => {
    const headers = new Headers({ accept: 'application/vnd.github+json' });
    const url = new URL(githubApi(issuer) + path);
    const response = await fetchProtectedResource(configuration, token, url, 'GET', undefined, headers);
    if (response.status !== 200) throw new Error(`The request for ${path} returned status ${response.status} instead of 200.`);
    return response.json();
  };
  const [user, emails] = await Promise.all([read('/user'), read(`/user/emails?per_page=${EMAILS_MAX}`)]);
  return githubClaims(user, emails, trustedDomains);
}

/** Asserts that GitHub accepts the client: with a code that nobody has, it complains about the code only. @throws Error */
export async function assertClientAccepted(configuration: Configuration, redirectUri: string): Promise<void> {
  const parameters = { code: 'check', redirect_uri: redirectUri };
  const error: unknown = await genericGrantRequest(configuration, 'authorization_code', parameters).catch(
    (thrown: unknown) => thrown,
  );
  if (error instanceof ResponseBodyError && error.error === 'bad_verification_code') return;
  throw error instanceof Error ? error : new Error('The server accepted a code that it did not issue.');
}

function isTemporary({ status, headers }: Response): boolean {
  const isLimited = headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0';
  return status === 429 || status >= 500 || (status === 403 && isLimited);
}

function isOauthError(text: string): boolean {
  try {
    const { error } = (JSON.parse(text) ?? {}) as { error?: unknown };
    return typeof error === 'string';
  } catch {
    return false;
  }
}
