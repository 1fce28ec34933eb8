import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import { CLIENT_ID, CLIENT_SECRET } from './scripted-identity-provider.js';

export interface IdentityProviderServer {
  issuer: string;
  stop(): Promise<void>;
}

/** Starts a certified identity provider (npm oidc-provider) on 127.0.0.1. `people` has the claims of the users by login name. */
export async function startIdentityProvider(
  redirectUri: string,
  people: Record<string, Record<string, unknown>>,
): Promise<IdentityProviderServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] }],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'name', 'picture', 'locale'],
    },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  });
  server.on('request', provider.callback());
  return {
    issuer,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const STEPS_MAX = 12;

/** Signs in on the pages of the provider, or cancels if the login name is null. Returns the path and query of the callback after the redirect. */
export async function signInAtProvider(authorizationUrl: string, redirectUri: string, login: string | null): Promise<string> {
  const cookies = new Map<string, string>();
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
