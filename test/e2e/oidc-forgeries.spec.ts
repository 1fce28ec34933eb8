import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CompactSign, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody, TestResponse } from '../support/http-client.js';
import { callbackPathOf, completeSignIn, identityProvider, oidcSignIn, startSignIn } from '../support/oidc.js';
import { made } from '../support/organizations.js';
import { CLIENT_ID, CLIENT_SECRET, startScriptedProvider } from '../support/scripted-identity-provider.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';
import type { BrowserContext, Page } from 'playwright-core';
import { sharedBrowser } from '../support/chromium.js';
import { startIdentityProvider } from '../support/identity-provider.js';
import { PageClient } from '../support/page-client.js';
import { freshCode, userWithTotp } from '../support/second-factors.js';
import { activeUser, later } from '../support/sign-in.js';
import { testSite } from '../support/web.js';

const PERSON = { sub: 'person-1', email: 'person@trusted.example', email_verified: true };

/** Attempts of a malicious provider, or of an attacker in the middle, to sign in as another person. */
describe('sign-in with an identity provider', () => {
  const app = testApp();
  const provider = testServer(() => startScriptedProvider(PERSON));
  const other = testServer(() => startScriptedProvider(PERSON));
  let org: TestBody;
  let idp: TestBody;
  let otherIdp: TestBody;
  let counter = 0;
  beforeAll(async () => {
    org = await made(app, '/v1/organizations', { name: 'Trusting' });
    idp = await identityProvider(app, org.id, provider.issuer, { trustedDomains: ['trusted.example'] });
    otherIdp = await identityProvider(app, org.id, other.issuer, { name: 'Other', trustedDomains: ['trusted.example'] });
  });
  afterEach(() => {
    provider.script = { claims: PERSON };
    other.script = { claims: PERSON };
  });

  const signIn = (): Promise<TestResponse> => oidcSignIn(app, org.id, idp.id);
  /** Makes the service load the metadata and keys of the provider again. */
  const changeProvider = () =>
    app.api.platform
      .patch(`/v1/organizations/${org.id}/identity-providers/${idp.id}`, { name: `Changed ${++counter}` })
      .expect(200);
  const expectRejected = async (run: () => Promise<TestResponse>, status: number, code: string): Promise<void> => {
    let response: TestResponse | undefined;
    const events = await eventsDuring(app, async () => {
      response = await run();
    });
    expect([response?.status, response?.body.code, events]).toEqual([status, code, []]);
    expect(JSON.stringify(response?.body)).not.toContain('sessionToken');
  };

  const seconds = (): number => Math.floor(Date.now() / 1_000);
  const claimForgeries: [string, JWTPayload][] = [
    ['another issuer', { iss: 'https://login.example.com' }],
    ['another audience', { aud: 'another-client' }],
    ['several audiences without azp', { aud: [CLIENT_ID, 'another-client'] }],
    ['several audiences with another azp', { aud: [CLIENT_ID, 'another-client'], azp: 'another-client' }],
    ['another azp', { azp: 'another-client' }],
    ['another nonce', { nonce: 'A'.repeat(43) }],
    ['no nonce', { nonce: undefined }],
    ['an expiry time in the past', { exp: seconds() - 60 }],
    ['no expiry time', { exp: undefined }],
    ['an issue time in the future', { iat: seconds() + 3_600 }],
    ['an issue time an hour ago', { iat: seconds() - 3_600 }],
    ['no issue time', { iat: undefined }],
    ['a not-before time in the future', { nbf: seconds() + 3_600 }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject with NUL', { sub: 'person\0' }],
    ['a subject of 256 characters', { sub: 'x'.repeat(256) }],
  ];
  it.each(claimForgeries)('rejects an ID token with %s', async (_name, forged) => {
    provider.script = { claims: { ...PERSON, ...forged } };
    await expectRejected(signIn, 401, 'identity_provider_answer_invalid');
  });

  const keySets: [string, (own: JWK, other: JWK) => unknown[], string | undefined][] = [
    ['has a key twice', (own) => [own, own], 'first'],
    ['has several keys with the same ID', (own, other) => [{ ...other, kid: 'first' }, own], 'first'],
    ['has several keys, and the ID token names none', (own, other) => [other, own], undefined],
    [
      'has keys without ID',
      (own, other) => [
        { ...other, kid: undefined },
        { ...own, kid: undefined },
      ],
      'first',
    ],
    ['has invalid keys', (own) => [{ ...own, x: 'AA' }, { kid: 'first', kty: 'EC' }, { kid: 'first' }, null, 'x', own], 'first'],
  ];
  it.each(keySets)('tries the published keys one after the other if the set %s', async (_name, keys, kid) => {
    const otherKey = { ...(await exportJWK((await generateKeyPair('ES256')).publicKey)), kid: 'other' };
    await changeProvider();
    provider.script.keys = (own) => keys(own, otherKey);
    provider.script.idToken = (claims) => provider.sign(claims, { kid });
    expect((await signIn()).status).toBe(200);
  });

  it('loads the keys again after the provider has replaced them, also under the same ID', async () => {
    for (const kid of ['first', 'second']) {
      expect((await signIn()).status).toBe(200);
      const { publicKey, privateKey } = await generateKeyPair('ES256');
      const newKey = { ...(await exportJWK(publicKey)), kid };
      provider.script.keys = () => [newKey];
      provider.script.idToken = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
      expect((await signIn()).status).toBe(200);
      provider.script = { claims: PERSON };
    }
  });

  it.each([
    ['500', 500, '{}'],
    ['no JSON', 200, '<p>'],
    ['no list of keys', 200, '{"keys":{}}'],
  ])("can't be used while the response for the keys is %s", async (_name, status, body) => {
    await app.api.platform.patch(`/v1/organizations/${org.id}/identity-providers/${idp.id}`, { name: `Keys ${++counter}` });
    provider.script.handle = (path, response) => {
      if (path === '/jwks') response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return path === '/jwks';
    };
    await expectRejected(signIn, 503, 'identity_provider_unavailable');
  });

  it('rejects claims that are not in UTF-8, in the ID token and in the user info', async () => {
    const latin1 = (value: object): Buffer => Buffer.from(JSON.stringify({ ...value, name: 'Zo\xeb' }), 'latin1');
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const key = await exportJWK(publicKey);
    provider.script.keys = () => [key];
    provider.script.idToken = (claims) => new CompactSign(latin1(claims)).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    await changeProvider();
    await expectRejected(signIn, 401, 'identity_provider_answer_invalid');

    provider.script = { claims: { ...PERSON, email: null }, metadata: { userinfo_endpoint: `${provider.issuer}/userinfo` } };
    provider.script.handle = (path, response) => {
      if (path === '/userinfo') response.writeHead(200, { 'content-type': 'application/json' }).end(latin1(PERSON));
      return path === '/userinfo';
    };
    await changeProvider();
    await expectRejected(signIn, 401, 'identity_provider_answer_invalid');
    await changeProvider();
  });

  const signedByOther = async (claims: JWTPayload, kid: string): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign((await generateKeyPair('ES256')).privateKey);
  const tokenForgeries: [string, (claims: JWTPayload) => string | Promise<string>][] = [
    ['is unsigned', (claims) => new UnsecuredJWT(claims).encode()],
    [
      'is signed with the client secret',
      (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(CLIENT_SECRET)),
    ],
    ['another key signed under the ID of the published key', (claims) => signedByOther(claims, 'first')],
    ['another key signed under an unpublished key ID', (claims) => signedByOther(claims, 'second')],
    [
      'was changed after signing',
      async (claims) => {
        const [header, , signature] = (await provider.sign(claims)).split('.');
        const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'somebody-else' })).toString('base64url');
        return [header, changed, signature].join('.');
      },
    ],
  ];
  it.each(tokenForgeries)('rejects an ID token that %s', async (_name, idToken) => {
    provider.script.idToken = idToken;
    await expectRejected(signIn, 401, 'identity_provider_answer_invalid');
  });

  it('rejects a response without an ID token', async () => {
    provider.script.handle = (path, response) => {
      if (path !== '/token') return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":"x","token_type":"Bearer"}');
      return true;
    };
    await expectRejected(signIn, 401, 'identity_provider_answer_invalid');
  });

  it.each(['iss', 'code'])('rejects a response if the %s parameter is missing or wrong', async (name) => {
    provider.script.redirect = (parameters) => parameters.delete(name);
    await expectRejected(signIn, 401, 'identity_provider_answer_invalid');
    provider.script.redirect = (parameters) => parameters.set(name, other.issuer);
    await expectRejected(signIn, 401, 'identity_provider_answer_invalid');
  });

  it('rejects a response if the state is missing, wrong, repeated or too long', async () => {
    for (const change of [
      (parameters: URLSearchParams) => parameters.delete('state'),
      (parameters: URLSearchParams) => parameters.set('state', 'A'.repeat(43)),
      (parameters: URLSearchParams) => parameters.append('state', parameters.get('state')!),
      (parameters: URLSearchParams) => parameters.set('state', 'x'.repeat(5_000)),
      (parameters: URLSearchParams) => parameters.set('state', '\0'),
    ]) {
      provider.script.redirect = change;
      await expectRejected(signIn, 401, 'oidc_state_invalid');
    }
  });

  it('accepts a response once, and only from the browser that started the sign-in', async () => {
    const started = await startSignIn(app, org.id, idp.id);
    const path = await callbackPathOf(started);
    const both = await Promise.all([completeSignIn(app, path, started), completeSignIn(app, path, started)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    await expectRejected(() => completeSignIn(app, path, started), 401, 'oidc_state_invalid');
    const own = await startSignIn(app, org.id, idp.id);
    const elsewhere = await startSignIn(app, org.id, idp.id);
    const ownPath = await callbackPathOf(own);
    await expectRejected(() => app.api.anonymous.get(ownPath), 401, 'oidc_state_invalid');
    await expectRejected(() => completeSignIn(app, ownPath, elsewhere), 401, 'oidc_state_invalid');
    const callbackUrl = `${app.config.baseUrl}${ownPath}`;
    const submitCallback = (bindingToken: string) =>
      app.api.anonymous.post('/v1/auth/oidc/callback', { callbackUrl, bindingToken });
    await expectRejected(() => submitCallback(elsewhere.bindingToken), 401, 'oidc_state_invalid');
    expect((await submitCallback(own.bindingToken)).status).toBe(200);
  });

  it('rejects a response that mixes the state and code of two sign-ins, also of another provider', async () => {
    const own = await startSignIn(app, org.id, idp.id);
    const others = new URL(await callbackPathOf(await startSignIn(app, org.id, idp.id)), app.url);
    const mixed = new URL(await callbackPathOf(own), app.url);
    mixed.searchParams.set('code', others.searchParams.get('code')!);
    await expectRejected(() => completeSignIn(app, mixed.pathname + mixed.search, own), 401, 'identity_provider_answer_invalid');
    const honest = await startSignIn(app, org.id, idp.id);
    const evil = await startSignIn(app, org.id, otherIdp.id);
    const code = new URL(await callbackPathOf(honest), app.url).searchParams.get('code')!;
    other.script.redirect = (parameters) => {
      parameters.set('code', code);
      parameters.set('iss', provider.issuer);
    };
    const requestsBefore = other.requests.length;
    const path = await callbackPathOf(evil);
    await expectRejected(() => completeSignIn(app, path, evil), 401, 'identity_provider_answer_invalid');
    // The service does not send the code of the honest provider to the other provider.
    expect(other.requests.slice(requestsBefore)).not.toContain('/token');
  });

  it('sends no code of a provider that does not name itself to another provider', async () => {
    const anonymous = { authorization_response_iss_parameter_supported: false };
    for (const server of [provider, other]) server.script.metadata = anonymous;
    const honest = await identityProvider(app, org.id, provider.issuer, { name: 'Honest' });
    const evil = await identityProvider(app, org.id, other.issuer, { name: 'Evil' });
    const started = await startSignIn(app, org.id, evil.id);
    // The evil provider sends the browser to the honest one, with the parameters that are registered there.
    const attack = new URL((await startSignIn(app, org.id, honest.id)).authorizationUrl);
    attack.searchParams.set('state', new URL(started.authorizationUrl).searchParams.get('state')!);
    provider.script.redirect = (parameters) => parameters.delete('iss');
    const path = await callbackPathOf({ authorizationUrl: attack.href });
    const requestsBefore = other.requests.length;
    await expectRejected(() => completeSignIn(app, path, started), 401, 'oidc_state_invalid');
    expect(other.requests.slice(requestsBefore)).not.toContain('/token');
  });

  it("returns the provider's error code only if the code is a single word", async () => {
    const answerWith = (error: string) => (parameters: URLSearchParams) => {
      parameters.delete('code');
      parameters.set('error', error);
      parameters.set('error_description', '<script>alert(1)</script>');
    };
    provider.script.redirect = answerWith('access_denied');
    await expectRejected(signIn, 401, 'identity_provider_refused');
    provider.script.redirect = answerWith('access_denied');
    expect((await signIn()).body.detail).toContain('(access_denied)');
    provider.script.redirect = answerWith('<b>');
    expect((await signIn()).body.detail).toBe('The identity provider did not sign you in. Sign in again.');
  });

  it('rejects a callback URL that is not the redirect URI', async () => {
    const { bindingToken } = await startSignIn(app, org.id, idp.id);
    for (const callbackUrl of [
      'https://evil.example/v1/auth/oidc/callback?code=x',
      `${app.config.baseUrl}/elsewhere?code=x`,
      'x',
    ]) {
      const { body } = await app.api.anonymous.post('/v1/auth/oidc/callback', { callbackUrl, bindingToken }).expect(400);
      expect(body.errors).toMatchObject([{ pointer: '/callbackUrl' }]);
    }
  });

  it('stores state, nonce, verifier and binding token only hashed or encrypted', async () => {
    const { authorizationUrl, bindingToken, cookie } = await startSignIn(app, org.id, idp.id);
    const parameters = new URL(authorizationUrl).searchParams;
    expect(parameters.get('code_challenge_method')).toBe('S256');
    expect(cookie).toMatch(new RegExp(`^oidc-[\\da-f]{16}=${bindingToken}\\.\\d+$`));
    const rows = JSON.stringify(await app.database.query('SELECT s::text FROM oidc_sign_ins s'));
    for (const secret of [parameters.get('state')!, parameters.get('nonce')!, bindingToken]) {
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(rows).not.toContain(secret);
      expect(rows).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});

const TRUSTED = { trustedDomains: ['corp.example', 'example.com'] };
const RETURN_TO = '/dashboard/acme/users?status=active';

describe('browser sign-in with a provider', () => {
  // Providers are on another site, 127.0.0.1.
  const app = testSite();
  const provider = testServer(startScriptedProvider);
  let base: string;
  let org: TestBody;
  let idp: TestBody;
  let counter = 0;
  beforeAll(async () => {
    base = app.config.baseUrl;
    org = await organization();
    idp = await identityProvider(app, org.id, provider.issuer, TRUSTED);
  });

  const organization = async (fields: object = {}): Promise<TestBody> =>
    await made(app, '/v1/organizations', { name: `Pages ${++counter}`, ...fields });
  const startPath = (org: TestBody, idp: TestBody, returnTo: string): string =>
    `/v1/auth/oidc/start?${new URLSearchParams({ organization: org.slug, provider: idp.id, returnTo }).toString()}`;
  const location = ({ headers }: TestResponse): string => headers.get('location') ?? '';
  /** Follows the sign-in link of a page to the provider and back. Returns the last response, which redirects the browser. */
  const signInFromPage = async (page: PageClient, org: TestBody, idp: TestBody, claims: object): Promise<TestResponse> => {
    provider.script = { claims: claims as never };
    const started = await page.get(startPath(org, idp, RETURN_TO));
    expect(started.status).toBe(302);
    expect(started.headers.get('set-cookie')).toMatch(
      /^oidc-[\da-f]{16}=[\w-]{43}\.\d+\.pages-\d+; Max-Age=3600; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    return page.get(await callbackPathOf({ authorizationUrl: location(started) }));
  };
  const someone = (): { sub: string; email: string; email_verified: boolean } => {
    const name = `page-${++counter}`;
    return { sub: name, email: `${name}@corp.example`, email_verified: true };
  };

  it('sets a session cookie and redirects to the requested page', async () => {
    const page = new PageClient(app);
    const claims = someone();
    const response = await signInFromPage(page, org, idp, claims);
    expect([response.status, location(response), response.body]).toEqual([303, base + RETURN_TO, undefined]);
    expect(page.cookies).toMatch(/^service-session=[\w-]{43}$/);
    expect((await page.get('/v1/auth/me')).body.data.email).toBe(claims.email);
  });

  it('redirects to the sign-in page if the user has a second factor', async () => {
    const { email, secret } = await userWithTotp(app, org.id);
    const page = new PageClient(app);
    const response = await signInFromPage(page, org, idp, { ...someone(), email });
    const address = new URL(location(response));
    expect([response.status, address.origin + address.pathname + address.search]).toEqual([303, `${base}/account/sign-in`]);
    expect(page.cookies).toBe('');
    const { challenge, methods, ...rest } = Object.fromEntries(new URLSearchParams(address.hash.slice(1)));
    expect([methods?.split(','), rest]).toEqual([
      expect.arrayContaining(['totp']),
      { organization: org.slug, returnTo: RETURN_TO },
    ]);
    const proof = { challengeToken: challenge, method: 'totp', code: freshCode(app, secret) };
    expect((await page.post('/v1/auth/mfa/verify', proof, { headers: { 'session-transport': 'cookie' } })).status).toBe(200);
    expect((await page.get('/v1/auth/me')).body.data.email).toBe(email);
  });

  it('can be completed in each of the newest five tabs', async () => {
    const page = new PageClient(app);
    const claims = someone();
    provider.script = { claims };
    const callbacks: string[] = [];
    for (let tab = 0; tab < 6; tab += 1) {
      const started = await page.get(startPath(org, idp, `/account?tab=${tab}`));
      callbacks.push(await callbackPathOf({ authorizationUrl: location(started) }));
    }
    const pages: string[] = [];
    for (const callback of callbacks) pages.push(location(await page.get(callback)));
    const failed = `${base}/account/sign-in?organization=${org.slug}&error=oidc_state_invalid`;
    expect(pages).toEqual([failed, ...[1, 2, 3, 4, 5].map((tab) => `${base}/account?tab=${tab}`)]);
    expect(page.cookies).toMatch(/^service-session=[\w-]{43}$/);
  });

  describe('a failed sign-in', () => {
    const expectFailure = (page: PageClient, response: TestResponse, org: { slug: string }, error: string): void => {
      expect([response.status, location(response)]).toEqual([
        303,
        `${base}/account/sign-in?organization=${org.slug}&error=${error}`,
      ]);
      expect(page.cookies).not.toContain('session');
    };

    it('redirects to the sign-in page if no user is linked to the identity', async () => {
      const org = await organization();
      const idp = await identityProvider(app, org.id, provider.issuer);
      const page = new PageClient(app);
      expectFailure(page, await signInFromPage(page, org, idp, someone()), org, 'account_not_linked');
      await app.api.platform.post(`/v1/organizations/${org.id}/suspend`, { reason: 'Unpaid' }).expect(200);
      expectFailure(page, await signInFromPage(page, org, idp, someone()), org, 'organization_suspended');
    });

    it('redirects to the sign-in page if the sign-in took too long', async () => {
      const page = new PageClient(app);
      provider.script = { claims: someone() };
      const started = await page.get(startPath(org, idp, RETURN_TO));
      const response = await callbackPathOf({ authorizationUrl: location(started) });
      expectFailure(page, await later(app, 11 * 60_000, () => page.get(response)), org, 'oidc_state_invalid');
    });

    it('redirects to the sign-in page if the provider or organization is unknown, or another site started the sign-in', async () => {
      const page = new PageClient(app);
      const unknown = { id: 'Nobody' };
      expectFailure(page, await page.get(startPath(org, unknown, RETURN_TO)), org, 'identity_provider_not_found');
      expectFailure(
        page,
        await page.get(startPath({ slug: 'a&b' }, unknown, RETURN_TO)),
        { slug: 'a%26b' },
        'identity_provider_not_found',
      );
      const foreign = new PageClient(app);
      const response = await foreign.get(startPath(org, idp, RETURN_TO), { headers: { 'sec-fetch-site': 'cross-site' } });
      expectFailure(foreign, response, org, 'cross_origin');
      expect(foreign.cookies).toBe('');
    });
  });

  // return-to.spec.ts tests more addresses.
  it.each(['//evil.example', '/v1/auth/me'])('does not redirect to %s', async (returnTo) => {
    const { status, body, headers } = await new PageClient(app).get(startPath(org, idp, returnTo));
    expect([status, body.errors[0].pointer, headers.get('location')]).toEqual([400, '/returnTo', null]);
    await app.api.anonymous.post('/v1/auth/oidc/start', { organization: org.id, provider: idp.id, returnTo }).expect(400);
  });

  it('can be started by a script', async () => {
    const page = new PageClient(app);
    provider.script = { claims: someone() };
    const started = await page.post('/v1/auth/oidc/start', { organization: org.id, provider: idp.id, returnTo: '/account' });
    const response = await page.get(await callbackPathOf(started.body.data));
    expect([response.status, location(response)]).toEqual([303, `${base}/account`]);
  });

  describe('Chromium with a certified provider', () => {
    const grace = { email: 'grace@browser.example', email_verified: true };
    const real = testServer(() => startIdentityProvider(base, { grace }));
    let context: BrowserContext;
    beforeAll(async () => {
      context = await (await sharedBrowser()).newContext();
    });
    afterAll(() => context?.close());

    const signInAs = async (page: Page, login: string): Promise<void> => {
      await page.fill('[name=login]', login);
      await page.fill('[name=password]', 'any');
      await page.click('[type=submit]');
      await page.click('[type=submit]');
    };

    it('returns to the requested page with a session', async () => {
      const org = await organization();
      const idp = await identityProvider(app, org.id, real.issuer, { trustedDomains: ['browser.example'] });
      const { id } = await activeUser(app, org.id, { email: 'grace@browser.example' });
      const page = await context.newPage();
      await page.goto(`${base}/health/live`);
      await page.evaluate(`location.assign('${startPath(org, idp, '/dashboard')}')`);
      await signInAs(page, 'grace');
      await page.waitForURL(`${base}/dashboard`);
      const ownId = `(async () => (await (await fetch('/v1/auth/me')).json()).data.id)()`;
      expect(await page.evaluate(ownId)).toBe(id);
      expect(await context.cookies(base)).toEqual([
        expect.objectContaining({ name: 'service-session', sameSite: 'Strict', httpOnly: true }),
      ]);
    });
  });
});
