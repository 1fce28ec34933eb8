import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientOwnerCheckService } from '#identity/oauth';
import { createRemoteJWKSet, decodeProtectedHeader, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { hashToken } from '#platform/crypto';
import * as openid from 'openid-client';
import { DataSource } from 'typeorm';
import { type TestApp } from '../support/app.js';
import { numberedEvents } from '../support/event-log.js';
import { eventually } from '../support/eventually.js';
import type { TestBody } from '../support/http-client.js';
import { CALLBACK, OAuthApplication, refusal, startIssuer } from '../support/oauth-application.js';
import { generatedDocument, oauthOperationsOf, type Operation } from '../support/operations.js';
import { ResponseSchemas } from '../support/response-schemas.js';
import { activeUser, PASSWORD } from '../support/sign-in.js';
import { SESSION_IN_COOKIE } from '../support/page-client.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';

let app: TestApp;
let application: OAuthApplication;
let ada: SignedIn;
let acme: string;

beforeAll(async () => {
  app = await startIssuer({ trustProxy: ['127.0.0.1'] });
  acme = (await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201)).body.data.id;
  ada = await signedIn(app, acme, { roles: ['admin'] });
  application = await OAuthApplication.create(app, acme);
});

afterAll(() => app?.close());

describe('authorization code flow', () => {
  it('signs a user in with PKCE, and the same user again without a question', async () => {
    const application = await OAuthApplication.create(app, acme);
    const request = await application.start(ada);
    expect((await request.open()).pathname).toBe('/account/authorize');
    const tokens = await application.exchange(await request.finish(), request.checks);

    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', app.url));
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token!, keys, { issuer: app.config.baseUrl });
    expect(protectedHeader.alg).toBe('ES256');
    const claims = { sub: ada.id, org_id: acme, org_name: 'Acme', org_path: [acme], roles: ['admin'], email: ada.email };
    expect(payload).toMatchObject({ ...claims, aud: application.clientId, amr: ['password'], acr: 'aal1' });
    expect(await application.userInfo(tokens, ada.id)).toMatchObject(claims);

    const again = await application.start(ada);
    expect((await again.open()).origin).toBe('https://app.example.com');
    expect(await app.eventTypes()).toContain('oauth_grant.created');
  });

  it('accepts the request as a form, and sends the code as a form', async () => {
    await application.signIn(ada);
    const { browser, address, checks } = await application.start(ada, { response_mode: 'form_post' });
    const [path, form] = address.split('?') as [string, string];
    const send = (type: string) => app.api.anonymous.raw('POST', path, form, { 'content-type': type });
    const posted = await send('application/x-www-form-urlencoded');
    expect([posted.status, posted.headers.get('location')]).toEqual([303, address]);
    expect((await send('text/plain')).status).toBe(400);

    const { status, body } = await browser.get(posted.headers.get('location')!);
    expect([status, body]).toEqual([200, expect.stringContaining(`action="${CALLBACK}"`)]);
    const fields = [...body.matchAll(/name="(\w+)" value="([^"]+)"/g)].map(
      ([, name, value]) => [name, value] as [string, string],
    );
    const callback = new URL(`${CALLBACK}?${new URLSearchParams(fields)}`);
    expect((await application.exchange(callback, checks)).claims()).toMatchObject({ sub: ada.id });
  });

  it('sends a user without a session to the sign-in page and back', async () => {
    await application.signIn(ada);
    const request = await application.start(null, { login_hint: ada.email, organization: 'acme' });
    const page = await request.open();
    expect(page.pathname).toBe('/account/sign-in');
    expect(Object.fromEntries(page.searchParams)).toMatchObject({ email: ada.email, organization: 'acme' });
    request.browser.cookies = `${request.browser.cookies}; ${app.config.serviceName}-session=${ada.token}`;
    const callback = await request.open(page.searchParams.get('returnTo')!);
    const tokens = await application.exchange(callback, request.checks);
    expect(tokens.claims()).toMatchObject({ sub: ada.id, acr: 'aal1', amr: ['password'] });
  });

  it('names the client in the event of the sign-in, and no client in other sign-ins', async () => {
    const { id, email } = await activeUser(app, acme, { email: 'grace@example.com', roles: ['member'] });
    const request = await application.start(null);
    const page = await request.open();
    const signIn = { organization: 'acme', email, password: PASSWORD };
    await request.browser.post('/v1/auth/login', signIn, SESSION_IN_COOKIE);
    const callback = await request.finish(undefined, page.searchParams.get('returnTo')!);
    expect((await application.exchange(callback, request.checks)).claims()).toMatchObject({ sub: id });
    await request.browser.post('/v1/auth/login', signIn, SESSION_IN_COOKIE);
    await numberedEvents(app);
    const { body } = await app.api.platform.get(`/v1/organizations/acme/events?type=user.login&userId=${id}`).expect(200);
    const client = { id: application.clientId, name: 'Billing' };
    expect(body.data.map(({ data }: { data: object }) => data)).toEqual([
      expect.not.objectContaining({ client: expect.anything() }),
      expect.objectContaining({ method: 'password', client }),
    ]);
  });

  it('continues with another account, without the answers of the first one', async () => {
    const bob = await signedIn(app, acme, { roles: ['admin'] });
    const other = await OAuthApplication.create(app, acme);
    const request = await other.start(null);
    const signIn = await request.open();
    const cookies = request.browser.cookies;
    request.browser.cookies = `${cookies}; ${app.config.serviceName}-session=${ada.token}`;
    const page = await request.open(signIn.searchParams.get('returnTo')!);
    expect(page.pathname).toBe('/account/authorize');
    request.browser.cookies = request.browser.cookies.replace(ada.token, bob.token);
    const callback = await request.finish(undefined, `/oauth/interactions/${page.searchParams.get('interaction')}`);
    expect((await other.exchange(callback, request.checks)).claims()).toMatchObject({ sub: bob.id });
  });

  it('lets a browser that comes from another site send the session cookie', async () => {
    const { browser, address } = await application.start(ada);
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const page = await browser.get(address, { headers });
    expect([page.status, page.headers.get('location')]).toEqual([200, null]);
    expect(page.body).toContain(`url=${(app.config.baseUrl + address).replaceAll('&', '&amp;')}`);
  });

  it('rejects an authorization request without PKCE', async () => {
    const request = await application.start(ada);
    const callback = await request.open(request.address.replace(/code_challenge=[^&]*&?/, ''));
    expect([callback.origin, callback.searchParams.get('error')]).toEqual(['https://app.example.com', 'invalid_request']);
  });

  it('returns errors of prompt=none and of a denial to the application', async () => {
    const none = await (await application.start(null, { prompt: 'none' })).open();
    expect(none.searchParams.get('error')).toBe('login_required');
    const asked = await application.start(ada, { prompt: 'consent' });
    const id = (await asked.open()).searchParams.get('interaction');
    const { body } = await asked.browser.post(`/v1/oauth/interactions/${id}/denial`);
    const denied = await asked.open(new URL(body.data.redirectTo).pathname);
    expect(denied.searchParams.get('error')).toBe('access_denied');
  });

  it.each([
    ['before the sign-in', () => null],
    ['of a user who signed out to use another account', () => ada],
  ])('returns a denial %s to the application', async (_, user) => {
    const request = await application.start(user(), { prompt: 'consent' });
    const page = await request.open();
    const id = page.searchParams.get('interaction') ?? page.searchParams.get('returnTo')!.split('/').at(-1);
    request.browser.cookies = request.browser.cookies.replace(ada.token, 'ended');
    const { body } = await request.browser.post(`/v1/oauth/interactions/${id}/denial`);
    const denied = await request.open(new URL(body.data.redirectTo).pathname);
    expect(denied.searchParams.get('error')).toBe('access_denied');
  });

  it.each([
    ['organization', 'acme'],
    ['descendants', null],
  ])('names the organization on the sign-in page if the client signs in for one only (%s)', async (visibility, slug) => {
    const client = await OAuthApplication.create(app, acme, { visibility });
    const request = await client.start(null);
    const page = await request.open();
    expect(page.searchParams.get('organization')).toBe(slug);
    const again = await request.open(page.searchParams.get('returnTo')!);
    expect(again.searchParams.get('organization')).toBe(slug);
  });
});

