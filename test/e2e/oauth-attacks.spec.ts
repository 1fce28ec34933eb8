import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import * as openid from 'openid-client';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import {
  CALLBACK,
  OAuthApplication,
  refusal,
  type StartedRequest,
  startIssuer,
  type Tokens,
} from '../support/oauth-application.js';
import { PageClient } from '../support/page-client.js';
import { impersonating, type SignedIn, signedIn } from '../support/signed-in.js';

// What attackers try in the browser of a user or with a code. `oauth-token-attacks.spec.ts` has the attacks with tokens.
const API = 'https://api.example.com';
const EVIL = 'https://evil.example';

let app: TestApp;
let acme: string;
let north: string;
let application: OAuthApplication;
let other: OAuthApplication;
let ada: SignedIn;

const create = async (path: string, body: object): Promise<TestBody> =>
  (await app.api.platform.post(path, body).expect(201)).body.data;
const organization = async (name: string, parentId?: string): Promise<string> =>
  (await create('/v1/organizations', { name, parentId })).id;

beforeAll(async () => {
  app = await startIssuer();
  acme = await organization('Acme');
  north = await organization('North', acme);
  const scopes = [{ name: 'invoices:read' }, { name: 'invoices:write' }];
  await create(`/v1/organizations/${acme}/oauth-resources`, { identifier: API, name: 'Invoices', scopes });
  const fields = { resources: [{ identifier: API, scopes: ['invoices:read'] }] };
  application = await OAuthApplication.create(app, north, fields);
  other = await OAuthApplication.create(app, north, fields);
  ada = await signedIn(app, north, { roles: ['admin'] });
});

afterAll(() => app?.close());

/** Returns the address of a request with other parameters. An empty value removes the parameter. */
function changed({ address }: StartedRequest, parameters: Record<string, string>): string {
  const url = new URL(address, app.config.baseUrl);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}

const errorOf = async (user: SignedIn | null, parameters: Record<string, string>, by = application): Promise<string | null> => {
  const request = await by.start(user, parameters);
  return (await request.open(changed(request, parameters))).searchParams.get('error');
};

describe('a client with the code or token of another client', () => {
  it.each<[string, () => Promise<unknown>, unknown]>([
    [
      'can not exchange the code',
      async () => {
        const request = await application.start(ada);
        return refusal(other.exchange(await request.finish(), request.checks));
      },
      'invalid_grant',
    ],
    ['can not refresh', async () => refusal(other.refresh((await application.signIn(ada)).refresh_token)), 'invalid_grant'],
    [
      'can not inspect the token',
      async () => (await other.introspect((await application.signIn(ada)).access_token)).active,
      false,
    ],
    [
      'can not revoke the token',
      async () => {
        const tokens = await application.signIn(ada);
        await openid.tokenRevocation(other.configuration, tokens.access_token).catch(() => undefined);
        return (await application.introspect(tokens.access_token)).active;
      },
      true,
    ],
  ])('%s', async (_, attack, result) => expect(await attack()).toBe(result));
});

describe('a code or refresh token that several requests use at the same moment', () => {
  it.each<[string, () => Promise<() => Promise<Tokens>>]>([
    [
      'a code',
      async () => {
        const request = await application.start(ada);
        const callback = await request.finish();
        return () => application.exchange(callback, request.checks);
      },
    ],
    [
      'a refresh token',
      async () => {
        const { refresh_token: token } = await application.signIn(ada);
        return () => application.refresh(token);
      },
    ],
  ])('is accepted once, and ends the sign-in: %s', async (_, prepare) => {
    const use = await prepare();
    const results = await Promise.allSettled(Array.from({ length: 8 }, use));
    const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(winners.length).toBe(1);
    expect((await application.introspect(winners[0]!.access_token)).active).toBe(false);
    expect(await refusal(application.refresh(winners[0]!.refresh_token))).toBe('invalid_grant');
  });
});

describe('the first sign-in of a user in several tabs at once', () => {
  it.each([
    ['skipped', 'openid email'],
    ['skipped', 'invoices:read'],
    ['required', 'openid email'],
  ])('works in each, with one grant (consent %s, scope "%s")', async (consent, scope) => {
    const resources = [{ identifier: API, scopes: ['invoices:read'] }];
    const client = await OAuthApplication.create(app, north, { consent, resources });
    const user = await signedIn(app, north, { roles: ['admin'] });
    const requests = await Promise.all(Array.from({ length: 8 }, () => client.start(user, { scope, resource: API })));
    // A nonce needs the scope "openid".
    const callbacks = await Promise.all(requests.map((request) => request.finish(undefined, changed(request, { nonce: '' }))));
    for (const [index, callback] of callbacks.entries()) {
      const code = { code: callback.searchParams.get('code')!, redirect_uri: CALLBACK };
      const proof = { ...code, code_verifier: requests[index]!.checks.verifier };
      expect(await refusal(openid.genericGrantRequest(client.configuration, 'authorization_code', proof))).toBeUndefined();
    }
    const grants = (await user.client.get('/v1/auth/oauth-grants').expect(200)).body.data;
    expect(grants.map((grant: TestBody) => grant.application.id)).toEqual([client.clientId]);
  });
});

