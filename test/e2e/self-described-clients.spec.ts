import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import type { RequestOptions } from '../support/http-client.js';
import { from, later } from '../support/sign-in.js';
import { type Listener, listenHttp, listenHttps, selfSignedCertificate } from '../support/local-receiver.js';
import { CALLBACK, OAuthApplication, refusal, startIssuer } from '../support/oauth-application.js';
import { at, made, newOrganization } from '../support/organizations.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { sized } from '../support/test-size.js';

let app: TestApp;
let acme: string;
let ada: SignedIn;
let documents: Listener;
let inside: Listener;
/** The documents that the server of the application has, by path. */
const served = new Map<string, { status?: number; headers?: Record<string, string>; body: string }>();
/** A domain whose limit of requests is used up. */
const BUSY = 'busy.localhost';
const { createSecureContext } = tls;

beforeAll(async () => {
  app = await startIssuer({ trustProxy: ['loopback'] });
  acme = (await newOrganization(app, { name: 'Acme' })).id;
  ada = await signedIn(app, acme, { roles: ['admin'] });
  const certificate = selfSignedCertificate('client.localhost', BUSY);
  // The service trusts the certificate of the document, as NODE_EXTRA_CA_CERTS would.
  tls.createSecureContext = (options = {}) =>
    createSecureContext({ ...options, ca: options.ca ?? [...tls.rootCertificates, certificate.cert] });
  documents = await listenHttps(certificate, ({ url = '' }, response) => {
    const { status = 200, headers = {}, body } = served.get(url) ?? { status: 404, body: '' };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  inside = await listenHttp((_, response) => response.end());
});

afterAll(async () => {
  tls.createSecureContext = createSecureContext;
  await documents?.close();
  await inside?.close();
  await app?.close();
});

const allow = (settings: object) => app.api.platform.patch(at(acme), { settings }).expect(200);
const addressOf = (path: string, host = 'client.localhost') => `https://${host}:${documents.port}${path}`;
const METADATA = { client_name: 'Assistant', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };

/** Puts a document at a path. Returns its address. */
function publish(path: string, changes: object = {}, headers: Record<string, string> = {}, host?: string): string {
  const client_id = addressOf(path, host);
  served.set(path, { body: JSON.stringify({ client_id, ...METADATA, ...changes }), headers });
  return client_id;
}

const clientWith = (id: string) => OAuthApplication.with(app, id, null);

/** Returns the text of the page with which an authorization request ends. */
async function failure(clientId: string): Promise<string> {
  const { browser, address } = await (await clientWith(clientId)).start(ada);
  const { status, body } = await browser.get(address);
  expect(status).toBe(400);
  return String(body);
}

const register = (body: object = METADATA, options: RequestOptions = {}) =>
  app.api.anonymous.post('/oauth/register', body, options);
/** Returns how many rows the tables have, and how many bytes they use. */
const sizes = async (): Promise<unknown> =>
  app.database.query(
    `SELECT (SELECT count(*) FROM oauth_clients) AS clients, (SELECT count(*) FROM oauth_artifacts) AS artifacts,
       (SELECT count(*) FROM token_hashes) AS hashes, (SELECT count(*) FROM events) AS events,
       (SELECT sum(pg_total_relation_size(c))::int FROM unnest(ARRAY['oauth_clients', 'oauth_artifacts', 'token_hashes']::regclass[]) c) AS bytes`,
  );

describe('client ID metadata documents', () => {
  it('are not accepted before an organization allows the domain', async () => {
    const before = documents.connectionCount();
    expect(await failure(publish('/off.json'))).toContain('no organization allows applications of the domain client.localhost');
    expect(documents.connectionCount()).toBe(before);
    expect((await app.api.anonymous.get('/.well-known/oauth-authorization-server')).body).not.toHaveProperty(
      'client_id_metadata_document_supported',
    );
  });

  it('let a client sign users in, which is stored at the consent, and can be approved and revoked', async () => {
    await allow({ clientIdMetadataDomains: ['client.localhost'], applicationApproval: 'anyone' });
    const { body: metadata } = await app.api.anonymous.get('/.well-known/oauth-authorization-server');
    expect(metadata.client_id_metadata_document_supported).toBe(true);
    const client = await clientWith(publish('/assistant.json'));
    const before = await sizes();
    const request = await client.start(ada);
    const page = await request.open();
    const { body } = await request.browser.get(`/v1/oauth/interactions/${page.searchParams.get('interaction')}`);
    const application = {
      name: 'Assistant',
      registration: 'metadata_document',
      metadataHost: 'client.localhost',
      hasLogo: false,
    };
    expect(body.data.application).toMatchObject(application);
    expect(await sizes()).toMatchObject([{ clients: (before as { clients: string }[])[0]!.clients }]);
    const tokens = await client.exchange(await request.finish(), request.checks);
    expect(tokens.claims()).toMatchObject({ sub: ada.id, aud: client.clientId });
    const [grant] = (await app.api.platform.get(at(acme, '/oauth-grants')).expect(200)).body.data;
    expect(grant.application).toMatchObject(application);
    for (const audience of [client.clientId, client.clientId.replace('client.', 'CLIENT.')])
      await ada.client.post('/v1/auth/token', { audience }).expect(409, 'audience_reserved');

    await allow({ applicationApproval: 'approved' });
    expect(await refusal(client.refresh(tokens.refresh_token))).toBe('invalid_grant');
    const approval = await made(app, at(acme, '/application-approvals'), { clientId: client.clientId });
    expect(approval.metadataUri).toBe(client.clientId);
    expect((await client.refresh(tokens.refresh_token)).access_token).toBeDefined();
    await allow({ applicationApproval: 'anyone', clientIdMetadataDomains: ['other.example'] });
    expect(await refusal(client.userInfo(tokens, ada.id))).toBe('invalid_token');
  });

  it('take effect at the next authorization when they change', async () => {
    await allow({ clientIdMetadataDomains: ['client.localhost'] });
    const client = await clientWith(publish('/changing.json'));
    await client.signIn(ada);
    publish('/changing.json', { redirect_uris: ['https://elsewhere.example/callback'] });
    expect(await failure(client.clientId)).toContain('redirect_uri');
    // Users and owners recognize the application by its host, whatever name it chooses later.
    publish('/changing.json', { client_name: 'Acme payroll' }, { 'cache-control': 'max-age=600' });
    await client.signIn(ada);
    const { data } = (await ada.client.get('/v1/auth/oauth-grants').expect(200)).body;
    expect(data.map((grant: { application: object }) => grant.application)).toContainEqual(
      expect.objectContaining({ name: 'Acme payroll', metadataHost: 'client.localhost' }),
    );
    served.delete('/changing.json');
    await client.signIn(ada);
  });

  it('stay usable while requests for other documents of the domain are limited', async () => {
    await allow({ clientIdMetadataDomains: [BUSY] });
    const client = await clientWith(publish('/used.json', {}, {}, BUSY));
    await client.signIn(ada);
    for (let count = 0; count < 60; count++)
      await app.api.anonymous.get(`/oauth/authorize?client_id=${encodeURIComponent(addressOf(`/${count}.json`, BUSY))}`);
    expect(await failure(publish('/other.json', {}, {}, BUSY))).toContain('too many requests for documents of this domain');
    await client.signIn(ada);
  });

  it.each<[string, string, () => string]>([
    ['does not exist', 'status 404', () => addressOf('/missing.json')],
    [
      'redirects',
      'could not be fetched',
      () => {
        served.set('/redirect.json', { status: 302, headers: { location: `http://127.0.0.1:${inside.port}/` }, body: '' });
        return addressOf('/redirect.json');
      },
    ],
    ['is too large', 'larger than 16 kB', () => publish('/large.json', { padding: 'x'.repeat(20_000) })],
    ['has another client_id', 'is not the address', () => publish('/other.json', { client_id: addressOf('/assistant.json') })],
    ['has a secret', 'no client secret', () => publish('/secret.json', { client_secret: 'x' })],
    ['is no JSON', 'not a JSON object', () => (served.set('/text.json', { body: 'x' }), addressOf('/text.json'))],
    [
      'has a redirect URI without https',
      'must use https',
      () => publish('/http.json', { redirect_uris: ['http://app.example.com/'] }),
    ],
  ])('that %s lead to a clear error', async (_problem, text, address) => {
    await allow({ clientIdMetadataDomains: ['client.localhost'] });
    expect(await failure(address())).toContain(text);
    expect(inside.connectionCount()).toBe(0);
  });

  it('can’t have an address without https, or in another form', async () => {
    await allow({ clientIdMetadataDomains: ['client.localhost'] });
    for (const id of [
      `http://client.localhost:${documents.port}/assistant.json`,
      addressOf('/a/../assistant.json'),
      addressOf('/'),
    ])
      expect(await failure(id)).toContain('invalid_client');
  });
});

describe('dynamic registration', () => {
  it('is refused before an organization allows it', async () => {
    expect((await register()).status).toBe(403);
  });

  it('lets a client sign users in, which is stored at the consent, and manage its registration', async () => {
    await allow({ dynamicClientRegistration: true });
    const { body: metadata } = await app.api.anonymous.get('/.well-known/oauth-authorization-server');
    expect(metadata.registration_endpoint).toBe(`${app.config.baseUrl}/oauth/register`);
    const { status, body } = await register({ ...METADATA, token_endpoint_auth_method: 'client_secret_basic' });
    expect([status, body.token_endpoint_auth_method, body.client_secret]).toEqual([201, 'none', undefined]);
    const client = await clientWith(body.client_id);
    const tokens = await client.signIn(ada);
    expect(tokens.claims()).toMatchObject({ aud: body.client_id });

    const management = app.api.as(body.registration_access_token);
    const path = new URL(body.registration_client_uri).pathname;
    expect((await app.api.as('x').get(path)).status).toBe(401);
    const change = { ...METADATA, client_id: body.client_id, redirect_uris: ['https://elsewhere.example/callback'] };
    expect((await management.put(path, change)).body.redirect_uris).toEqual(change.redirect_uris);
    expect(await failure(body.client_id)).toContain('redirect_uri');
    expect((await management.delete(path)).status).toBe(204);
    expect(await refusal(client.refresh(tokens.refresh_token))).toBe('invalid_client');
    expect(await failure(body.client_id)).toContain('invalid_client');
  });

  it('expires within an hour if nobody uses the client, and ends with the setting', async () => {
    await allow({ dynamicClientRegistration: true });
    const { client_id: unused } = (await register()).body;
    const { client_id: used } = (await register()).body;
    const client = await clientWith(used);
    await client.signIn(ada);
    await later(app, 3_601_000, async () => {
      expect(await failure(unused)).toContain('invalid_client');
      const renewed = await signedIn(app, acme, { roles: ['member'] });
      expect((await client.signIn(renewed)).access_token).toBeDefined();
    });
    await allow({ dynamicClientRegistration: false });
    const refused = await (await client.start(ada)).finish();
    expect(refused.searchParams.get('error')).toBe('access_denied');
  });

  it.each([
    ['no redirect URI', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['a redirect URI without https', { redirect_uris: ['http://app.example.com/'] }, 'invalid_redirect_uri'],
    ['a script as redirect URI', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['another grant type', { grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    ['a name that is no text', { client_name: 1 }, 'invalid_client_metadata'],
  ])('rejects %s', async (_what, change, error) => {
    await allow({ dynamicClientRegistration: true });
    const { status, body } = await register({ ...METADATA, ...change });
    expect([status, body.error]).toEqual([400, error]);
  });

  it(
    'stores nothing, however many clients register from many addresses, and limits each address',
    async () => {
      await allow({ dynamicClientRegistration: true });
      const before = await sizes();
      const count = sized(150, 1_000, 100_000);
      const startedAt = Date.now();
      const statuses: Record<number, number> = {};
      for (let sent = 0; sent < count; sent += 50) {
        const address = from(`10.${(sent / 50) >> 8}.${(sent / 50) & 255}.1`);
        for (const { status } of await Promise.all(Array.from({ length: 50 }, () => register(METADATA, address))))
          statuses[status] = (statuses[status] ?? 0) + 1;
      }
      const after = await sizes();
      console.info(`${count} registrations in ${Date.now() - startedAt} ms: ${JSON.stringify({ statuses, before, after })}`);
      expect(statuses).toEqual({ 201: count });
      expect(after).toEqual(before);
      const ofOne = Array.from({ length: 101 }, () => register(METADATA, from('192.0.2.1')));
      expect((await Promise.all(ofOne)).filter(({ status }) => status === 429)).toHaveLength(1);
    },
    sized(60_000, 120_000, 3_600_000),
  );
});

describe('the metadata of this service’s API', () => {
  it('is named by every 401, and a missing scope by 403', async () => {
    const { headers } = await app.api.anonymous.get(at(acme));
    const address = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1];
    expect(address).toBe(`${app.config.baseUrl}/.well-known/oauth-protected-resource`);
    const { body } = await app.api.anonymous.get(new URL(address!).pathname);
    expect(body).toMatchObject({ resource: app.config.baseUrl, authorization_servers: [app.config.baseUrl] });
    expect(body.scopes_supported).toContain('members:read');

    await allow({ clientIdMetadataDomains: ['client.localhost'] });
    const client = await clientWith(publish('/api.json'));
    const tokens = await client.signIn(ada, { resource: app.config.baseUrl, scope: 'openid members:read' });
    const api = app.api.as(tokens.access_token);
    expect((await api.get(at(acme, '/members'))).status).toBe(200);
    const refused = await api.post(at(acme, '/roles'), { name: 'x', permissions: [] });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="roles:write"');
    const wide = await client.signIn(ada, { resource: app.config.baseUrl, scope: 'openid members:read *' });
    expect(wide.scope).toBe('members:read');
  });

  it('gives no token for the resource of another tenant', async () => {
    const other = (await newOrganization(app, { name: 'Other' })).id;
    const resource = 'https://mcp.other.example/mcp';
    await made(app, at(other, '/oauth-resources'), { identifier: resource, name: 'Tools', scopes: [{ name: 'tools:use' }] });
    const client = await clientWith(publish('/foreign.json'));
    const refused = await (await client.start(ada, { resource, scope: 'openid tools:use' })).finish();
    expect(refused.searchParams.get('error')).toBe('invalid_target');
  });
});