describe('refresh tokens', () => {
  it('are rotated, and a second use ends the sign-in', async () => {
    const first = await application.signIn(ada);
    const second = await application.refresh(first.refresh_token);
    expect(second.claims()).toMatchObject({ sub: ada.id, org_id: acme });
    const other = await application.signIn(ada);

    expect(await refusal(application.refresh(first.refresh_token))).toBe('invalid_grant');
    expect(await refusal(application.refresh(second.refresh_token))).toBe('invalid_grant');
    expect((await application.introspect(second.access_token)).active).toBe(false);
    // Another sign-in of the same user goes on.
    expect((await application.introspect(other.access_token)).active).toBe(true);
    const { body } = await app.api.platform.get('/v1/organizations/acme/events?type=security.suspicious_activity').expect(200);
    expect(body.data[0].data).toMatchObject({ rule: 'oauth_token_reused', signals: { clientId: application.clientId } });
  });

  it('stay valid after a request that fails', async () => {
    const { refresh_token: token } = await application.signIn(ada);
    expect(await refusal(application.refresh(token, { resource: 'https://unknown.example.com' }))).toBe('invalid_target');
    expect((await application.refresh(token)).claims()).toMatchObject({ sub: ada.id });
  });

  it('end also if they are issued while a second use ends the sign-in', async () => {
    const first = await application.signIn(ada);
    const second = await application.refresh(first.refresh_token);
    const [used, issued] = [hashToken(second.refresh_token!), hashToken('the next refresh token')];
    const exchange = app.app.get(DataSource).createQueryRunner();
    await exchange.startTransaction();
    await exchange.query('UPDATE oauth_artifacts SET consumed_at = now() WHERE id_hash = $1', [used]);
    const reuse = refusal(application.refresh(first.refresh_token));
    // On Citus, the row is on a worker.
    const locks = process.env['TEST_CITUS'] ? 'citus_locks' : 'pg_locks';
    const isWaiting = async (): Promise<boolean> =>
      (await app.database.query(`SELECT 1 FROM ${locks} WHERE NOT granted AND locktype = 'transactionid'`)).length > 0;
    await eventually(isWaiting, 10_000, 'the second use waits for the exchange');
    await exchange.query(
      `INSERT INTO oauth_artifacts (id_hash, tenant_id, kind, payload, sign_in_id, expires_at)
       SELECT $2, tenant_id, kind, payload, sign_in_id, expires_at FROM oauth_artifacts WHERE id_hash = $1`,
      [used, issued],
    );
    await exchange.commitTransaction();
    await exchange.release();
    expect(await reuse).toBe('invalid_grant');
    expect(await app.database.query('SELECT FROM oauth_artifacts WHERE id_hash = ANY ($1)', [[used, issued]])).toEqual([]);
  });
});

