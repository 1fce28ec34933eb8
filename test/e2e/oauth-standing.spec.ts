import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { identityProvider, oidcSignIn } from '../support/oidc.js';
import { DEVICE_CODE, OAuthApplication, refusal, startIssuer, type Tokens } from '../support/oauth-application.js';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-identity-provider.js';
import { addTotp } from '../support/second-factors.js';
import { activeUser, mailedToken } from '../support/sign-in.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';

let app: TestApp;
let provider: ScriptedProvider;
let acme: string;
const API = 'https://api.example.com';
const platform = () => app.api.platform;

beforeAll(async () => {
  [app, provider] = await Promise.all([startIssuer(), startScriptedProvider()]);
  acme = (await platform().post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201)).body.data.id;
  const api = { identifier: API, name: 'Directory', scopes: [{ name: 'members:read' }] };
  await platform().post('/v1/organizations/acme/oauth-resources', api).expect(201);
});

afterAll(async () => {
  await provider?.stop();
  await app?.close();
});

const organization = async (parent: string, name: string): Promise<string> =>
  (await platform().post('/v1/organizations', { name, parentId: parent }).expect(201)).body.data.id;

/** A suspended client is no client. */
const INVALID = /^invalid_(?:grant|client)$/;
const INVALID_EXCHANGE = /^invalid_(?:request|client)$/;

interface Place {
  readonly user: SignedIn;
  readonly parent: string;
  readonly home: string;
  readonly application: OAuthApplication;
  /** The program behind the API, which exchanges the tokens that the API gets. */
  readonly service: OAuthApplication;
  /** The identity provider of the sign-in. */
  readonly providerId?: string;
}

type Kind = 'by password' | 'by provider' | 'with MFA';

/** A user of a new organization, and a client of its parent. */
async function place(name: string, kind: Kind = 'by password'): Promise<Place> {
  const parent = await organization(acme, `${name}, parent`);
  const home = await organization(parent, name);
  const resources = [app.config.baseUrl, API].map((identifier) => ({ identifier, scopes: ['members:read'] }));
  const grantTypes = ['authorization_code', 'refresh_token', DEVICE_CODE];
  const application = await OAuthApplication.create(app, parent, { resources, grantTypes });
  const service = await OAuthApplication.service(app, parent, { resources, audiences: [API] });
  const shared = { parent, home, application, service };
  if (kind === 'by provider') return { ...shared, ...(await signedInByProvider(home)) };
  const account = await activeUser(app, home, { email: `${home}@example.com`, roles: ['admin'] });
  const user = await openSession(app, { ...(account as SignedIn), tenantId: acme }, { at: home });
  if (kind === 'by password') return { ...shared, user };
  const { token } = await addTotp(app, user.token);
  return { ...shared, user: { ...user, token, client: app.api.as(token) } };
}

async function signedInByProvider(home: string): Promise<Pick<Place, 'user' | 'providerId'>> {
  const domain = `${home.slice(4).replaceAll('_', '')}.example`;
  const { id: providerId } = await identityProvider(app, home, provider.issuer, { trustedDomains: [domain] });
  const email = `ada@${domain}`;
  provider.script = { claims: { sub: email, email, email_verified: true } };
  const { body } = await oidcSignIn(app, home, providerId);
  const { sessionToken: token, user } = body.data;
  const signedIn = { id: user.id, email, tenantId: acme, sessionId: '', token, client: app.api.as(token) };
  return { user: signedIn, providerId };
}

/** Returns which uses of the tokens and of a code succeed. */
async function usesOf(
  { application, service, user, home }: Place,
  { tokens, api, jwt, exchanged, code, callback, device, deviceCode }: Access,
): Promise<string[]> {
  const { active } = await application.introspect(tokens.access_token).catch(() => ({ active: false }));
  const isAccepted = async ({ access_token: token }: Tokens): Promise<boolean> =>
    (await app.api.as(token).get(`/v1/organizations/${home}/members`)).status === 200;
  const outcomes: Record<string, unknown> = {
    exchanged: await isAccepted(exchanged),
    exchange: await accepts(service.exchangeToken(jwt.access_token, { resource: app.config.baseUrl }), INVALID_EXCHANGE),
    api: await isAccepted(api),
    introspection: active,
    userinfo: (await refusal(application.userInfo(tokens, user.id))) === undefined,
    refresh: await accepts(application.refresh(tokens.refresh_token)),
    code: await accepts(application.exchange(callback, code.checks)),
    device: await isAccepted(device),
    deviceRefresh: await accepts(application.refresh(device.refresh_token)),
    deviceCode: await accepts(deviceCode()),
  };
  return Object.keys(outcomes).filter((name) => outcomes[name]);
}

