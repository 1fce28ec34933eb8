import { hash, randomBytes } from 'node:crypto';
import { call } from './service.mjs';
import { withClient } from './stores.mjs';

export const CALLBACK = 'https://app.example.com/callback';
export const RESOURCE = 'https://api.example.com';
const LEDGER = 'https://ledger.example.com';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** The variables of the service: the addresses of clients come from a header, because requests are limited by address. */
export const OAUTH_ENVIRONMENT = { BASE_URL: 'http://localhost:3000', TRUST_PROXY: 'loopback' };
/** The number of refresh tokens of each sign-in. Each run loses some, whose answer comes after its end. */
const COPIES = 4;
const ADDRESSES = 250;

/** An address for each request, from a few addresses that each stay below the limit. */
export const addressOf = (next) => ({ 'x-forwarded-for': `198.51.100.${1 + (next % ADDRESSES)}` });

/** Creates a client for people with one sign-in of each session, and a machine client of the organization with a scope of a resource. */
export async function oauthTarget(databaseUrl, service, { slug, sessions }) {
  const organization = `/v1/organizations/${slug}`;
  const scopes = ['invoices:read'];
  const create = async (path, body) => (await call(service, 'POST', `${organization}/${path}`, body)).data;
  for (const identifier of [RESOURCE, LEDGER])
    await create('oauth-resources', { identifier, name: identifier, scopes: scopes.map((name) => ({ name })) });
  const authentication = 'client_secret_post';
  const resources = [{ identifier: RESOURCE, scopes }];
  const machine = await create('oauth-clients', { name: 'Machine', type: 'machine', authentication, resources });
  const web = await create('oauth-clients', { name: 'Web', type: 'web', authentication, redirectUris: [CALLBACK] });
  const signIns = [];
  for (const [index, session] of sessions.entries()) signIns.push(await signIn(service, web, session, index));
  const refreshTokens = signIns.map(({ refresh_token: token }) => token);
  const portal = await create('oauth-clients', {
    name: 'Portal',
    type: 'web',
    authentication,
    redirectUris: [CALLBACK],
    resources,
  });
  const program = await create('oauth-clients', {
    name: 'Program',
    type: 'machine',
    authentication,
    grantTypes: [TOKEN_EXCHANGE],
    audiences: [RESOURCE],
    resources: [{ identifier: LEDGER, scopes }],
  });
  const ofPortal = [];
  for (const [index, session] of sessions.entries())
    ofPortal.push(await signIn(service, portal, session, index, { scope: 'openid invoices:read', resource: RESOURCE }));
  return {
    machine: keyOf(machine),
    exchange: {
      portal: keyOf(portal),
      refreshTokens: ofPortal.map(({ refresh_token: token }) => token),
      fields: {
        ...keyOf(program),
        grant_type: TOKEN_EXCHANGE,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        resource: LEDGER,
      },
    },
    web: keyOf(web),
    accessTokens: signIns.map(({ access_token: token }) => token),
    refreshTokens: [...refreshTokens, ...(await copyTokens(databaseUrl, refreshTokens))],
  };
}

const keyOf = ({ id, secret }) => ({ client_id: id, client_secret: secret });

/** Signs a user in, who allows the access. */
async function signIn(service, client, session, index, fields = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const parameters = new URLSearchParams({
    client_id: client.id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid profile email organization',
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    ...fields,
  });
  const browser = { service, cookies: [`service-session=${session}`], headers: addressOf(index) };
  const page = await browse(browser, 'GET', `/oauth/authorize?${parameters}`);
  const path = `/v1/oauth/interactions/${page.searchParams.get('interaction')}/consent`;
  const callback = await browse(browser, 'GET', new URL((await browse(browser, 'POST', path)).redirectTo).pathname);
  const body = new URLSearchParams({
    ...keyOf(client),
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code'),
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  });
  const response = await fetch(`${service.url}/oauth/token`, { method: 'POST', body, headers: addressOf(index) });
  if (!response.ok) throw new Error(`The code was refused: ${await response.text()}`);
  return response.json();
}

/** Returns the address to which the service redirects, or its data. */
async function browse({ service, cookies, headers }, method, path) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...headers, cookie: cookies.join('; '), 'sec-fetch-site': 'same-origin' },
  });
  cookies.push(...response.headers.getSetCookie().map((line) => line.split(';')[0]));
  const text = await response.text();
  const location = response.headers.get('location');
  if (location === null && !response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${text}`);
  return location === null ? JSON.parse(text).data : new URL(location, service.url);
}

/** Inserts further refresh tokens of the same sign-ins. Returns their values. */
function copyTokens(databaseUrl, tokens) {
  return withClient(databaseUrl, async (client) => {
    const copies = [];
    for (const token of tokens) {
      for (let count = 1; count < COPIES; count++) {
        const copy = `ort_${randomBytes(32).toString('base64url')}`;
        await client.query(
          `INSERT INTO oauth_artifacts (id_hash, tenant_id, kind, payload, sign_in_id, expires_at)
           SELECT sha256(convert_to($2, 'UTF8')), tenant_id, kind, payload, sign_in_id, expires_at
           FROM oauth_artifacts WHERE id_hash = sha256(convert_to($1, 'UTF8'))`,
          [token, copy],
        );
        copies.push(copy);
      }
    }
    return copies;
  });
}
