import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import * as openid from 'openid-client';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { type Listener, listenTcp } from '../support/local-receiver.js';
import { CALLBACK, OAuthApplication, refusal, startIssuer } from '../support/oauth-application.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';

// What attackers try with tokens and as administrators of clients. `oauth-attacks.spec.ts` has the attacks in the browser of a user.
const API = 'https://api.example.com';
const EVIL = 'https://evil.example';

let app: TestApp;
let acme: string;
let foreign: string;
let north: string;
let application: OAuthApplication;
let ada: SignedIn;

const create = async (path: string, body: object): Promise<TestBody> =>
  (await app.api.platform.post(path, body).expect(201)).body.data;
const organization = async (name: string, parentId?: string): Promise<string> =>
  (await create('/v1/organizations', { name, parentId })).id;
const own = (...scopes: string[]) => ({ resources: [{ identifier: app.config.baseUrl, scopes }] });

beforeAll(async () => {
  app = await startIssuer({ webhookAllowedNetworks: [] });
  acme = await organization('Acme');
  north = await organization('North', acme);
  const scopes = [{ name: 'invoices:read' }, { name: 'invoices:write' }];
  await create(`/v1/organizations/${acme}/oauth-resources`, { identifier: API, name: 'Invoices', scopes });
  foreign = 'https://orders.example.com/v1';
  await create(`/v1/organizations/${await organization('Other')}/oauth-resources`, {
    identifier: foreign,
    name: 'Other',
    scopes,
  });
  application = await OAuthApplication.create(app, north, {
    resources: [{ identifier: API, scopes: ['invoices:read'] }],
    postLogoutRedirectUris: [`${CALLBACK}/bye`],
  });
  ada = await signedIn(app, north, { roles: ['admin'] });
});

afterAll(() => app?.close());

describe('a token for another purpose', () => {
  it('is accepted neither by the API, nor for the profile, nor for the sign-out', async () => {
    const tokens = await application.signIn(ada, { scope: 'openid invoices:read', resource: API });
    const plain = await application.signIn(ada);
    const unsigned = new UnsecuredJWT({ iss: app.config.baseUrl, aud: application.clientId, sub: ada.id, exp: 4e9 }).encode();
    const kinds = {
      'the ID token': tokens.id_token,
      'the token for another API': tokens.access_token,
      'the refresh token': tokens.refresh_token,
      'a token without a signature': unsigned,
      'the token for the profile': plain.access_token,
    };
    for (const [kind, token] of Object.entries(kinds)) {
      const api = app.api.as(token!);
      const [users, profile] = [await api.get(`/v1/organizations/${north}/users`), await api.get('/oauth/userinfo')];
      const isForProfile = kind === 'the token for the profile';
      expect([kind, users.status, profile.status]).toEqual([kind, 401, isForProfile ? 200 : 401]);
      if (kind === 'the ID token') continue;
      expect([kind, (await ended({ id_token_hint: token! })).status]).toEqual([kind, 400]);
    }
  });

  it.each<[string, () => string, number]>([
    ['an API', () => API, 409],
    ['an API with a slash', () => `${API}/`, 409],
    ['an API in capitals', () => API.toUpperCase(), 409],
    ['an API with its port', () => `${API}:443`, 409],
    ['an API with encoded characters', () => API.replace('api', '%61pi'), 409],
    ['an API of another tenant', () => foreign, 409],
    ['an address of this service', () => `${app.config.baseUrl}/v1`, 409],
    ['a client', () => application.clientId, 409],
    ['an API that is not registered', () => `${API}/other`, 201],
  ])('is issued to a session for %s only if OAuth has no tokens for it', async (_, audience, status) => {
    const { body } = await ada.client.post('/v1/auth/token', { audience: audience() }).expect(status);
    if (status === 409)
      expect(body).toMatchObject({ code: 'audience_reserved', detail: expect.not.stringMatching(/Invoices|Other/) });
    else {
      const other = { identifier: `${audience()}/`, name: 'Other', scopes: [{ name: 'a' }] };
      await create(`/v1/organizations/${acme}/oauth-resources`, other);
      await ada.client.post('/v1/auth/token', { audience: audience() }).expect(409);
      const same = { ...other, identifier: audience() };
      await app.api.platform.post(`/v1/organizations/${north}/oauth-resources`, same).expect(409);
    }
  });

  it.each<[string, () => Record<string, string>]>([
    ['elsewhere', () => ({ post_logout_redirect_uri: EVIL })],
    ['to a redirect URI', () => ({ post_logout_redirect_uri: CALLBACK })],
    ['to a longer address', () => ({ post_logout_redirect_uri: `${CALLBACK}/bye/..//evil.example` })],
    ['for an unknown client', () => ({ client_id: 'app_unknown', post_logout_redirect_uri: `${CALLBACK}/bye` })],
    ['without a client', () => ({ client_id: '', post_logout_redirect_uri: `${CALLBACK}/bye` })],
  ])('and a sign-out never leads %s', async (_, parameters) => {
    for (const user of [ada, null]) {
      const { status, headers } = await ended({ client_id: application.clientId, ...parameters() }, user);
      expect([status, headers.get('location')]).toEqual([400, null]);
    }
    await ada.client.get('/v1/auth/me').expect(200);
  });

  const ended = async (parameters: Record<string, string>, user: SignedIn | null = ada) =>
    (await application.start(user)).browser.get(`/oauth/logout?${new URLSearchParams(parameters)}`);
});