/** A client that is refused is no valid client any more, or its grant is not. */
async function accepts(exchange: Promise<unknown>, error = INVALID): Promise<boolean> {
  const refused = await refusal(exchange);
  if (refused !== undefined) expect(refused).toMatch(error);
  return refused === undefined;
}

type Access = Awaited<ReturnType<typeof accessOf>>;

async function accessOf({ application, service, user, home }: Place, scope: string) {
  const parameters = { scope, organization: home };
  const own = { ...parameters, scope: `${scope} members:read`, resource: app.config.baseUrl };
  const api = await application.signIn(user, own);
  const jwt = await application.signIn(user, { ...own, resource: API });
  const exchanged = await service.exchangeToken(jwt.access_token, { resource: app.config.baseUrl });
  const tokens = await application.signIn(user, parameters);
  const code = await application.start(user, parameters);
  const callback = await code.finish();
  const startOnDevice = () => application.startOnDevice(user, home, own);
  const device = await (await startOnDevice())();
  return { api, jwt, exchanged, tokens, code, callback, device, deviceCode: await startOnDevice() };
}

/** The uses without an exchange. */
const USES = ['api', 'introspection', 'userinfo', 'refresh', 'code', 'device', 'deviceRefresh', 'deviceCode'];
const OFFLINE = 'openid offline_access';

describe('a code and its tokens', () => {
  const users = ({ home, user }: Place) => `/v1/organizations/${home}/users/${user.id}`;
  const client = ({ parent, application }: Place) => `/v1/organizations/${parent}/oauth-clients/${application.clientId}`;
  const providerOf = ({ home, providerId }: Place) => `/v1/organizations/${home}/identity-providers/${providerId}`;
  const post = (path: string, body?: object) => platform().post(path, body).expect(200);
  const patch = (path: string, body: object) => platform().patch(path, body).expect(200);
  const end = (path: string) => platform().delete(path);

  it.each<[string, Kind, string, (place: Place) => Promise<unknown>]>([
    ['the user is suspended', 'by password', OFFLINE, (p) => post(`${users(p)}/suspend`, { reason: 'Left' })],
    ['the user is deleted', 'by password', OFFLINE, (p) => end(users(p)).expect(204)],
    [
      'the user is no member',
      'by password',
      OFFLINE,
      ({ home, user }) => end(`/v1/organizations/${home}/members/${user.id}`).expect(204),
    ],
    [
      'the organization is suspended',
      'by password',
      OFFLINE,
      ({ home }) => post(`/v1/organizations/${home}/suspend`, { reason: 'Unpaid' }),
    ],
    [
      'the parent is suspended',
      'by password',
      OFFLINE,
      ({ parent }) => post(`/v1/organizations/${parent}/suspend`, { reason: 'Unpaid' }),
    ],
    ['the organization is deleted', 'by password', OFFLINE, ({ home }) => end(`/v1/organizations/${home}`)],
    [
      'the organization requires MFA',
      'by password',
      OFFLINE,
      ({ home }) => patch(`/v1/organizations/${home}`, { settings: { requireMfa: true } }),
    ],
    ['the client is disabled', 'by password', OFFLINE, (p) => patch(client(p), { enabled: false })],
    [
      'the client expires',
      'by password',
      OFFLINE,
      ({ application }) =>
        app.database.query('UPDATE oauth_clients SET expires_at = now() WHERE id = $1', [application.clientId]),
    ],
    ['the client is deleted', 'by password', OFFLINE, (p) => end(client(p)).expect(204)],
    ['the client is for another organization', 'by password', OFFLINE, (p) => patch(client(p), { visibility: 'organization' })],
    ['the identity provider is disabled', 'by provider', OFFLINE, (p) => patch(providerOf(p), { enabled: false })],
    [
      'the identity provider is disabled, without offline access',
      'by provider',
      'openid',
      (p) => patch(providerOf(p), { enabled: false }),
    ],
    ['the identity provider is deleted', 'by provider', OFFLINE, (p) => end(providerOf(p)).expect(204)],
    ['an administrator revokes the sessions', 'by password', OFFLINE, (p) => end(`${users(p)}/sessions`).expect(200)],
    ['an administrator resets MFA', 'with MFA', OFFLINE, (p) => end(`${users(p)}/mfa`).expect(204)],
    [
      'the user resets the password',
      'by password',
      OFFLINE,
      async ({ home, user: { email } }) => {
        await app.api.anonymous.post('/v1/auth/forgot-password', { organization: home, email }).expect(202);
        const token = await mailedToken(app, email, 'password_reset');
        await app.api.anonymous.post('/v1/auth/reset-password', { token, password: 'marble thicket cobalt ferry' }).expect(204);
      },
    ],
    ['the user signs out', 'by password', 'openid', ({ user }) => user.client.post('/v1/auth/logout').expect(204)],
    [
      'the user disconnects the application',
      'by password',
      OFFLINE,
      async ({ user }) => {
        const { body } = await user.client.get('/v1/auth/oauth-grants').expect(200);
        await user.client.delete(`/v1/auth/oauth-grants/${body.data[0].id}`).expect(204);
      },
    ],
    [
      'an administrator revokes the grant',
      'by password',
      OFFLINE,
      async ({ home, user }) => {
        const grants = `/v1/organizations/${home}/oauth-grants`;
        const { body } = await platform().get(`${grants}?userId=${user.id}`).expect(200);
        expect(body.data[0]).toMatchObject({ userId: user.id, userEmail: user.email, application: { name: 'Billing' } });
        await platform().delete(`${grants}/${body.data[0].id}`).expect(204);
      },
    ],
  ])('end at once when %s', async (title, kind, scope, ends) => {
    const p = await place(title, kind);
    const access = await accessOf(p, scope);
    expect((await app.api.as(access.api.access_token).get(`/v1/organizations/${p.home}/members`)).status).toBe(200);
    expect((await p.application.introspect(access.tokens.access_token)).active).toBe(true);
    await ends(p);
    expect(await usesOf(p, access)).toEqual([]);
  });

  it.each<[string, (service: string) => Promise<unknown>]>([
    ['disabled', (service) => patch(service, { enabled: false })],
    ['deleted', (service) => end(service).expect(204)],
  ])('end only where a program acts that is %s', async (title, ends) => {
    const p = await place(title);
    const access = await accessOf(p, OFFLINE);
    await ends(client({ ...p, application: p.service }));
    expect(await usesOf(p, access)).toEqual(USES);
  });

  it.each<[string, Kind, (place: Place) => Promise<unknown>]>([
    ['the user signs out, with offline access', 'by password', ({ user }) => user.client.post('/v1/auth/logout').expect(204)],
    ['the identity provider loses the trust for the domain', 'by provider', (p) => patch(providerOf(p), { trustedDomains: [] })],
    [
      'the identity provider is enabled again',
      'by provider',
      async (p) => {
        await patch(providerOf(p), { enabled: false });
        await patch(providerOf(p), { enabled: true });
      },
    ],
  ])('go on when %s', async (title, kind, change) => {
    const p = await place(title, kind);
    const access = await accessOf(p, OFFLINE);
    await change(p);
    expect(await usesOf(p, access)).toEqual(['exchanged', 'exchange', ...USES]);
  });
});

