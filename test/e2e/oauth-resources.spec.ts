import { numberedEvents } from '../support/event-log.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrganizationPurgeService } from '#directory/organizations';
import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { ownDomains } from '../support/oidc.js';
import { CALLBACK, OAuthApplication, refusal, startIssuer } from '../support/oauth-application.js';
import { DAY_MS, later } from '../support/sign-in.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { typesDuring } from '../support/events-during.js';

const API = 'https://api.example.com';

let app: TestApp;
let acme: string;
let admin: SignedIn;

beforeAll(async () => {
  app = await startIssuer();
  acme = (await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201)).body.data.id;
  admin = await signedIn(app, acme, { roles: ['admin'] });
  const scopes = [{ name: 'invoices:read' }, { name: 'invoices:write' }];
  await app.api.platform
    .post('/v1/organizations/acme/oauth-resources', { identifier: API, name: 'Invoices', scopes })
    .expect(201);
});

afterAll(() => app?.close());

const machine = async (fields: object): Promise<[id: string, secret: string]> => {
  const { data } = (
    await app.api.platform.post('/v1/organizations/acme/oauth-clients', { name: 'Sync', type: 'machine', ...fields }).expect(201)
  ).body;
  return [data.id, data.secret];
};

const credentials = (configuration: openid.Configuration, resource: string, scope: string) =>
  openid.clientCredentialsGrant(configuration, { resource, scope });

describe('an API of a customer', () => {
  it('gets JWTs with the permissions that the user has and the scopes allow', async () => {
    const role = { name: 'Clerk', permissions: ['invoices:read', 'organizations:read'] };
    await app.api.platform.post('/v1/organizations/acme/roles', role).expect(201);
    const clerk = await signedIn(app, acme, { roles: ['Clerk'] });
    const application = await OAuthApplication.create(app, acme, {
      resources: [{ identifier: API, scopes: ['invoices:read', 'invoices:write'] }],
    });
    const tokens = await application.signIn(clerk, { scope: 'openid invoices:read invoices:write', resource: API });
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', app.url));
    const { payload } = await jwtVerify(tokens.access_token, keys, { audience: API, issuer: app.config.baseUrl, typ: 'at+jwt' });
    expect(payload).toMatchObject({ sub: clerk.id, client_id: application.clientId, org_id: acme, roles: ['Clerk'] });
    expect(payload).toMatchObject({ scope: 'invoices:read invoices:write', permissions: ['invoices:read'] });
    expect(payload.exp! - payload.iat!).toBe(300);
  });

  it('is described on the consent page and in the list of grants, as is the address of the application', async () => {
    const scopes = [{ name: 'read', description: 'View reports' }, { name: 'write' }];
    const identifier = 'https://reports.example.com';
    const api = { identifier, name: 'Reports', scopes };
    await app.api.platform.post('/v1/organizations/acme/oauth-resources', api).expect(201);
    await ownDomains(app, 'acme', ['acme-apps.example']);
    const own = { identifier: app.config.baseUrl, scopes: ['roles:*'] };
    const uris = ['https://app.acme-apps.example/callback', 'https://acme-apps.example.evil.example/', 'acme-apps.example:/cb'];
    const application = await OAuthApplication.create(app, acme, {
      type: 'native',
      redirectUris: uris,
      resources: [{ identifier, scopes: ['read', 'write'] }, own],
    });
    const user = await signedIn(app, acme, { roles: ['admin'] });
    const shownAt = async (uri: string): Promise<TestBody> => {
      const request = await application.start(user, { redirect_uri: uri, scope: 'openid read write', resource: identifier });
      const page = await request.open();
      return (await request.browser.get(`/v1/oauth/interactions/${page.searchParams.get('interaction')}`)).body.data;
    };
    const described = {
      identifier,
      name: 'Reports',
      scopes: [
        { name: 'read', description: 'View reports' },
        { name: 'write', description: null },
      ],
    };
    const addresses = await Promise.all(uris.map(shownAt));
    expect(addresses[0]!.resources).toEqual([described]);
    expect(addresses.map(({ redirectHost, verifiedDomain }) => [redirectHost, verifiedDomain])).toEqual([
      ['app.acme-apps.example', 'acme-apps.example'],
      ['acme-apps.example.evil.example', null],
      ['acme-apps.example:', null],
    ]);

    const parameters = { redirect_uri: uris[0]!, scope: 'openid read roles:*' };
    for (const resource of [identifier, app.config.baseUrl]) {
      const request = await application.start(user, { ...parameters, resource });
      await request.finish();
    }
    await app.api.platform
      .patch(`/v1/organizations/acme/oauth-clients/${application.clientId}`, { resources: [own] })
      .expect(200);
    const { data } = (await user.client.get('/v1/auth/oauth-grants').expect(200)).body;
    const roles = 'View roles and check permissions. Create, update and delete roles.';
    expect(data[0].resources).toEqual([
      { identifier: app.config.baseUrl, name: app.config.serviceName, scopes: [{ name: 'roles:*', description: roles }] },
      { ...described, scopes: described.scopes.slice(0, 1) },
    ]);
    const ofOrganization = await user.client.get(`/v1/organizations/acme/oauth-grants?clientId=${application.clientId}`);
    expect(ofOrganization.body.data[0].resources).toEqual(data[0].resources);
  });

  it('gets tokens of machine clients with a secret or a private key, and no others', async () => {
    const resources = [{ identifier: API, scopes: ['invoices:read'] }];
    const [id, secret] = await machine({ resources });
    const { configuration } = await OAuthApplication.with(app, id, secret);
    expect((await credentials(configuration, API, 'invoices:read invoices:write')).scope).toBe('invoices:read');

    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwks = { keys: [await exportJWK(publicKey)] };
    const [keyed] = await machine({ resources, authentication: 'private_key_jwt', jwks });
    const withKey = await openid.discovery(new URL(app.config.baseUrl), keyed, undefined, openid.PrivateKeyJwt(privateKey), {
      execute: [openid.allowInsecureRequests],
    });
    expect((await credentials(withKey, API, 'invoices:read')).token_type).toBe('bearer');

    const wrong = await OAuthApplication.with(app, id, `${secret}x`);
    expect(await refusal(credentials(wrong.configuration, API, 'invoices:read'))).toBe('invalid_client');
    expect(await refusal(credentials(configuration, 'https://other.example.com', 'invoices:read'))).toBe('invalid_target');
  });
});

