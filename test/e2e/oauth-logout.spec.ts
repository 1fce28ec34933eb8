// Processor time: each reason for the end of a session has an organization, a user, a client and a sign-in of its own.
import { OAuthSessionsService } from '#identity/oauth';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify, type JWTPayload } from 'jose';
import type { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { OAuthApplication, startIssuer } from '../support/oauth-application.js';
import { identityProvider, oidcSignIn } from '../support/oidc.js';
import { quantile } from '../support/quantile.js';
import { type ReceivedRequest, testReceiver } from '../support/receiver.js';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-identity-provider.js';
import { connectScim, setActive } from '../support/scim.js';
import { activeUser, DAY_MS, later, mailedToken, NEW_PASSWORD, PASSWORD } from '../support/sign-in.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const SETTINGS = { webhookRetryScheduleMs: [20, 20, 20, 20, 20, 20, 20, 20, 20] };

let app: TestApp;
let provider: ScriptedProvider;
let acme: string;
let answer: (request: ReceivedRequest) => number = () => 200;
const receiver = testReceiver((request) => ({ status: answer(request) }));
const platform = () => app.api.platform;

beforeAll(async () => {
  [app, provider] = await Promise.all([startIssuer(SETTINGS), startScriptedProvider()]);
  acme = await organization(null, 'Acme');
});

afterAll(async () => {
  await provider?.stop();
  await app?.close();
});

const organization = async (parentId: string | null, name: string): Promise<string> =>
  (
    await platform()
      .post('/v1/organizations', { name, ...(parentId ? { parentId } : {}) })
      .expect(201)
  ).body.data.id;

let paths = 0;

/** An application with an address of its own at the receiver. */
class Application {
  private constructor(
    readonly client: OAuthApplication,
    readonly path: string,
  ) {}

  static async create(owner: string | undefined, fields: object = {}): Promise<Application> {
    const path = `/logout-${++paths}`;
    const logout = { backchannelLogoutUri: receiver.url.slice(0, -1) + path, backchannelLogoutSessionRequired: true };
    return new Application(await OAuthApplication.create(app, owner, { ...logout, ...fields }), path);
  }

  get requests(): ReceivedRequest[] {
    return receiver.requests.filter(({ path }) => path === this.path);
  }

  received(count: number): Promise<void> {
    return eventually(() => this.requests.length >= count, 20_000, `${count} requests to ${this.path}`);
  }

  /** Returns the claims of all tokens that the application accepts, as the specification says. */
  async tokens(): Promise<JWTPayload[]> {
    return Promise.all(this.requests.map((request) => this.verified(request)));
  }

  private async verified({ method, headers, body }: ReceivedRequest): Promise<JWTPayload> {
    expect([method, headers['content-type']]).toEqual(['POST', 'application/x-www-form-urlencoded']);
    const token = new URLSearchParams(body.toString()).get('logout_token') ?? '';
    const keys = createRemoteJWKSet(new URL(`${app.config.baseUrl}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(token, keys, {
      typ: 'logout+jwt',
      issuer: app.config.baseUrl,
      audience: this.client.clientId,
      algorithms: ['ES256', 'RS256'],
      maxTokenAge: 120,
      requiredClaims: ['iat', 'exp', 'jti', 'sub'],
    });
    expect(payload['events']).toEqual({ [LOGOUT_EVENT]: {} });
    expect(payload).not.toHaveProperty('nonce');
    return payload;
  }
}

interface Place {
  readonly home: string;
  readonly parent: string;
  readonly user: SignedIn;
  readonly providerId: string;
}

async function place(name: string, reason = ''): Promise<Place> {
  const parent = await organization(acme, `${name}, parent`);
  const home = await organization(parent, name);
  if (!reason.startsWith('identity_provider')) return { parent, home, providerId: '', user: await newUser(home, reason) };
  const email = `ada@${home.slice(4).replaceAll('_', '')}.example`;
  const { id: providerId } = await identityProvider(app, home, provider.issuer, { trustedDomains: [email.slice(4)] });
  provider.script = { claims: { sub: email, email, email_verified: true } };
  const { sessionToken: token, user } = (await oidcSignIn(app, home, providerId)).body.data;
  const [{ id: sessionId }] = (await app.database.query('SELECT id FROM sessions WHERE user_id = $1', [user.id])) as [
    { id: string },
  ];
  return { parent, home, providerId, user: { id: user.id, email, tenantId: acme, sessionId, token, client: app.api.as(token) } };
}

/** Only users who change the password have one. */
async function newUser(home: string, reason: string): Promise<SignedIn> {
  if (!reason.startsWith('password')) return signedIn(app, home, { roles: ['admin'] });
  const account = await activeUser(app, home, { email: `ada@${home.slice(4).replaceAll('_', '')}.example`, roles: ['admin'] });
  return openSession(app, { ...(account as SignedIn), tenantId: acme }, { at: home });
}

const post = (path: string, body?: object) => platform().post(path, body).expect(200);
const users = ({ home, user }: Place) => `/v1/organizations/${home}/users/${user.id}`;
const providerOf = ({ home, providerId }: Place) => `/v1/organizations/${home}/identity-providers/${providerId}`;
const reasonOf = async ({ user }: Place) =>
  (
    await app.database.query(
      `SELECT payload::json #>> '{data,reason}' AS reason FROM events WHERE type = 'oauth_session.ended' AND user_id = $1`,
      [user.id],
    )
  ).map(({ reason }) => reason);

describe('back-channel logout', () => {
  it.each<[reason: string, title: string, end: (place: Place) => PromiseLike<unknown>]>([
    ['signed_out', 'the user signs out', ({ user }) => user.client.post('/v1/auth/logout').expect(204)],
    [
      'revoked_by_user',
      'the user revokes the session',
      ({ user }) => user.client.delete(`/v1/auth/sessions/${user.sessionId}`).expect(204),
    ],
    [
      'revoked_by_administrator',
      'an administrator revokes the sessions',
      (p) =>
        platform()
          .delete(`${users(p)}/sessions`)
          .expect(200),
    ],
    ['user_suspended', 'the user is suspended', (p) => post(`${users(p)}/suspend`, { reason: 'Left' })],
    [
      'user_suspended',
      'the user is suspended and keeps the sessions',
      (p) => post(`${users(p)}/suspend`, { reason: 'Left', revokeActiveSessions: false }),
    ],
    ['user_deleted', 'the user is deleted', (p) => platform().delete(users(p)).expect(204)],
    [
      'user_deleted',
      'the user is erased',
      (p) =>
        platform()
          .delete(`${users(p)}?permanent=true`)
          .expect(204),
    ],
    [
      'organization_suspended',
      'the organization is suspended',
      ({ home }) => post(`/v1/organizations/${home}/suspend`, { reason: 'Unpaid' }),
    ],
    [
      'organization_suspended',
      'the parent is suspended',
      ({ parent }) => post(`/v1/organizations/${parent}/suspend`, { reason: 'Unpaid' }),
    ],
    ['organization_deleted', 'the organization is deleted', ({ home }) => platform().delete(`/v1/organizations/${home}`)],
    [
      'member_removed',
      'the user is no member any more',
      ({ home, user }) => platform().delete(`/v1/organizations/${home}/members/${user.id}`).expect(204),
    ],
    [
      'identity_provider_disabled',
      'the identity provider is disabled',
      (p) => platform().patch(providerOf(p), { enabled: false }).expect(200),
    ],
    ['identity_provider_deleted', 'the identity provider is deleted', (p) => platform().delete(providerOf(p)).expect(204)],
    [
      'password_changed',
      'the user changes the password in another session',
      async ({ home, user }) => {
        const other = await openSession(app, user, { at: home });
        await other.client.post('/v1/auth/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }).expect(204);
      },
    ],
    [
      'password_reset',
      'the user resets the password',
      async ({ home, user: { email } }) => {
        await app.api.anonymous.post('/v1/auth/forgot-password', { organization: home, email }).expect(202);
        const token = await mailedToken(app, email, 'password_reset');
        await app.api.anonymous.post('/v1/auth/reset-password', { token, password: NEW_PASSWORD }).expect(204);
      },
    ],
    [
      'revoked_by_user',
      'the user disconnects the application',
      async ({ user }) => {
        const { body } = await user.client.get('/v1/auth/oauth-grants').expect(200);
        await user.client.delete(`/v1/auth/oauth-grants/${body.data[0].id}`).expect(204);
      },
    ],
  ])('tells the application that the session ended (%s) when %s', async (reason, title, end) => {
    const p = await place(title, reason);
    const [application, stranger] = [
      await Application.create(p.parent),
      await Application.create(await organization(null, 'Other')),
    ];
    const tokens = await application.client.signIn(p.user, { organization: p.home });
    expect(tokens.claims()).toMatchObject({ sid: p.user.sessionId });
    await end(p);
    await application.received(1);
    const [token] = await application.tokens();
    expect(token).toMatchObject({ sub: p.user.id, sid: p.user.sessionId });
    expect(await reasonOf(p)).toEqual([reason]);
    expect([application.requests.length, stranger.requests.length]).toEqual([1, 0]);
  });

  it('tells the application when a directory deactivates the user', async () => {
    const home = await organization(acme, 'Directory');
    const scim = await connectScim(app, home);
    const email = 'ada@directory.example';
    const { id } = await scim.create('/Users', { userName: email, active: true });
    const user = await openSession(app, { id, email, tenantId: acme }, { at: home });
    const application = await Application.create(home);
    await application.client.signIn(user, { organization: home });
    await scim.patch(`/Users/${id}`, setActive(false)).expect(200);
    await application.received(1);
    expect(await application.tokens()).toMatchObject([{ sub: id, sid: user.sessionId }]);
  });

  it('names only the user unless the application wants the session', async () => {
    const p = await place('Users only');
    const application = await Application.create(p.parent, {
      backchannelLogoutSessionRequired: false,
      idTokenAlgorithm: 'RS256',
    });
    const tokens = await application.client.signIn(p.user, { organization: p.home });
    expect(tokens.claims()).not.toHaveProperty('sid');
    await p.user.client.post('/v1/auth/logout').expect(204);
    await application.received(1);
    const [token] = await application.tokens();
    expect([token?.sub, token?.['sid']]).toEqual([p.user.id, undefined]);
  });

  it('reaches clients of the platform, sign-ins on devices and sign-ins of guests in another tenant', async () => {
    const p = await place('Guest');
    const abroad = await organization(null, 'Abroad');
    await platform().post(`/v1/organizations/${abroad}/members`, { userId: p.user.id, role: 'member' }).expect(201);
    const grantTypes = ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'];
    const [ofPlatform, ofAbroad] = [await Application.create(undefined, { grantTypes }), await Application.create(abroad)];
    await ofAbroad.client.signIn(p.user, { organization: abroad });
    const device = await ofPlatform.client.startOnDevice(p.user, p.home, { scope: 'openid', organization: p.home });
    expect((await device()).claims()).toMatchObject({ sid: p.user.sessionId });
    await platform()
      .delete(`${users(p)}/sessions`)
      .expect(200);
    for (const each of [ofPlatform, ofAbroad]) {
      await each.received(1);
      expect(await each.tokens()).toMatchObject([{ sid: p.user.sessionId }]);
    }
    const path = (org: string, { client }: Application) =>
      `/v1/organizations/${org}/oauth-clients/${client.clientId}/logout-deliveries`;
    expect((await platform().get(path(p.home, ofPlatform)).expect(200)).body.pagination.total).toBe(1);
    await p.user.client.get(path(p.home, ofPlatform)).expect(401);
    const admin = await signedIn(app, p.home, { roles: ['admin'] });
    await admin.client.get(path(p.home, ofPlatform)).expect(404);
    await admin.client.get(path(p.home, ofAbroad)).expect(404);
  });

  it('says so in discovery, and rejects addresses that can receive no token', async () => {
    const { body } = await app.api.anonymous.get('/.well-known/openid-configuration').expect(200);
    expect(body).toMatchObject({ backchannel_logout_supported: true, backchannel_logout_session_supported: true });
    const create = (fields: object) =>
      platform().post(`/v1/organizations/${acme}/oauth-clients`, {
        name: 'Billing',
        type: 'web',
        redirectUris: ['https://a.example/'],
        ...fields,
      });
    for (const backchannelLogoutUri of ['http://app.example.com/logout', 'https://app.example.com/#logout', 'logout'])
      await create({ backchannelLogoutUri }).expect(400, 'validation_failed');
    await create({ backchannelLogoutSessionRequired: true }).expect(400, 'validation_failed');
    await create({ type: 'machine', redirectUris: [], backchannelLogoutUri: 'https://app.example.com/' }).expect(
      400,
      'validation_failed',
    );
  });

  it('ends expired sessions, and keeps those in use', async () => {
    const p = await place('Expiry');
    const application = await Application.create(p.parent);
    await application.client.signIn(p.user, { organization: p.home });
    const checks = app.app.get(OAuthSessionsService);
    await app.database.query(`UPDATE oauth_sessions SET check_at = now() - interval '1 minute'`);
    await checks.run();
    expect(application.requests).toEqual([]);
    await later(app, 31 * DAY_MS, () => checks.run());
    await application.received(1);
    expect(await reasonOf(p)).toEqual(['session_expired']);
  });
});

describe('an application that drops 30 % of the requests', () => {
  it('gets every token, and a resend and a replay send new ones', async () => {
    const p = await place('Lossy');
    const application = await Application.create(p.parent);
    const { clientId } = application.client;
    const deliveries = `/v1/organizations/${p.parent}/oauth-clients/${clientId}/logout-deliveries`;
    const signIn = async () => {
      const session = await openSession(app, p.user, { at: p.home });
      await application.client.signIn(session, { organization: p.home });
      return session;
    };
    let received = 0;
    answer = ({ path }) => (path === application.path && received++ % 10 < 3 ? 503 : 200);
    const sessions = [];
    for (let count = 0; count < 30; count++) sessions.push(await signIn());
    await Promise.all(sessions.map(({ client }) => client.post('/v1/auth/logout').expect(204)));
    const isDone = async () => (await platform().get(`${deliveries}?status=succeeded`).expect(200)).body.pagination.total === 30;
    await eventually(isDone, 30_000, 'all deliveries succeeded');
    const sids = new Set((await application.tokens()).map(({ sid }) => sid));
    expect(sids).toEqual(new Set(sessions.map(({ sessionId }) => sessionId)));
    answer = () => 200;

    const [{ id }] = (await platform().get(deliveries).expect(200)).body.data;
    const before = application.requests.length;
    expect((await post(`${deliveries}/${id}/retry`)).body.data).toMatchObject({ id, status: 'pending' });
    await application.received(before + 1);
    expect(
      (await post(`${deliveries}/replay`, { since: '2020-01-01T00:00:00Z', status: 'all' })).body.data.count,
    ).toBeGreaterThan(28);
    await application.received(before + 30);
    const jtis = (await application.tokens()).map(({ jti }) => jti);
    expect(new Set(jtis).size).toBe(jtis.length);
    const details = (await platform().get(`${deliveries}/${id}`).expect(200)).body.data;
    expect(details.attempts.at(-1)).toMatchObject({ responseCode: 200, url: expect.stringContaining(application.path) });
    expect(details).toMatchObject({ userId: p.user.id, reason: 'signed_out' });
    const [{ eventId }] = (await platform().get(deliveries).expect(200)).body.data;
    expect((await platform().get(`/v1/organizations/${p.parent}/events/${eventId}`).expect(200)).body.data).toMatchObject({
      type: 'oauth_session.ended',
    });
  });

  it('learns of a suspension at once', async () => {
    const latenciesMs: number[] = [];
    for (let count = 0; count < 10; count++) {
      const p = await place(`Fast ${count}`);
      const application = await Application.create(p.parent);
      await application.client.signIn(p.user, { organization: p.home });
      await post(`${users(p)}/suspend`, { reason: 'Left' });
      const suspendedAt = Date.now();
      await application.received(1);
      latenciesMs.push(application.requests[0]!.receivedAt - suspendedAt);
    }
    const p50 = quantile(latenciesMs, 0.5);
    process.stdout.write(`Logout token after the response to a suspension: p50 ${p50} ms of ${latenciesMs.length}.\n`);
    expect(p50).toBeLessThan(1_000);
  });
});
