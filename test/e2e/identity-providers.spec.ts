import { beforeEach, describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody, TestClient, TestResponse } from '../support/http-client.js';
import { identityProvider, oidcSignIn, ownDomains } from '../support/oidc.js';
import { at, keyClient, made, newOrganization, read } from '../support/organizations.js';
import { startScriptedProvider } from '../support/scripted-identity-provider.js';
import { activeUser, login, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';

const SECRET = 'a-client-secret-that-must-not-show';
const DISCOVERY = '/.well-known/openid-configuration';
const PERSON = { sub: 'person', email: 'person@corp.example', email_verified: true };
const TRUSTED = { trustedDomains: ['corp.example'] };

describe('an identity provider', () => {
  const app = testApp();
  const provider = testServer(startScriptedProvider);
  let org: string;
  let path: string;
  beforeEach(async () => {
    provider.script = { claims: PERSON };
    org = (await newOrganization(app)).id;
    path = at(org, '/identity-providers');
  });

  const start = (organization: string, idp: string): Promise<TestResponse> =>
    app.api.anonymous.post('/v1/auth/oidc/start', { organization, provider: idp });
  /** Only administrators get the reason why a provider can't be used. */
  const check = async ({ id }: TestBody): Promise<TestBody> =>
    (await app.api.platform.post(`${path}/${id}/check`).expect(200)).body.data;

  it('never shows the client secret, not even in the events of changes', async () => {
    const body = { name: 'Login', issuer: 'https://login.example.com', clientId: 'abc', clientSecret: SECRET, scopes: ['email'] };
    const created = await made(app, path, body);
    expect(created).toMatchObject({ enabled: true, hasClientSecret: true, scopes: ['openid', 'email'] });
    const events = await eventsDuring(app, async () => {
      const changes = { enabled: false, clientSecret: null };
      const changed = (await app.api.platform.patch(`${path}/${created.id}`, changes).expect(200)).body.data;
      expect(changed).toMatchObject({ enabled: false, hasClientSecret: false, issuer: body.issuer });
    });
    expect(events.map(({ data }) => data.changes)).toEqual([
      { enabled: { from: true, to: false }, clientSecret: { from: '(hidden)', to: '(hidden)' } },
    ]);
    const shown = await read(app, at(org));
    expect(shown.identityProviders).toEqual([{ id: created.id, name: 'Login', type: 'oidc', enabled: false }]);
    const stored = await app.database.query('SELECT payload FROM events WHERE organization_id = $1', [org]);
    expect(JSON.stringify([created, shown, stored])).not.toContain(SECRET);
  });

  it.each([
    'http://login.example.com',
    'https://login.example.com?x',
    'https://ûñ.example.com',
    'javascript:alert(1)',
    'https://10.0.0.1',
  ])("can't have the issuer %s", async (issuer) => {
    const { body } = await app.api.platform.post(path, { name: 'Inside', issuer, clientId: 'x' }).expect(400);
    expect(body.errors).toMatchObject([{ pointer: '/issuer' }]);
    const idp = await identityProvider(app, org, provider.issuer);
    await app.api.platform.patch(`${path}/${idp.id}`, { issuer }).expect(400);
  });

  it('is found only if enabled in the organization or an ancestor, by name in the organization before the ancestors', async () => {
    const idp = await identityProvider(app, org, provider.issuer);
    const disabledIdp = await identityProvider(app, org, provider.issuer, { name: 'Off', enabled: false });
    const otherOrganization = await newOrganization(app);
    const child = await newOrganization(app, { parentId: org });
    const childIdp = await identityProvider(app, child.id, provider.issuer, { name: 'Below' });
    const responses = [
      await start(otherOrganization.id, idp.id),
      await start(otherOrganization.id, idp.name),
      await start(org, disabledIdp.id),
      await start(org, childIdp.id),
      await start('no-such-organization', idp.id),
      await start(org, 'idp_01kf2b7m9ze4k8s1t6w3a5y0pd'),
    ];
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual(
      responses.map(() => [404, 'identity_provider_not_found']),
    );
    expect((await start(child.id, idp.id)).status).toBe(200);
    const nearer = await newOrganization(app, { parentId: org });
    await identityProvider(app, org, provider.issuer, { clientId: 'of-above' });
    await identityProvider(app, nearer.id, provider.issuer, { clientId: 'of-below' });
    const { body } = await start(nearer.id, 'Company login');
    expect(new URL(body.data.authorizationUrl).searchParams.get('client_id')).toBe('of-below');
  });

  it('can be marked as trusted only by callers with all permissions', async () => {
    const writer = await keyClient(app, org, ['organizations:write', 'organizations:read']);
    const body = { name: 'Own', issuer: provider.issuer, clientId: 'x' };
    expect((await writer.post(path, { ...body, ...TRUSTED })).body).toMatchObject({ status: 403, code: 'forbidden' });
    const plain = await made(writer, path, body);
    expect(plain).toMatchObject({ trustedDomains: [], mfaTrusted: false });
    await writer.patch(`${path}/${plain.id}`, TRUSTED).expect(403);
    await writer.patch(`${path}/${plain.id}`, { issuer: `${provider.issuer}/other` }).expect(200);

    const owner = await keyClient(app, org, ['*']);
    await ownDomains(app, org, TRUSTED.trustedDomains);
    const trusted = await made(owner, path, { ...body, ...TRUSTED });
    expect(trusted).toMatchObject(TRUSTED);
    await writer.patch(`${path}/${trusted.id}`, { issuer: `${provider.issuer}/other` }).expect(403);
    await writer.patch(`${path}/${trusted.id}`, { clientId: 'another' }).expect(403);
    await writer.patch(`${path}/${trusted.id}`, { name: 'Renamed' }).expect(200);
    await writer.patch(`${path}/${trusted.id}`, { mfaTrusted: true }).expect(403);
    await writer.patch(`${path}/${trusted.id}`, { trustedDomains: [] }).expect(200);
    await writer.patch(`${path}/${trusted.id}`, TRUSTED).expect(403);
    // A provider that is trusted for MFA bypasses a parent's MFA requirement.
    await writer.patch(`${path}/${plain.id}`, { mfaTrusted: true }).expect(403);
    await writer.post(path, { ...body, mfaTrusted: true }).expect(403);
    await owner.patch(`${path}/${trusted.id}`, TRUSTED).expect(200);
  });

  it('loses the linked identities after deletion or a change of the issuer', async () => {
    const second = await startScriptedProvider({ ...PERSON, email: 'other@corp.example' });
    const idp = await identityProvider(app, org, provider.issuer, TRUSTED);
    const first = (await oidcSignIn(app, org, idp.id)).body.data.user;
    await app.api.platform.patch(`${path}/${idp.id}`, { issuer: second.issuer }).expect(200);
    // The subject is the same. The response contains no token of the provider.
    const { body } = await oidcSignIn(app, org, idp.id);
    expect(body.data.user.id).not.toBe(first.id);
    expect(Object.keys(body.data).filter((field) => /token/i.test(field))).toEqual(['sessionToken']);
    expect(JSON.stringify(body)).not.toMatch(/eyJ/);
    await app.api.platform.delete(`${path}/${idp.id}`).expect(204);
    expect((await read(app, at(org, `/users/${first.id}`))).identityProviders).toEqual([]);
    await second.stop();
  });

  const answerDiscovery =
    (status: number, headers: Record<string, string>, body = '') =>
    () => {
      provider.script.handle = (path, response) => {
        if (path === DISCOVERY) response.writeHead(status, headers).end(body);
        return path === DISCOVERY;
      };
    };
  const JSON_TYPE = { 'content-type': 'application/json' };
  const misconduct: [string, () => unknown, code: string, message: string][] = [
    [
      'states another issuer',
      () => (provider.script.metadata = { issuer: 'https://login.example.com/' }),
      'other_issuer',
      'The provider reports the issuer "https://login.example.com/". Enter the issuer exactly like this.',
    ],
    [
      'states its issuer with an additional slash',
      () => (provider.script.metadata = { issuer: `${provider.issuer}/` }),
      'other_issuer',
      '/". Enter the issuer exactly like this.',
    ],
    [
      'redirects',
      answerDiscovery(302, { location: 'http://127.0.0.1:1/' }),
      'unexpected_answer',
      'returned status 302 instead of 200.',
    ],
    ['sends a response over the size limit', answerDiscovery(200, JSON_TYPE, `"${'x'.repeat(600 * 1024)}"`), 'unreachable', ''],
    ['responds with 500', answerDiscovery(500, {}), 'unexpected_answer', 'returned status 500 instead of 200.'],
    ...['<p>Sign in</p>', '{"issuer":', '{"secret":"of somebody else"}'].map((body): (typeof misconduct)[number] => [
      `sends ${body}`,
      answerDiscovery(200, JSON_TYPE, body),
      'unexpected_answer',
      'The response is not an OpenID Connect discovery document.',
    ]),
    ...Object.entries({
      authorization_endpoint: ['javascript:alert(1)', '/authorize', '//evil.example', 'https://u:p@evil.example', null],
      token_endpoint: [7, ['https://login.example.com'], 'ftp://login.example.com', 'https://login.example.com/#x', ''],
      jwks_uri: [null, {}, 'jwks'],
      userinfo_endpoint: [true, 'urn:x'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', [7]],
      id_token_signing_alg_values_supported: [{}],
      authorization_response_iss_parameter_supported: ['true'],
    }).flatMap(([field, values]) =>
      values.map((value): (typeof misconduct)[number] => [
        `has the ${field} ${JSON.stringify(value)}`,
        () => (provider.script.metadata = { [field]: value }),
        'unexpected_answer',
        `The field ${field} of the discovery document must be `,
      ]),
    ),
  ];
  it.each(misconduct)("can't be used while the issuer %s", async (_name, misbehave, code, message) => {
    const idp = await identityProvider(app, org, provider.issuer, TRUSTED);
    misbehave();
    const requestsBefore = provider.requests.length;
    const { status, body, headers } = await start(org, idp.id);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'identity_provider_unavailable', '30']);
    expect(provider.requests.slice(requestsBefore)).toEqual([DISCOVERY]);
    expect(await check(idp)).toMatchObject({ usable: false, problem: { code, message: expect.stringContaining(message) } });
    provider.script = { claims: PERSON };
    expect((await start(org, idp.id)).status).toBe(200);
  });

  it('is usable according to the check even if disabled, and unreachable if it is stopped', async () => {
    const disabled = await identityProvider(app, org, provider.issuer, { enabled: false });
    const redirectUri = `${app.config.baseUrl}/v1/auth/oidc/callback/${encodeURIComponent(new URL(provider.issuer).host)}`;
    expect(await check(disabled)).toEqual({ usable: true, redirectUri });
    const stopped = await startScriptedProvider();
    await stopped.stop();
    const unreachable = await identityProvider(app, org, stopped.issuer, { name: 'Stopped' });
    expect(await check(unreachable)).toMatchObject({ problem: { code: 'unreachable' } });
  });

  it('is asked for the user info if the ID token has no usable email address, after informational responses', async () => {
    const idp = await identityProvider(app, org, provider.issuer, TRUSTED);
    provider.script = {
      claims: { ...PERSON, email: null, given_name: '' },
      metadata: { userinfo_endpoint: `${provider.issuer}/userinfo` },
      userInfo: { ...PERSON, given_name: 'Ada' },
      handle: (path, response) => {
        if (path === '/authorize') return false;
        response.writeContinue();
        response.writeProcessing();
        return false;
      },
    };
    const { status, body } = await oidcSignIn(app, org, idp.id);
    expect([status, body.data?.user]).toEqual([200, expect.objectContaining({ email: PERSON.email, firstName: 'Ada' })]);
  });

  it('gets no requests if the operator does not allow the network, also at addresses in the discovery document', async () => {
    const idp = await identityProvider(app, org, provider.issuer);
    const { databaseUrl, platformApiKey, secretsKeys } = app.config;
    await using strict = await startApp({ databaseUrl, platformApiKey, secretsKeys, webhookAllowedNetworks: [] });
    const requestsBefore = provider.requests.length;
    await strict.api.anonymous
      .post('/v1/auth/oidc/start', { organization: org, provider: idp.id })
      .expect(503, 'identity_provider_unavailable');
    expect(provider.requests.length).toBe(requestsBefore);
    const internalProvider = await startScriptedProvider(PERSON);
    const { port } = new URL(internalProvider.issuer);
    const trusted = await identityProvider(app, org, provider.issuer, TRUSTED);
    // Only 127.0.0.0/8 is allowed, so 0.0.0.0 represents all other private networks.
    provider.script.metadata = { token_endpoint: `http://0.0.0.0:${port}/token` };
    const response = await oidcSignIn(app, org, trusted.id);
    expect([response.status, response.body.code, internalProvider.requests]).toEqual([503, 'identity_provider_unavailable', []]);
    await internalProvider.stop();
  });

  describe('a linked identity', () => {
    const own = '/v1/auth/identities';
    let idp: TestBody;
    let counter = 0;
    beforeEach(async () => {
      idp = await identityProvider(app, org, provider.issuer, { trustedDomains: ['corp.example'] });
    });

    async function signIn(email = `person-${++counter}@corp.example`): Promise<{ id: string; client: TestClient }> {
      provider.script = { claims: { sub: email, email, email_verified: true } };
      const { data } = (await oidcSignIn(app, org, idp.id)).body;
      return { id: data.user.id, client: app.api.as(data.sessionToken) };
    }

    it('can be listed and unlinked by the user', async () => {
      const { email } = await activeUser(app, org, { email: `person-${++counter}@corp.example` });
      const other = app.api.as((await login(app, org, email).expect(200)).body.data.sessionToken);
      const { client } = await signIn(email);
      const identities = async () => (await read(client, own)).identities;
      const linked = { identityProviderId: idp.id, provider: idp.name, issuer: provider.issuer, externalId: email };
      expect(await identities()).toEqual([{ ...linked, linkedAt: expect.any(String) }]);
      await client.delete(`${own}/${idp.id}`).expect(401, 'reauthentication_required');
      const events = await eventsDuring(app, () => client.delete(`${own}/${idp.id}`, { currentPassword: PASSWORD }).expect(204));
      expect(events.map(({ type }) => type)).toEqual(['user.updated', 'security.session_revoked']);
      const from = [{ provider: idp.name, externalId: email }];
      expect(events[0]!.data.changes).toEqual({ identityProviders: { from, to: [] } });
      await other.get('/v1/auth/me').expect(401);
      expect(await identities()).toEqual([]);
    });

    it("can't be unlinked by the user as the only way to sign in, but by an administrator with all permissions of the user", async () => {
      const { id, client } = await signIn();
      await client.delete(`${own}/${idp.id}`, {}).expect(409, 'sign_in_method_needed');
      expect((await read(client, own)).identities).toHaveLength(1);
      const identities = at(org, `/users/${id}/identities`);
      expect((await read(app, identities)).identities).toMatchObject([{ identityProviderId: idp.id }]);
      await app.api.platform.post(at(org, `/users/${id}/roles`), { roleId: 'role_owner' }).expect(201);
      const helpDesk = await keyClient(app, org, ['users:*']);
      await helpDesk.delete(`${identities}/${idp.id}`).expect(403, 'forbidden');
      await app.api.platform.delete(`${identities}/${idp.id}`).expect(204);
      await client.get('/v1/auth/me').expect(401);
      await app.api.platform.delete(`${identities}/${idp.id}`).expect(404);
    });
  });
});