describe('the organization of a sign-in', () => {
  it('is asked for if there are several, and is in the claims', async () => {
    const [north, south] = [await organization(acme, 'North'), await organization(acme, 'South')];
    const user = await signedIn(app, north, { roles: ['member'] });
    await platform().post(`/v1/organizations/${south}/members`, { userId: user.id, role: 'admin' }).expect(201);
    const application = await OAuthApplication.create(app, acme);

    const request = await application.start(user);
    const tokens = await application.exchange(await request.finish(south), request.checks);
    expect(tokens.claims()).toMatchObject({ org_id: south, org_path: [acme, south], roles: ['admin'] });
    const direct = await application.start(user, { organization: north });
    expect((await application.exchange(await direct.finish(), direct.checks)).claims()).toMatchObject({
      org_id: north,
      roles: ['member'],
    });
    const silent = await application.start(user, { prompt: 'none' });
    expect((await silent.open()).searchParams.get('error')).toBe('interaction_required');
  });

  it.each<[string, Record<string, string>]>([
    ['does not exist', { organization: 'nowhere' }],
    ['is not within the reach of the client', { organization: 'acme' }],
  ])('is refused if it %s', async (_, parameters) => {
    const { user, application } = await place('Reach');
    expect((await (await application.start(user, parameters)).open()).searchParams.get('error')).toBe('access_denied');
  });

  it('can require more of the session than the user has proved', async () => {
    const { user, home, application } = await place('Strict');
    const page = await (await application.start(user, { acr_values: 'aal2' })).open();
    expect([page.pathname, page.searchParams.get('reauthenticate')]).toEqual(['/account/sign-in', '1']);
    const stronger = await openSession(app, user, { at: home, methods: ['password', 'totp'] });
    expect((await application.signIn(stronger, { acr_values: 'aal2' })).claims()).toMatchObject({ acr: 'aal2' });
  });
});