describe('the proof of a client', () => {
  let canary: Listener;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  beforeAll(async () => {
    canary = await listenTcp((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"keys":[]}'));
    keys = await generateKeyPair('ES256', { extractable: true });
  });
  afterAll(() => canary.close());

  const machine = (fields: object) =>
    create(`/v1/organizations/${north}/oauth-clients`, {
      name: 'Sync',
      type: 'machine',
      authentication: 'private_key_jwt',
      ...own('users:read'),
      ...fields,
    });
  const claimsOf = (id: string) => ({
    iss: id,
    sub: id,
    aud: app.config.baseUrl,
    jti: openid.randomState(),
    exp: Date.now() / 1_000 + 60,
  });
  const signed = (
    claims: ReturnType<typeof claimsOf>,
    key: typeof keys.privateKey | Uint8Array = keys.privateKey,
    alg = 'ES256',
  ) => new SignJWT({ ...claims, exp: Math.floor(claims.exp) }).setProtectedHeader({ alg }).sign(key);
  const tokenOf = async (client_assertion: string) => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      resource: app.config.baseUrl,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion,
    });
    const response = await fetch(new URL('/oauth/token', app.url), { method: 'POST', body });
    return ((await response.json()) as { error?: string }).error ?? response.status;
  };

  it('is used once, by this client, for this service and with the registered key', async () => {
    const jwks = { keys: [await exportJWK(keys.publicKey)] };
    const [{ id }, second] = [await machine({ jwks }), await machine({ jwks })];
    const once = await signed(claimsOf(id));
    expect(await Promise.all([tokenOf(once), tokenOf(await signed(claimsOf(second.id)))])).toEqual([200, 200]);
    expect(await tokenOf(once)).toBe('invalid_client');
    const publicKey = new TextEncoder().encode(JSON.stringify(jwks.keys[0]));
    const forged: Record<string, string> = {
      'of nobody': new UnsecuredJWT(claimsOf(id)).encode(),
      'signed with the public key': await signed(claimsOf(id), publicKey, 'HS256'),
      'of another key': await signed(claimsOf(id), (await generateKeyPair('ES256')).privateKey),
      'for another server': await signed({ ...claimsOf(id), aud: EVIL }),
      'of another client': await signed({ ...claimsOf(id), iss: second.id }),
      'that has expired': await signed({ ...claimsOf(id), exp: 1 }),
    };
    for (const [kind, assertion] of Object.entries(forged))
      expect([kind, await tokenOf(assertion)]).toEqual([kind, 'invalid_client']);
  });

  it('makes the service connect to no internal address', async () => {
    const uri = `http://127.0.0.1:${canary.port}/`;
    const { id } = await machine({ jwksUri: uri });
    expect(await tokenOf(await signed(claimsOf(id)))).toBe('invalid_client');
    const links = { logoUri: uri, homePageUri: uri, termsUri: uri, privacyUri: uri };
    await (await OAuthApplication.create(app, north, links)).signIn(ada);
    const settings = { clientIdMetadataDomains: ['inside.localhost'] };
    await app.api.platform.patch(`/v1/organizations/${north}`, { settings }).expect(200);
    const described = await OAuthApplication.with(app, `https://inside.localhost:${canary.port}/client.json`, null);
    const { browser, address } = await described.start(ada);
    expect(String((await browser.get(address)).body)).toContain('could not be fetched');
    expect(canary.connectionCount()).toBe(0);
  });
});