const clients = '/v1/organizations/acme/oauth-clients';
const create = async (fields: object): Promise<TestBody> =>
  (await app.api.platform.post(clients, { name: 'Client', ...fields }).expect(201)).body.data;
const own = () => ({ resources: [{ identifier: app.config.baseUrl, scopes: ['users:read'] }] });

/** Calls an endpoint. Returns the error, or `ok`. */
async function call(path: string, parameters: Record<string, string>, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(app.url + path, { method: 'POST', body: new URLSearchParams(parameters), headers });
  const text = await response.text();
  return response.ok ? 'ok' : (JSON.parse(text) as { error: string }).error;
}

describe('the endpoints for clients', () => {
  const NETWORK = { allowedNetworks: ['198.51.100.0/24'] };
  const INSIDE = { 'x-forwarded-for': '198.51.100.7' };
  const OUTSIDE = { 'x-forwarded-for': '203.0.113.9' };
  const basic = (id: string, secret: string) => ({ authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` });

  type Proof = () => Promise<{ parameters: Record<string, string>; headers?: Record<string, string> }>;
  const clientsByProof: Record<string, () => Promise<{ id: string; proof: Proof }>> = {
    'a secret': async () => {
      const { id, secret } = await create({ type: 'machine', ...own(), ...NETWORK });
      return { id, proof: async () => ({ parameters: {}, headers: basic(id, secret) }) };
    },
    'a private key': async () => {
      const { publicKey, privateKey } = await generateKeyPair('ES256');
      const keys = { authentication: 'private_key_jwt', jwks: { keys: [await exportJWK(publicKey)] } };
      const { id } = await create({ type: 'machine', ...keys, ...own(), ...NETWORK });
      const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      const assertion = () =>
        new SignJWT({ iss: id, sub: id, aud: app.config.baseUrl, jti: crypto.randomUUID() })
          .setProtectedHeader({ alg: 'ES256' })
          .setExpirationTime('1m')
          .sign(privateKey);
      return { id, proof: async () => ({ parameters: { client_assertion_type: type, client_assertion: await assertion() } }) };
    },
    'no secret': async () => {
      const { id } = await create({ type: 'single_page', redirectUris: [CALLBACK], consent: 'skipped', ...NETWORK });
      return { id, proof: async () => ({ parameters: { client_id: id } }) };
    },
  };

  it.each(Object.keys(clientsByProof))('accept a client with %s only from its networks, and record its use', async (kind) => {
    const { id, proof } = await clientsByProof[kind]!();
    const send = async (path: string, fields: Record<string, string>, from: Record<string, string>) => {
      const { parameters, headers } = await proof();
      return call(path, { ...fields, ...parameters }, { ...headers, ...from });
    };
    let grant: Record<string, string> = { grant_type: 'client_credentials', resource: app.config.baseUrl, scope: 'users:read' };
    if (kind === 'no secret') {
      const request = await (await OAuthApplication.with(app, id, null)).start(ada);
      const code = (await request.finish()).searchParams.get('code')!;
      grant = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: request.checks.verifier };
    }
    const endpoints: [string, Record<string, string>][] = [
      ['/oauth/token', grant],
      ['/oauth/introspect', { token: 'unknown' }],
      ['/oauth/revoke', { token: 'unknown' }],
    ];
    for (const [path, fields] of endpoints) expect([path, await send(path, fields, OUTSIDE)]).toEqual([path, 'invalid_client']);
    expect((await app.api.platform.get(`${clients}/${id}`)).body.data.lastUsedAt).toBeNull();
    for (const [path, fields] of endpoints) expect([path, await send(path, fields, INSIDE)]).toEqual([path, 'ok']);
    const lastUseOf = async (path: string) => (await app.api.platform.get(`${clients}/${id}${path}`)).body.data;
    await eventually(async () => (await lastUseOf('')).lastUsedAt !== null, 5_000, 'the use is recorded');
    if (kind === 'a secret')
      await eventually(
        async () => (await lastUseOf('/secrets'))[0].lastUsedAt !== null,
        5_000,
        'the use of the secret is recorded',
      );
  });

  it('can be called by pages of registered origins only, without cookies', async () => {
    const ORIGIN = 'https://spa.example.com';
    const { id } = await create({ type: 'single_page', redirectUris: [CALLBACK], origins: [ORIGIN], consent: 'skipped' });
    const spa = await OAuthApplication.with(app, id, null);
    const tokens = await spa.signIn(ada);
    const bearer = { authorization: `Bearer ${tokens.access_token}` };
    const allowedFor = async (
      path: string,
      origin: string | undefined,
      init: RequestInit & { headers?: Record<string, string> },
    ) => {
      const headers = { ...init.headers, ...(origin === undefined ? {} : { origin }) };
      const response = await fetch(app.url + path, { ...init, headers });
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      return [response.ok, response.headers.get('access-control-allow-origin')];
    };
    const form = (fields: Record<string, string>) => ({
      method: 'POST',
      body: new URLSearchParams({ client_id: id, ...fields }),
    });
    const refresh = () => form({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token! });
    const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } };
    const others = ['https://evil.example', `${ORIGIN}.evil.example`, 'http://spa.example.com', 'null'];
    for (const path of ['/oauth/token', '/oauth/userinfo', '/oauth/revoke', '/oauth/introspect'])
      for (const [origin, allowed] of [[ORIGIN, ORIGIN] as const, ...others.map((each) => [each, null] as const)])
        expect([path, origin, await allowedFor(path, origin, preflight)]).toEqual([path, origin, [true, allowed]]);
    const calls: [string, () => RequestInit & { headers?: Record<string, string> }][] = [
      ['/oauth/userinfo', () => ({ headers: bearer })],
      ['/oauth/revoke', () => form({ token: 'unknown' })],
      ['/oauth/token', refresh],
    ];
    for (const [path, init] of calls) {
      for (const other of others)
        expect([path, other, await allowedFor(path, other, init())]).toEqual([path, other, [false, null]]);
      expect([path, await allowedFor(path, ORIGIN, init())]).toEqual([path, [true, ORIGIN]]);
    }
    expect((await allowedFor('/oauth/userinfo', undefined, { headers: bearer }))[1]).toBeNull();
    await app.api.platform.patch(`${clients}/${id}`, { enabled: false }).expect(200);
    expect(await allowedFor('/oauth/token', ORIGIN, preflight)).toEqual([true, null]);
  });

  it('respond to usual requests, which the service handles itself, as the library does to others', async () => {
    const own = { identifier: app.config.baseUrl, scopes: ['members:read'] };
    const fields = { name: 'Usual', type: 'web', redirectUris: [CALLBACK], resources: [own] };
    const path = `/v1/organizations/${acme}/oauth-clients`;
    const { id, secret } = (await app.api.platform.post(path, fields).expect(201)).body.data;
    const application = await OAuthApplication.with(app, id, secret);
    const profile = await application.signIn(ada, { scope: 'openid offline_access profile email organization' });
    const api = await application.signIn(ada, { scope: 'openid members:read', resource: app.config.baseUrl });
    const basic = { authorization: `Basic ${btoa(`${id}:${secret}`)}` };
    const post = { client_id: id, client_secret: secret };

    const answerOf = async (address: string, init: RequestInit) => {
      const response = await fetch(app.url + address, init);
      const headers = [...response.headers].filter(([name]) => !['date', 'ratelimit', 'x-request-id'].includes(name));
      return { status: response.status, headers, body: await response.json() };
    };
    const bearer = { headers: { authorization: `Bearer ${profile.access_token}` } };
    const answer = await answerOf('/oauth/userinfo', bearer);
    expect(answer).toMatchObject({ status: 200, body: { sub: ada.id, email: ada.email, org_name: 'Acme', roles: ['admin'] } });
    expect(await answerOf('/oauth/userinfo?unusual=1', bearer)).toEqual(answer);
    for (const { access_token: token } of [profile, api])
      for (const [headers, credentials] of [
        [basic, {}],
        [{}, post],
      ] as const) {
        const send = (fields: Record<string, string>) =>
          answerOf('/oauth/introspect', { method: 'POST', headers, body: new URLSearchParams({ ...fields, ...credentials }) });
        const answer = await send({ token });
        expect(answer).toMatchObject({ status: 200, body: { active: true, sub: ada.id, client_id: id, token_type: 'Bearer' } });
        expect(await send({ token, unusual: '1' })).toEqual(answer);
      }
  });

  it('revoke the tokens of a sign-in at the request of its client only', async () => {
    const revoke = (by: OAuthApplication, token: string, hint: string) =>
      refusal(openid.tokenRevocation(by.configuration, token, { token_type_hint: hint }));
    const active = async (token: string) => (await application.introspect(token)).active;
    const other = await OAuthApplication.create(app, acme);
    const tokens = await application.signIn(ada);
    await revoke(other, tokens.access_token, 'access_token');
    await revoke(other, tokens.refresh_token!, 'refresh_token');
    expect([await active(tokens.access_token), await active(tokens.refresh_token!)]).toEqual([true, true]);
    // Either token ends the sign-in with all its tokens; the hint can be wrong.
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const { access_token: access, refresh_token: refresh = '' } = await application.signIn(ada);
      expect(await revoke(application, kind === 'access_token' ? access : refresh, 'refresh_token')).toBeUndefined();
      expect([await active(access), await refusal(application.refresh(refresh))]).toEqual([false, 'invalid_grant']);
    }
    expect(await active(tokens.access_token)).toBe(true);
  });
});

describe('a client', () => {
  it('gets ID tokens that are signed with RS256 if it asks for them', async () => {
    const client = await OAuthApplication.create(app, acme, { idTokenAlgorithm: 'RS256' });
    const tokens = await client.signIn(ada);
    expect(decodeProtectedHeader(tokens.id_token!).alg).toBe('RS256');
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', app.url));
    await jwtVerify(tokens.id_token!, keys, { issuer: app.config.baseUrl, audience: client.clientId, algorithms: ['RS256'] });
    expect((await client.refresh(tokens.refresh_token)).claims()).toMatchObject({ sub: ada.id });
  });

  it('is flagged and disabled when its owner loses the permissions that it has', async () => {
    const check = async () => {
      while (await app.app.get(ClientOwnerCheckService).run());
    };
    await app.api.platform.patch('/v1/organizations/acme', { settings: { disableFlaggedApiKeys: true } }).expect(200);
    const permissions = ['oauth_clients:*', 'organizations:read', 'users:read'];
    const role = (await app.api.platform.post('/v1/organizations/acme/roles', { name: 'Maker', permissions }).expect(201)).body
      .data;
    const change = (kept: string[]) =>
      app.api.platform.patch(`/v1/organizations/acme/roles/${role.id}`, { permissions: kept }).expect(200);
    const owner = await signedIn(app, acme, { roles: ['Maker'] });
    const { body } = await owner.client.post(clients, { name: 'Sync', type: 'machine', ...own() }).expect(201);
    const { id, secret } = body.data;
    const { configuration } = await OAuthApplication.with(app, id, secret);
    const token = () => openid.clientCredentialsGrant(configuration, { resource: app.config.baseUrl, scope: 'users:read' });
    const { access_token: issued } = await token();
    const users = () => app.api.as(issued).get('/v1/organizations/acme/users');
    const shown = async () => (await app.api.platform.get(`${clients}/${id}`)).body.data;
    await change(permissions.slice(0, 2));
    await check();
    expect(await shown()).toMatchObject({ flag: 'permissions_lost', disabled: true, ownerId: owner.id });
    expect([await refusal(token()), (await users()).status]).toEqual(['invalid_client', 401]);
    await change(permissions);
    await check();
    expect(await shown()).toMatchObject({ flag: null, disabled: false });
    expect([await refusal(token()), (await users()).status]).toEqual([undefined, 200]);
    expect(await app.eventTypes()).toContain('oauth_client.flagged');
  });
});

describe('a request for a sign-in', () => {
  it('starts with the sign-up if the application asks for it', async () => {
    await application.signIn(ada);
    for (const user of [ada, null]) {
      const request = await application.start(user, { prompt: 'create' });
      const page = await request.open();
      expect([page.pathname, page.searchParams.get('returnTo')]).toEqual([
        '/account/sign-up',
        expect.stringMatching(/^\/oauth\/interactions\//),
      ]);
      // The session of a user who signs up begins after the request.
      const { token } = await openSession(app, ada, { at: acme });
      request.browser.cookies = `${request.browser.cookies}; ${app.config.serviceName}-session=${token}`;
      const callback = await request.open(page.searchParams.get('returnTo')!);
      expect((await application.exchange(callback, request.checks)).claims()).toMatchObject({ sub: ada.id });
    }
  });
});

describe('the OpenAPI document of the endpoints', () => {
  it('has the paths of the discovery document, and describes real responses', async () => {
    const document = await generatedDocument();
    const [operations, schemas] = [oauthOperationsOf(document), new ResponseSchemas(document)];
    const request = await application.start(ada, { scope: 'openid profile email phone organization offline_access' });
    const { code } = Object.fromEntries((await request.finish()).searchParams) as { code: string };
    const client = await OAuthApplication.create(app, acme, { authentication: 'client_secret_post' });
    const { body: secret } = await app.api.platform.post(
      `/v1/organizations/acme/oauth-clients/${application.clientId}/secrets`,
      {},
    );
    const basic = { authorization: `Basic ${btoa(`${application.clientId}:${secret.data.secret}`)}` };

    const send = async (id: string, form?: Record<string, string>, headers: Record<string, string> = {}): Promise<TestBody> => {
      const { method, path, ...operation } = operations.find((each) => each.id === id)!;
      const type: Record<string, string> = form ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
      const body = form && new URLSearchParams(form).toString();
      const response = await app.api.anonymous.raw(method, path, body, { ...type, ...headers });
      const mediaType = (response.headers.get('content-type') ?? '').split(';', 1)[0]!;
      // Express adds an unused body to redirects.
      const shown = response.status === 303 ? undefined : response.body;
      const problems = schemas.problemsOfResponse(operation as Operation, response.status, mediaType, shown);
      expect([id, response.status, problems]).toEqual([id, response.status, []]);
      expect(response.headers.get('ratelimit-policy')).not.toBeNull();
      return { status: response.status, ...response.body };
    };

    const exchange = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: request.checks.verifier };
    const tokens = await send('requestToken', exchange, basic);
    const bearer = { authorization: `Bearer ${tokens.access_token}` };
    const active = { status: 200, active: true, sub: ada.id, client_id: application.clientId };
    for (const token of [tokens.access_token, tokens.refresh_token])
      expect(await send('introspectToken', { token }, basic)).toMatchObject(active);
    expect(await send('introspectToken', { token: 'unknown' }, basic)).toEqual({ status: 200, active: false });
    for (const [id, form] of [['getUserinfo'], ['getUserinfoWithPost', {}]] as const)
      expect(await send(id, form, bearer)).toMatchObject({ status: 200, sub: ada.id, email: ada.email });
    expect(await send('getUserinfo')).toMatchObject({ status: 401, error: 'invalid_token' });
    expect(await send('getUserinfoWithPost', { access_token: 'x' }, bearer)).toMatchObject({ status: 400 });
    expect(await send('revokeToken', { token: tokens.refresh_token }, basic)).toEqual({ status: 200 });
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect(await send('requestToken', refresh, basic)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await send('requestToken', { client_id: client.clientId, ...refresh })).toMatchObject({
      status: 401,
      error: 'invalid_client',
    });
    for (const id of ['introspectToken', 'revokeToken'])
      expect(await send(id, {}, basic)).toMatchObject({ status: 400, error: 'invalid_request' });
    for (const id of ['getProtectedResource', 'authorize', 'authorizeWithForm', 'logOut', 'logOutWithForm'])
      await send(id, id.endsWith('Form') ? { state: 'x' } : undefined, { accept: 'text/html' });

    await app.api.platform.patch('/v1/organizations/acme', { settings: { dynamicClientRegistration: true } }).expect(200);
    const found = await send('getOpenidConfiguration');
    expect(await send('getAuthorizationServer')).toEqual(found);
    const addresses = Object.entries(found).filter(([name]) => /_endpoint$|_uri$/.test(name));
    const paths = operations.map(({ path }) => path).filter((path) => path.startsWith('/oauth/'));
    expect(new Set(addresses.map(([, address]) => new URL(String(address)).pathname))).toEqual(
      new Set([...paths, '/.well-known/jwks.json']),
    );
    expect(document.paths).toHaveProperty(['/.well-known/jwks.json']);
  });
});