describe('the API of this service', () => {
  const scopes = [
    'members:read',
    'members:*',
    'roles:read',
    'users:write',
    'api_keys:*',
    'organizations:read',
    'permissions:grant',
  ];
  const signIn = async (user: SignedIn, scope: string) => {
    const application = await OAuthApplication.create(app, acme, { resources: [{ identifier: app.config.baseUrl, scopes }] });
    const tokens = await application.signIn(user, { scope: `openid ${scope}`, resource: app.config.baseUrl });
    return { application, api: app.api.as(tokens.access_token), tokens };
  };

  it('accepts a token of a user within the scopes, and names the client in events', async () => {
    const { api, application, tokens } = await signIn(admin, 'members:read users:write');
    await api.get('/v1/organizations/acme/members').expect(200);
    await api.get('/v1/organizations/acme/roles').expect(403);
    const { body } = await api.post('/v1/organizations/acme/users', { email: 'new@example.com' }).expect(201);
    await numberedEvents(app);
    const events = await app.api.platform
      .get(`/v1/organizations/acme/events?type=user.created&userId=${body.data.id}`)
      .expect(200);
    expect(events.body.data[0].actor).toMatchObject({
      type: 'user',
      id: admin.id,
      client: { id: application.clientId, name: 'Billing' },
    });
    // The token is for this API only, and no session token.
    await expect(application.userInfo(tokens, admin.id)).rejects.toBeDefined();
    await api.get('/v1/auth/me').expect(403);
  });

  it('refuses what the user can not do, and sensitive operations', async () => {
    const member = await signedIn(app, acme, { roles: ['member'] });
    await (await signIn(member, 'members:read')).api.get('/v1/organizations/acme/members').expect(200);
    await (await signIn(member, 'users:write')).api.post('/v1/organizations/acme/users', { email: 'x@example.com' }).expect(404);
    const { api } = await signIn(admin, 'api_keys:*');
    const { body } = await api.post('/v1/organizations/acme/api-keys', { name: 'Key', scopes: ['api_keys:read'] }).expect(403);
    expect(body.detail).toMatch(/application can't do this/);
  });

  it('accepts tokens of machine clients within their scopes, and none for another audience', async () => {
    const [id, secret] = await machine({ resources: [{ identifier: app.config.baseUrl, scopes: ['users:read'] }] });
    const { configuration } = await OAuthApplication.with(app, id, secret);
    const { access_token: token } = await credentials(configuration, app.config.baseUrl, 'users:read');
    await app.api.as(token).get('/v1/organizations/acme/users').expect(200);
    await app.api.as(token).get('/v1/organizations/acme/roles').expect(403);
    const plain = await (await OAuthApplication.create(app, acme)).signIn(admin);
    await app.api.as(plain.access_token).get('/v1/organizations/acme/users').expect(401);
  });

  it('ends the setup links of a machine client with the client', async () => {
    const [id, secret] = await machine({
      resources: [{ identifier: app.config.baseUrl, scopes: ['setup_links:write', 'domains:*'] }],
    });
    const { configuration } = await OAuthApplication.with(app, id, secret);
    const { access_token: token } = await credentials(configuration, app.config.baseUrl, 'setup_links:write domains:*');
    const links = '/v1/organizations/acme/setup-links';
    const { url } = (
      await app.api
        .as(token)
        .post(links, { steps: ['domain'] })
        .expect(201)
    ).body.data;
    const domains = () => app.api.as(new URL(url).hash.replace('#token=', '')).get('/v1/organizations/acme/domains');
    await domains().expect(200);
    await app.api.platform.patch(`/v1/organizations/acme/oauth-clients/${id}`, { enabled: false }).expect(200);
    await domains().expect(401);
  });

  it('hides past organizations whose rules the sign-in does not satisfy now', async () => {
    const organization = async (name: string, parentId = acme): Promise<string> =>
      (await app.api.platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id;
    const [left, right] = [await organization('Left'), await organization('Right')];
    const moved = await organization('Moved', left);
    const settings = { settings: { sessionTimeout: 777 }, lockedSettings: ['sessionTimeout'] };
    await app.api.platform.patch(`/v1/organizations/${left}`, settings).expect(200);
    const [past] = await app.database.query<{ at: string }>('SELECT to_json(clock_timestamp()) AS at');
    await app.api.platform.post(`/v1/organizations/${moved}/move`, { parentId: right }).expect(200);
    const { api } = await signIn(admin, 'organizations:read');
    const sourceOf = async () =>
      (await api.get(`/v1/organizations/${moved}/settings?asOf=${encodeURIComponent(past!.at)}`).expect(200)).body.data
        .sessionTimeout.source.name;
    expect(await sourceOf()).toBe('Left');
    await app.api.platform.patch(`/v1/organizations/${left}`, { settings: { requireMfa: true } }).expect(200);
    expect(await sourceOf()).toBe("An organization that you can't access");
  });

  it('reports a role that the user gets from the own application', async () => {
    const { api } = await signIn(admin, 'members:* permissions:grant');
    const role = { name: 'Payer', permissions: ['payments:approve'] };
    const { id } = (await app.api.platform.post('/v1/organizations/acme/roles', role).expect(201)).body.data;
    const types = await typesDuring(app, () =>
      api.post(`/v1/organizations/acme/users/${admin.id}/roles`, { roleId: id }).expect(201),
    );
    expect(types).toEqual(['role.assigned', 'security.suspicious_activity']);
  });
});

describe('the management of clients', () => {
  const clients = '/v1/organizations/acme/oauth-clients';
  const web = { name: 'App', type: 'web', redirectUris: [CALLBACK] };

  it.each<[string, object, string]>([
    ['an insecure redirect URI', { ...web, redirectUris: ['http://app.example.com/'] }, '/redirectUris/0'],
    ['a client that signs in without a redirect URI', { ...web, redirectUris: [] }, '/redirectUris'],
    ['a public client with a secret', { ...web, type: 'single_page', authentication: 'client_secret_post' }, '/authentication'],
    ['a machine client that signs users in', { ...web, type: 'machine', grantTypes: ['authorization_code'] }, '/grantTypes'],
    ...['single_page', 'machine'].map((type): [string, object, string] => [
      `a ${type} client for devices`,
      { ...web, type, grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'] },
      '/grantTypes',
    ]),
    ['a private key', { ...web, authentication: 'private_key_jwt', jwks: { keys: [{ kty: 'EC', d: 'x' }] } }, '/jwks'],
    [
      'an unknown resource',
      { ...web, resources: [{ identifier: 'https://x.example', scopes: ['a'] }] },
      '/resources/0/identifier',
    ],
    ['an unknown scope', { ...web, resources: [{ identifier: API, scopes: ['a'] }] }, '/resources/0/scopes'],
    ['an unknown API as its own', { ...web, audiences: ['https://x.example'] }, '/audiences/0'],
    ['an origin with a path', { ...web, origins: ['https://app.example.com/'] }, '/origins/0'],
  ])('rejects %s', async (_, body, pointer) => {
    const response = await app.api.platform.post(clients, body).expect(400);
    expect(response.body.errors[0].pointer).toBe(pointer);
  });

  it.each<[string, object, number]>([
    ['scopes beyond the own permissions', { resources: [{ identifier: 'own', scopes: ['organizations:delete'] }] }, 403],
    ['no consent without all permissions', { consent: 'skipped' }, 403],
    ['scopes within the own permissions', { resources: [{ identifier: 'own', scopes: ['users:write'] }] }, 201],
  ])('of an administrator with %s', async (_, fields, status) => {
    const body = JSON.parse(JSON.stringify({ ...web, ...fields }).replace('"own"', JSON.stringify(app.config.baseUrl)));
    await admin.client.post(clients, body).expect(status);
  });

  it('and of resources can not take scopes from clients, or give them back, without having them', async () => {
    const identifier = 'https://used.example.com';
    const resources = '/v1/organizations/acme/oauth-resources';
    const scopes = [{ name: 'cars:drive' }, { name: 'cars:sell' }];
    const { id } = (await app.api.platform.post(resources, { identifier, name: 'Cars', scopes }).expect(201)).body.data;
    await machine({ resources: [{ identifier, scopes: ['cars:drive'] }] });
    const key = { name: 'k', scopes: ['oauth_resources:write'] };
    const weaker = app.api.as((await app.api.platform.post('/v1/organizations/acme/api-keys', key).expect(201)).body.data.key);
    const path = `${resources}/${id}`;
    await weaker.patch(path, { scopes: scopes.slice(0, 1) }).expect(200);
    await weaker.patch(path, { scopes: scopes.slice(1) }).expect(403);
    await weaker.delete(path).expect(403);
    await app.api.platform.patch(path, { scopes: scopes.slice(1) }).expect(200);
    await weaker.patch(path, { scopes }).expect(403);
    await app.api.platform.delete(path).expect(204);
  });

  it('keeps the identifier of a deleted resource for the tenant until the tenant is purged', async () => {
    const [tenant, child, other] = ['claims', 'claims-child', 'claims-other'];
    await app.api.platform.post('/v1/organizations', { name: tenant, slug: tenant }).expect(201);
    await app.api.platform.post('/v1/organizations', { name: child, slug: child, parentId: tenant }).expect(201);
    await app.api.platform.post('/v1/organizations', { name: other, slug: other }).expect(201);
    const register = (slug: string, identifier = 'https://claimed.example.com') =>
      app.api.platform.post(`/v1/organizations/${slug}/oauth-resources`, { identifier, name: 'A', scopes: [{ name: 'a' }] });
    const remove = async (slug: string, id: string) =>
      app.api.platform.delete(`/v1/organizations/${slug}/oauth-resources/${id}`).expect(204);

    await remove(child, (await register(child).expect(201)).body.data.id);
    expect((await register(other, 'https://CLAIMED.example.com/').expect(409)).body.code).toBe('oauth_resource_identifier_taken');
    const again = await Promise.all([register(tenant), register(child)]);
    expect(again.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    await register(tenant).expect(409);
    const [slug, created] = again[0].status === 201 ? [tenant, again[0]] : [child, again[1]];
    await remove(slug, created.body.data.id);

    const purge = async (slug: string): Promise<void> => {
      expect((await app.api.platform.delete(`/v1/organizations/${slug}`)).status).toBeLessThan(300);
      await later(app, 31 * DAY_MS, () => app.app.get(OrganizationPurgeService).purgeDue());
    };
    await purge(child);
    await register(other).expect(409);
    await purge(tenant);
    await register(other).expect(201);
  });

  it('rotates secrets with an overlap', async () => {
    const { id, secret } = (
      await app.api.platform
        .post(clients, { ...web, type: 'machine', redirectUris: [], resources: [{ identifier: API, scopes: ['invoices:read'] }] })
        .expect(201)
    ).body.data;
    const { body } = await app.api.platform.post(`${clients}/${id}/secrets`, { previousExpireInSeconds: 60 }).expect(201);
    for (const each of [secret, body.data.secret])
      await credentials((await OAuthApplication.with(app, id, each)).configuration, API, 'invoices:read');
    await app.api.platform.post(`${clients}/${id}/secrets`, { previousExpireInSeconds: 0 }).expect(201);
    expect(await refusal(credentials((await OAuthApplication.with(app, id, secret)).configuration, API, 'invoices:read'))).toBe(
      'invalid_client',
    );
  });

  it('of the platform needs a platform key, and its clients sign in everybody', async () => {
    await admin.client.get('/v1/oauth-clients').expect(403);
    const application = await OAuthApplication.create(app, undefined, { consent: 'skipped' });
    expect((await application.signIn(admin)).claims()).toMatchObject({ sub: admin.id, org_id: acme });
    await app.api.platform.delete(`/v1/oauth-clients/${application.clientId}`).expect(204);
  });
});

describe('sign-out', () => {
  it('ends the session if an ID token proves the sign-in, and returns only to registered addresses', async () => {
    const application = await OAuthApplication.create(app, acme, { postLogoutRedirectUris: ['https://app.example.com/bye'] });
    const user = await signedIn(app, acme, { roles: ['member'] });
    const tokens = await application.signIn(user);
    const { browser } = await application.start(user);
    const logout = (parameters: Record<string, string>) => browser.get(`/oauth/logout?${new URLSearchParams(parameters)}`);
    const hint = { id_token_hint: tokens.id_token!, state: 's', post_logout_redirect_uri: 'https://app.example.com/bye' };

    expect((await logout({ ...hint, post_logout_redirect_uri: 'https://evil.example/' })).status).toBe(400);
    expect((await logout({ ...hint, id_token_hint: tokens.access_token })).status).toBe(400);
    const asked = await logout({ client_id: application.clientId, post_logout_redirect_uri: hint.post_logout_redirect_uri });
    expect(new URL(asked.headers.get('location')!).pathname).toBe('/account/sign-out');
    await user.client.get('/v1/auth/me').expect(200);

    expect((await logout(hint)).headers.get('location')).toBe('https://app.example.com/bye?state=s');
    await user.client.get('/v1/auth/me').expect(401);
    expect(await app.eventTypes()).toContain('user.logout');
  });
});