describe('an access token that is bound to a key', () => {
  type Claims = Record<string, unknown>;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let token: string;
  let credentials: string;
  const path = () => `/v1/organizations/${north}/members`;

  /** A proof for a GET request with the token. */
  const proofOf = async (changed: Claims = {}, header: Claims = {}, key = keys): Promise<string> => {
    const ath = createHash('sha256').update(token).digest('base64url');
    const claims = { htm: 'GET', htu: `${app.config.baseUrl}${path()}`, ath, jti: openid.randomState(), iat: now() };
    const protectedHeader = { alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(key.publicKey), ...header };
    return new SignJWT({ ...claims, ...changed }).setProtectedHeader(protectedHeader).sign(key.privateKey);
  };
  const now = () => Math.floor(Date.now() / 1_000);
  const call = async (proof: string | undefined, scheme = 'DPoP'): Promise<[number, string?]> => {
    const headers = { authorization: `${scheme} ${token}`, ...(proof === undefined ? {} : { dpop: proof }) };
    const response = await fetch(`${app.url}${path()}?limit=1`, { headers });
    const { code } = (await response.json()) as { code?: string };
    return code === undefined ? [response.status] : [response.status, code];
  };
  const request = async (proof: string | undefined): Promise<{ access_token?: string; error?: string; token_type?: string }> => {
    const headers = { authorization: `Basic ${credentials}`, ...(proof === undefined ? {} : { dpop: proof }) };
    const form = { grant_type: 'client_credentials', resource: app.config.baseUrl, scope: 'members:read' };
    const response = await fetch(`${app.url}/oauth/token`, { method: 'POST', headers, body: new URLSearchParams(form) });
    return (await response.json()) as { access_token?: string };
  };

  beforeAll(async () => {
    keys = await generateKeyPair('ES256', { extractable: true });
    const client = { name: 'Sync', type: 'machine', dpopBoundAccessTokens: true, ...own('members:read') };
    const { id, secret } = await create(`/v1/organizations/${north}/oauth-clients`, client);
    credentials = btoa(`${id}:${secret}`);
    token = '';
    const proof = await proofOf({ htm: 'POST', htu: `${app.config.baseUrl}/oauth/token` });
    expect((await request(undefined)).error).toBe('invalid_grant');
    const tokens = await request(proof);
    expect(tokens.token_type).toBe('DPoP');
    token = tokens.access_token!;
    // A proof works once, and never at another endpoint.
    for (const used of [proof, await proofOf()]) expect((await request(used)).error).toMatch(/^invalid_(?:grant|dpop_proof)$/);
  });

  it('is accepted with a new proof of the key for each request', async () => {
    const { cnf, token_type: type } = await openid
      .tokenIntrospection(await confidential(), token)
      .then((body) => body as { cnf?: unknown; token_type?: string });
    expect([cnf, type]).toEqual([{ jkt: await calculateJwkThumbprint(await exportJWK(keys.publicKey)) }, 'DPoP']);
    const proof = await proofOf();
    expect([await call(proof), await call(proof)]).toEqual([[200], [401, 'invalid_dpop_proof']]);
    const twice = await proofOf();
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => call(twice)));
    expect(outcomes.map(([status]) => status).toSorted()).toEqual([200, 401, 401, 401]);
  });

  it.each<[string, () => Promise<string | undefined>]>([
    ['without a proof', async () => undefined],
    ['for another method', () => proofOf({ htm: 'POST' })],
    ['for another address', () => proofOf({ htu: `${app.config.baseUrl}/v1/organizations/${acme}/members` })],
    ['for another host', () => proofOf({ htu: `${EVIL}${path()}` })],
    ['for another token', () => proofOf({ ath: 'x' })],
    ['for no token', () => proofOf({ ath: undefined })],
    ['that is old', () => proofOf({ iat: now() - 120 })],
    ['from the future', () => proofOf({ iat: now() + 120 })],
    ['without a time', () => proofOf({ iat: undefined })],
    ['without an id', () => proofOf({ jti: undefined })],
    ['of another key', async () => proofOf({}, {}, await generateKeyPair('ES256', { extractable: true }))],
    [
      'with the key in the header only',
      async () => proofOf({}, { jwk: await exportJWK(keys.publicKey) }, await generateKeyPair('ES256')),
    ],
    ['with the private key in the header', async () => proofOf({}, { jwk: await exportJWK(keys.privateKey) })],
    ['of another type', () => proofOf({}, { typ: 'JWT' })],
    ['that is not signed', async () => new UnsecuredJWT({ htm: 'GET' }).encode()],
  ])('is refused with a proof %s', async (_title, proof) => {
    expect(await call(await proof())).toEqual([401, 'invalid_dpop_proof']);
  });

  it('is refused as Bearer, and a token without a key as DPoP', async () => {
    expect(await call(await proofOf(), 'Bearer')).toEqual([401, 'invalid_dpop_proof']);
    const unbound = await OAuthApplication.create(app, north, own('members:read'));
    const bound = token;
    token = (await unbound.signIn(ada, { scope: 'openid members:read', resource: app.config.baseUrl })).access_token;
    expect([await call(undefined, 'Bearer'), await call(await proofOf())]).toEqual([[200], [401, 'invalid_dpop_proof']]);
    token = bound;
  });

  const confidential = async () => {
    const [id = '', secret = ''] = atob(credentials).split(':');
    return (await OAuthApplication.with(app, id, secret)).configuration;
  };
});

