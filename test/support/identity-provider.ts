import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { redirectUriOf } from '../../libs/identity/federation/src/provider/redirect-uris.js';
import { loadLibrary } from '../../libs/identity/oauth/src/provider/library.js';
import { listenHttp } from './local-receiver.js';
import { CLIENT_ID, CLIENT_SECRET } from './scripted-identity-provider.js';

/** Starts a certified identity provider (npm oidc-provider) on 127.0.0.1. `people` has the claims of the users by login name. */
export async function startIdentityProvider(baseUrl: string, people: Record<string, Record<string, unknown>>) {
  // The port is a part of the issuer, so the server listens before the provider exists.
  let answer: RequestListener | undefined;
  const listener = await listenHttp((request, response) => answer?.(request, response));
  const issuer = `http://127.0.0.1:${listener.port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const { Provider } = await loadLibrary();
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUriOf(baseUrl, issuer)] }],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'name', 'picture', 'locale'],
    },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  });
  answer = provider.callback();
  return { issuer, stop: () => listener.close() };
}

const STEPS_MAX = 12;

/** Signs in on the pages of the provider, or cancels if the login name is null. Returns the path and query of the callback after the redirect. */
export async function signInAtProvider(authorizationUrl: string, login: string | null): Promise<string> {
  const cookies = new Map<string, string>();
  const redirectUri = new URL(authorizationUrl).searchParams.get('redirect_uri')!;
  let next: { url: URL; form?: URLSearchParams } = { url: new URL(authorizationUrl) };
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { url, form } = next;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const method = form ? 'POST' : 'GET';
    const response = await fetch(url, { method, body: form, headers: { cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const page = await response.text();
    const location = response.headers.get('location');
    if (location?.startsWith(redirectUri)) return new URL(location).pathname + new URL(location).search;
    next = location === null ? nextRequest(page, url, login) : { url: new URL(location, url) };
  }
  throw new Error(`The provider did not redirect to the callback within ${STEPS_MAX} steps.`);
}

function nextRequest(page: string, url: URL, login: string | null): { url: URL; form?: URLSearchParams } {
  const attribute = (pattern: RegExp): string => {
    const [, found] = pattern.exec(page) ?? [];
    if (found === undefined) throw new Error(`The page at ${url.href} has no ${pattern}: ${page}`);
    return found;
  };
  if (login === null) return { url: new URL(attribute(/href="([^"]+\/abort)"/), url) };
  const prompt = attribute(/name="prompt" value="(\w+)"/);
  return { url: new URL(attribute(/action="([^"]+)"/), url), form: new URLSearchParams({ prompt, login, password: 'any' }) };
}
