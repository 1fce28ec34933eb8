import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import type { TestBody, TestResponse } from '../support/http-client.js';
import { identityProvider, oidcSignIn, ownDomains } from '../support/oidc.js';
import { made, newOrganization } from '../support/organizations.js';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-identity-provider.js';
import { testApp } from '../support/test-app.js';

const PERSON = { sub: 'person', email: 'person@corp.example', email_verified: true };
const TRUSTED = { trustedDomains: ['corp.example'] };

describe('an identity provider at sign-in', () => {
  const app = testApp();
  let provider: ScriptedProvider;
  beforeAll(async () => {
    provider = await startScriptedProvider(PERSON);
  });
  afterAll(() => provider.stop());
  afterEach(() => {
    provider.script = { claims: PERSON };
  });

  const start = (org: string, idp: string): Promise<TestResponse> =>
    app.api.anonymous.post('/v1/auth/oidc/start', { organization: org, provider: idp });
  const pathOf = (org: TestBody, idp?: TestBody): string =>
    `/v1/organizations/${org.id}/identity-providers${idp ? `/${idp.id}` : ''}`;
  const key = async (org: TestBody, scopes: string[]) =>
    app.api.as((await made(app, `/v1/organizations/${org.id}/api-keys`, { name: 'k', scopes })).key);

  it('is found only if enabled in the organization or an ancestor', async () => {
    const org = await newOrganization(app);
    const idp = await identityProvider(app, org.id, provider.issuer);
    const disabledIdp = await identityProvider(app, org.id, provider.issuer, { name: 'Off', enabled: false });
    const otherOrganization = await newOrganization(app);
    const child = await newOrganization(app, { parentId: org.id });
    const childIdp = await identityProvider(app, child.id, provider.issuer, { name: 'Below' });
    const responses = [
      await start(otherOrganization.id, idp.id),
      await start(otherOrganization.id, idp.name),
      await start(org.id, disabledIdp.id),
      await start(org.id, childIdp.id),
      await start('no-such-organization', idp.id),
      await start(org.id, 'idp_01kf2b7m9ze4k8s1t6w3a5y0pd'),
    ];
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual(
      responses.map(() => [404, 'identity_provider_not_found']),
    );
    expect((await start(child.id, idp.id)).status).toBe(200);
  });

  it('is found by name, in the organization before the ancestors', async () => {
    const org = await newOrganization(app);
    const child = await newOrganization(app, { parentId: org.id });
    await identityProvider(app, org.id, provider.issuer, { clientId: 'of-above' });
    await identityProvider(app, child.id, provider.issuer, { clientId: 'of-below' });
    const { body } = await start(child.id, 'Company login');
    expect(new URL(body.data.authorizationUrl).searchParams.get('client_id')).toBe('of-below');
  });

  it('can be marked as trusted only by callers with all permissions', async () => {
    const org = await newOrganization(app);
    const writer = await key(org, ['organizations:write', 'organizations:read']);
    const body = { name: 'Own', issuer: provider.issuer, clientId: 'x' };
    expect((await writer.post(pathOf(org), { ...body, ...TRUSTED })).body).toMatchObject({ status: 403, code: 'forbidden' });
    const plain = (await writer.post(pathOf(org), body).expect(201)).body.data;
    expect(plain).toMatchObject({ trustedDomains: [], mfaTrusted: false });
    await writer.patch(pathOf(org, plain), TRUSTED).expect(403);
    await writer.patch(pathOf(org, plain), { issuer: `${provider.issuer}/other` }).expect(200);

    const owner = await key(org, ['*']);
    await ownDomains(app, org.id, TRUSTED.trustedDomains);
    const trusted = (await owner.post(pathOf(org), { ...body, ...TRUSTED }).expect(201)).body.data;
    expect(trusted).toMatchObject(TRUSTED);
    await writer.patch(pathOf(org, trusted), { issuer: `${provider.issuer}/other` }).expect(403);
    await writer.patch(pathOf(org, trusted), { clientId: 'another' }).expect(403);
    await writer.patch(pathOf(org, trusted), { name: 'Renamed' }).expect(200);
    await writer.patch(pathOf(org, trusted), { mfaTrusted: true }).expect(403);
    await writer.patch(pathOf(org, trusted), { trustedDomains: [] }).expect(200);
    await writer.patch(pathOf(org, trusted), TRUSTED).expect(403);
    // A provider that is trusted for MFA bypasses a parent's MFA requirement.
    await writer.patch(pathOf(org, plain), { mfaTrusted: true }).expect(403);
    await writer.post(pathOf(org), { ...body, mfaTrusted: true }).expect(403);
    await owner.patch(pathOf(org, trusted), TRUSTED).expect(200);
  });

  it('loses the linked identities after deletion or a change of the issuer', async () => {
    const second = await startScriptedProvider({ ...PERSON, email: 'other@corp.example' });
    const org = await newOrganization(app);
    const idp = await identityProvider(app, org.id, provider.issuer, TRUSTED);
    const first = (await oidcSignIn(app, org.id, idp.id)).body.data.user;
    await app.api.platform.patch(pathOf(org, idp), { issuer: second.issuer }).expect(200);
    const other = (await oidcSignIn(app, org.id, idp.id)).body.data.user;
    expect(other.id).not.toBe(first.id);
    await app.api.platform.delete(pathOf(org, idp)).expect(204);
    const { body } = await app.api.platform.get(`/v1/organizations/${org.id}/users/${first.id}`).expect(200);
    expect(body.data.identityProviders).toEqual([]);
    await second.stop();
  });

  const misconduct: [string, () => void][] = [
    ['states another issuer', () => (provider.script.metadata = { issuer: 'https://login.example.com' })],
    ['states its issuer with an additional slash', () => (provider.script.metadata = { issuer: `${provider.issuer}/` })],
    ['redirects', () => answerDiscovery(302, { location: `${provider.issuer}/elsewhere` }, '')],
    [
      'sends a response over the size limit',
      () => answerDiscovery(200, { 'content-type': 'application/json' }, `"${'x'.repeat(600 * 1024)}"`),
    ],
    ['sends HTML instead of JSON', () => answerDiscovery(200, { 'content-type': 'text/html' }, '<html></html>')],
    ['responds with 500', () => answerDiscovery(500, {}, '')],
    ...Object.entries({
      authorization_endpoint: [
        'javascript:alert(1)',
        'data:text/html,x',
        '/authorize',
        '//evil.example',
        'https://u:p@evil.example',
        7,
        null,
      ],
      token_endpoint: [7, ['https://login.example.com'], 'ftp://login.example.com', 'https://login.example.com/#x', ''],
      jwks_uri: [null, {}, 'jwks'],
      userinfo_endpoint: [true, 'urn:x'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', [7]],
      id_token_signing_alg_values_supported: [{}],
      authorization_response_iss_parameter_supported: ['true'],
    }).flatMap(([field, values]) =>
      values.map((value): [string, () => void] => [
        `has the ${field} ${JSON.stringify(value)}`,
        () => (provider.script.metadata = { [field]: value }),
      ]),
    ),
  ];
  function answerDiscovery(status: number, headers: Record<string, string>, body: string): void {
    provider.script.handle = (path, response) => {
      if (path.endsWith('openid-configuration')) response.writeHead(status, headers).end(body);
      return path.endsWith('openid-configuration');
    };
  }
  it.each(misconduct)("can't be used while the issuer %s", async (_name, misbehave) => {
    const org = await newOrganization(app);
    const idp = await identityProvider(app, org.id, provider.issuer, TRUSTED);
    misbehave();
    const requestsBefore = provider.requests.length;
    const { status, body, headers } = await start(org.id, idp.id);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'identity_provider_unavailable', '30']);
    expect(provider.requests.slice(requestsBefore)).toEqual(['/.well-known/openid-configuration']);
    provider.script = { claims: PERSON };
    expect((await start(org.id, idp.id)).status).toBe(200);
  });

  it('is asked for the user info if the ID token has no usable email address, after informational responses', async () => {
    const org = await newOrganization(app);
    const idp = await identityProvider(app, org.id, provider.issuer, TRUSTED);
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
    const { status, body } = await oidcSignIn(app, org.id, idp.id);
    expect([status, body.data?.user]).toEqual([200, expect.objectContaining({ email: PERSON.email, firstName: 'Ada' })]);
  });

  it.each([
    'http://169.254.169.254/latest',
    'javascript:alert(1)',
    'https://10.0.0.1',
    'https://[::ffff:10.0.0.1]',
    'https://168.63.129.16',
    'http://login.example.com',
    'http://93.184.216.34',
  ])("can't have the issuer %s", async (issuer) => {
    const org = await newOrganization(app);
    const { body } = await app.api.platform.post(pathOf(org), { name: 'Inside', issuer, clientId: 'x' }).expect(400);
    expect(body.errors).toMatchObject([{ pointer: '/issuer' }]);
    const idp = await identityProvider(app, org.id, provider.issuer);
    await app.api.platform.patch(pathOf(org, idp), { issuer }).expect(400);
  });

  it('gets no requests if the operator does not allow the network', async () => {
    const org = await newOrganization(app);
    const idp = await identityProvider(app, org.id, provider.issuer);
    const { databaseUrl, platformApiKey, secretsKeys } = app.config;
    const strict = await startApp({ databaseUrl, platformApiKey, secretsKeys, webhookAllowedNetworks: [] });
    try {
      const requestsBefore = provider.requests.length;
      const { body } = await strict.api.anonymous
        .post('/v1/auth/oidc/start', { organization: org.id, provider: idp.id })
        .expect(503);
      expect(body.code).toBe('identity_provider_unavailable');
      expect(provider.requests.length).toBe(requestsBefore);
    } finally {
      await strict.close();
    }
  });

  it('gets no requests at private addresses in the discovery document', async () => {
    const internalProvider = await startScriptedProvider(PERSON);
    const { port } = new URL(internalProvider.issuer);
    const org = await newOrganization(app);
    const idp = await identityProvider(app, org.id, provider.issuer, TRUSTED);
    // Only 127.0.0.0/8 is allowed, so 0.0.0.0 represents all other private networks.
    provider.script.metadata = { token_endpoint: `http://0.0.0.0:${port}/token` };
    const response = await oidcSignIn(app, org.id, idp.id);
    expect([response.status, response.body.code, internalProvider.requests]).toEqual([503, 'identity_provider_unavailable', []]);
    await internalProvider.stop();
  });
});