describe('access that ends', () => {
  const end = (path: string) => app.api.platform.delete(path).expect(204);
  const change = ({ clientId }: OAuthApplication, fields: object) =>
    app.api.platform.patch(`/v1/organizations/${acme}/oauth-clients/${clientId}`, fields).expect(200);
  const join = (home: string, userId: string) => create(`/v1/organizations/${home}/members`, { userId, role: 'member' });

  it('does not return with the membership', async () => {
    const home = await organization('Again', acme);
    const client = await OAuthApplication.create(app, acme);
    const user = await signedIn(app, north, { roles: ['member'] });
    await join(home, user.id);
    const parameters = { organization: home, scope: 'openid offline_access' };
    const tokens = await client.signIn(user, parameters);
    await end(`/v1/organizations/${home}/members/${user.id}`);
    await join(home, user.id);
    expect(await refusal(client.refresh(tokens.refresh_token))).toBe('invalid_grant');
    const silent = await client.start(user, { ...parameters, prompt: 'none' });
    expect((await silent.open()).searchParams.get('error')).toBe('consent_required');
  });

  it('shrinks at the next refresh with the scopes of the client and the roles of the user', async () => {
    const home = await organization('Shrinking', acme);
    const role = await create(`/v1/organizations/${home}/roles`, {
      name: 'Clerk',
      permissions: ['invoices:read', 'invoices:write'],
    });
    const client = await OAuthApplication.create(app, acme, {
      resources: [{ identifier: API, scopes: ['invoices:read', 'invoices:write'] }],
    });
    const user = await signedIn(app, home, { roles: ['Clerk'] });
    const first = await client.signIn(user, { scope: 'openid invoices:read invoices:write', resource: API });
    expect(decodeJwt(first.access_token)).toMatchObject({ permissions: ['invoices:read', 'invoices:write'] });
    await change(client, { resources: [{ identifier: API, scopes: ['invoices:read'] }] });
    const second = await client.refresh(first.refresh_token);
    expect(decodeJwt(second.access_token)).toMatchObject({ scope: 'invoices:read', permissions: ['invoices:read'] });
    expect(await refusal(client.refresh(second.refresh_token, { scope: 'openid email' }))).toBe('invalid_scope');
    await app.api.platform
      .patch(`/v1/organizations/${home}/roles/${role.id}`, { permissions: ['organizations:read'] })
      .expect(200);
    const third = await client.refresh(second.refresh_token);
    expect(decodeJwt(third.access_token)).toMatchObject({ roles: ['Clerk'], permissions: [] });
  });
});