describe('a redirect URI', () => {
  it.each([
    `${EVIL}/callback`,
    'http://app.example.com/callback',
    'https://app.example.com:8443/callback',
    'https://app.example.com/callback/',
    'https://app.example.com/callback/../evil',
    'https://app.example.com/%63allback',
    'https://app.example.com/callback?next=https://evil.example',
    'https://app.example.com/callback#evil',
    'https://app.example.com.evil.example/callback',
    'https://app.example.com@evil.example/callback',
    'https://evil.example/https://app.example.com/callback',
    'https://app.example.com\\@evil.example/callback',
    'HTTPS://app.example.com/callback',
    'https://APP.example.com/callback',
    'https://app.example.com/callback\u0000',
    ' https://app.example.com/callback',
    'javascript:alert(1)//https://app.example.com/callback',
  ])('that is not registered gets nothing: %s', async (uri) => {
    const { status, headers } = await redirectOf(application, uri);
    expect([status, headers.get('location')]).toEqual([400, null]);
  });

  it.each<[string, string, string, boolean]>([
    ['native', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb', true],
    ['native', 'http://[::1]/cb', 'http://[::1]:51004/cb', true],
    ['native', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004/other', false],
    ['native', 'http://127.0.0.1/cb', 'http://127.0.0.2:51004/cb', false],
    ['native', 'http://127.0.0.1/cb', 'http://127.0.0.1.evil.example:51004/cb', false],
    ['native', 'https://app.example.com/cb', 'https://app.example.com:51004/cb', false],
    ['native', 'com.example.app:/cb', 'com.example.app:/other', false],
    ['single_page', 'http://127.0.0.1:3000/cb', 'http://127.0.0.1:51004/cb', false],
  ])('of a %s client with %s: %s is accepted: %s', async (type, registered, uri, accepted) => {
    const client = await OAuthApplication.create(app, north, { type, redirectUris: [registered] });
    expect((await redirectOf(client, uri)).status).toBe(accepted ? 303 : 400);
  });

  const redirectOf = async (client: OAuthApplication, uri: string) => {
    const request = await client.start(ada);
    return request.browser.get(changed(request, { redirect_uri: uri }));
  };
});

describe('an authorization request', () => {
  it.each<[string, Record<string, string>, string]>([
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['with PKCE "plain"', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with PKCE without a method', { code_challenge_method: '' }, 'invalid_request'],
    ['for a token in the address', { response_type: 'token' }, 'unsupported_response_type'],
    ['for an ID token in the address', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['with a request object', { request: new UnsecuredJWT({}).encode() }, 'request_not_supported'],
    ['with a request object elsewhere', { request_uri: `${EVIL}/request` }, 'request_uri_not_supported'],
    ['for an API that the client can not use', { resource: 'https://other.example.com' }, 'invalid_target'],
    ['with two redirect URIs', { redirect_uri: `${CALLBACK}&redirect_uri=${EVIL}` }, 'invalid_request'],
    ['for an organization of nobody', { organization: '\0' }, 'access_denied'],
    ['for an organization without a membership', { organization: 'acme' }, 'access_denied'],
  ])('%s is refused, and the error names the issuer and the state', async (_, parameters, error) => {
    const request = await application.start(ada);
    const { origin, searchParams, hash } = await request.open(
      changed(request, parameters).replace('%26redirect_uri%3D', '&redirect_uri='),
    );
    const answer = Object.fromEntries(new URLSearchParams(hash.slice(1) || searchParams));
    expect({ origin, ...answer }).toMatchObject({
      origin: new URL(CALLBACK).origin,
      error,
      state: request.checks.state,
      iss: app.config.baseUrl,
    });
    expect(answer).not.toHaveProperty('code');
  });

  it('gets a code that names the issuer and needs the verifier', async () => {
    for (const verifier of [openid.randomPKCECodeVerifier(), undefined]) {
      const request = await application.start(ada);
      const callback = await request.finish();
      expect(callback.searchParams.get('iss')).toBe(app.config.baseUrl);
      const checks = { ...request.checks, verifier: verifier as string };
      expect(await refusal(application.exchange(callback, checks))).toBe('invalid_grant');
    }
  });

  it.each(['client_id', 'scope', 'state', 'nonce', 'login_hint', 'ui_locales', 'claims', 'organization', 'prompt', 'max_age'])(
    'with a hostile %s is never an error of the service',
    async (name) => {
      for (const value of ['\0', '\u202e', '"><script>', '[]', '{"id_token":1}', 'x'.repeat(4_000)]) {
        const request = await application.start(ada);
        const { status, body } = await request.browser.get(changed(request, { [name]: value }));
        expect([name, value, status < 500]).toEqual([name, value, true]);
        expect(String(body)).not.toContain('<script>');
      }
    },
  );

  it('needs a new proof if the last one is older than max_age', async () => {
    const user = await signedIn(app, north, { roles: ['member'] });
    await application.signIn(user, { max_age: '600' });
    await app.database.query(`UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE id = $1`, [user.sessionId]);
    const page = await (await application.start(user, { max_age: '600' })).open();
    expect([page.pathname, page.searchParams.get('reauthenticate')]).toEqual(['/account/sign-in', '1']);
    const silent = await application.start(user, { max_age: '600', prompt: 'none' });
    expect((await silent.open()).searchParams.get('error')).toBe('login_required');
    const { auth_time: authTime } = (await application.signIn(user, { max_age: '7200' })).claims()!;
    expect(Number(authTime)).toBeLessThan(Date.now() / 1_000 - 3_000);
  });
});

describe('prompt=none', () => {
  it.each<[string, () => Promise<SignedIn | null>, string]>([
    ['nobody is signed in', () => Promise.resolve(null), 'login_required'],
    ['the user has allowed nothing', () => signedIn(app, north, { roles: ['member'] }), 'consent_required'],
    [
      'somebody from support is signed in as the user',
      async () => {
        const user = await signedIn(app, north, { roles: ['member'] });
        await application.signIn(user);
        return impersonating(app, await signedIn(app, acme, { roles: ['owner'] }), user, north);
      },
      'login_required',
    ],
    ['the user has no access', async () => signedIn(app, await organization('Globex'), { roles: ['owner'] }), 'access_denied'],
  ])('says only so much if %s', async (_, user, error) => {
    const request = await application.start(await user(), { prompt: 'none' });
    const answer = await request.open();
    expect(answer.origin + answer.pathname).toBe(CALLBACK);
    expect([...answer.searchParams.keys()].toSorted()).toEqual(['error', 'error_description', 'iss', 'state']);
    expect(answer.searchParams.get('error')).toBe(error);
  });

  it('gives no new scopes, which the user has not allowed', async () => {
    const user = await signedIn(app, north, { roles: ['admin'] });
    await application.signIn(user, { scope: 'openid' });
    expect(await errorOf(user, { prompt: 'none', scope: 'openid email' })).toBe('consent_required');
    expect(await errorOf(user, { prompt: 'none', scope: 'openid invoices:read', resource: API })).toBe('consent_required');
  });
});

describe('the consent', () => {
  /** Returns the path of the interaction of Ada's browser. */
  async function asked(user: SignedIn | null = ada): Promise<{ request: StartedRequest; path: string; id: string }> {
    const request = await application.start(user, { prompt: 'consent' });
    const page = await request.open();
    const id = page.searchParams.get('interaction') ?? page.searchParams.get('returnTo')!.split('/').at(-1)!;
    return { request, id, path: `/v1/oauth/interactions/${id}` };
  }
  const browserOf = (user: SignedIn): PageClient => {
    const browser = new PageClient(app);
    browser.cookies = `${app.config.serviceName}-session=${user.token}`;
    return browser;
  };

  it.each<[string, (browser: PageClient) => PageClient, Record<string, string>, number]>([
    ['of another origin', (browser) => browser, { 'sec-fetch-site': 'cross-site', origin: EVIL }, 403],
    ['of a subdomain', (browser) => browser, { 'sec-fetch-site': 'same-site', origin: EVIL }, 403],
    ['of a form', (browser) => browser, { 'content-type': 'text/plain' }, 415],
    ['of another browser of the same user', () => browserOf(ada), {}, 404],
    ['of another browser without a session', () => new PageClient(app), {}, 401],
  ])('%s is refused', async (_, from, headers, status) => {
    for (const answer of ['consent', 'denial']) {
      // A denial needs no session, only the browser of the request.
      const expected = answer === 'denial' && status === 401 ? 404 : status;
      for (const user of answer === 'denial' ? [ada, null] : [ada]) {
        const { request, path } = await asked(user);
        const response = await from(request.browser).post(`${path}/${answer}`, {}, { headers });
        expect([answer, response.status]).toEqual([answer, expected]);
      }
    }
  });

  it('needs a membership in the organization', async () => {
    const user = await signedIn(app, north, { roles: ['member'] });
    await create(`/v1/organizations/${await organization('South', acme)}/members`, { userId: user.id, role: 'member' });
    const request = await (await OAuthApplication.create(app, acme)).start(user);
    const id = (await request.open()).searchParams.get('interaction');
    for (const organizationId of [acme, await organization('Elsewhere'), '\ud800']) {
      const { status } = await request.browser.post(`/v1/oauth/interactions/${id}/organization`, { organizationId });
      expect([organizationId, status]).toEqual([organizationId, organizationId === '\ud800' ? 400 : 404]);
    }
  });

  it('and the sign-in of one person do not continue the request of another', async () => {
    const victim = await signedIn(app, north, { roles: ['admin'] });
    await application.signIn(victim);
    // The attacker sends the address of the attacker's own request to the victim, who is signed in.
    const { request, id } = await asked(null);
    expect((await browserOf(victim).get(`/oauth/interactions/${id}`)).status).toBe(400);
    expect((await browserOf(victim).get(`/oauth/authorize/${id}`)).status).toBe(400);
    expect((await request.open(`/oauth/authorize/${id}`)).pathname).toBe('/account/sign-in');
  });
});