describe('a client of a child organization', () => {
  it('signs in nobody of a sibling, and users of the parent only for the child', async () => {
    const south = await organization('South', acme);
    const client = await OAuthApplication.create(app, north, own('members:read'));
    const scope = 'openid members:read';
    const sibling = await (await client.start(await signedIn(app, south, { roles: ['owner'] }), { scope })).open();
    expect(sibling.searchParams.get('error')).toBe('access_denied');
    const owner = await signedIn(app, acme, { roles: ['owner'] });
    for (const place of [acme, south]) {
      const refused = await (await client.start(owner, { scope, organization: place })).open();
      expect(refused.searchParams.get('error')).toBe('access_denied');
    }
    const tokens = await client.signIn(owner, { scope, resource: app.config.baseUrl });
    expect(tokens.claims()).toMatchObject({ org_id: north });
    const api = app.api.as(tokens.access_token);
    await api.get(`/v1/organizations/${north}/members`).expect(200);
    for (const place of [acme, south]) expect((await api.get(`/v1/organizations/${place}/members`)).status).toBe(404);
  });
});

describe('an administrator without the power of a client', () => {
  it('can neither change it, nor get a secret of it, nor create such a client', async () => {
    const role = { name: 'Clients', permissions: ['oauth_clients:read', 'oauth_clients:write', 'organizations:read'] };
    await create(`/v1/organizations/${north}/roles`, role);
    const weak = await signedIn(app, north, { roles: ['Clients'] });
    const clients = `/v1/organizations/${north}/oauth-clients`;
    const strong = await create(clients, { name: 'Sync', type: 'machine', ...own('users:write', 'roles:write') });
    const { clientId } = await OAuthApplication.create(app, north, own('users:write'));
    await weak.client.post(`${clients}/${strong.id}/secrets`, {}).expect(403);
    await weak.client.patch(`${clients}/${clientId}`, { redirectUris: [`${EVIL}/callback`] }).expect(403);
    await weak.client.patch(`${clients}/${clientId}`, { resources: [] }).expect(403);
    await weak.client.delete(`${clients}/${clientId}`).expect(403);
    await weak.client.post(clients, { name: 'X', type: 'machine', ...own('users:write') }).expect(403);
    await weak.client.post(clients, { name: 'X', type: 'machine' }).expect(201);
  });

  it('gives the client no more than the own permissions, also not through roles', async () => {
    const role = { name: 'Limited', permissions: ['oauth_clients:*', 'organizations:read', 'roles:*', 'users:*', 'members:*'] };
    await create(`/v1/organizations/${north}/roles`, role);
    const limited = await signedIn(app, north, { roles: ['Limited'] });
    const { body } = await limited.client
      .post(`/v1/organizations/${north}/oauth-clients`, {
        name: 'Sync',
        type: 'machine',
        ...own('roles:write', 'users:write', 'members:write'),
      })
      .expect(201);
    const { configuration } = await OAuthApplication.with(app, body.data.id, body.data.secret);
    const parameters = { resource: app.config.baseUrl, scope: 'roles:write users:write members:write' };
    const { access_token: token } = await openid.clientCredentialsGrant(configuration, parameters);
    const api = app.api.as(token);
    await api.post(`/v1/organizations/${north}/roles`, { name: 'All', permissions: ['*'] }).expect(403);
    await api.post(`/v1/organizations/${north}/users`, { email: 'new-owner@example.com', roles: ['owner'] }).expect(403);
    await api.post(`/v1/organizations/${acme}/users`, { email: 'above@example.com' }).expect(404);
    await api.post(`/v1/organizations/${north}/oauth-clients`, { name: 'X', type: 'machine' }).expect(403);
  });
});
