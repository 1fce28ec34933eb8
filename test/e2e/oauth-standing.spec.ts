import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { OAuthApplication, refusal, startIssuer, type Tokens } from '../support/oauth-application.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';

let app: TestApp;
let acme: string;
const platform = () => app.api.platform;

beforeAll(async () => {
  app = await startIssuer();
  acme = (await platform().post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201)).body.data.id;
});

afterAll(() => app?.close());

const organization = async (parent: string, name: string): Promise<string> =>
  (await platform().post('/v1/organizations', { name, parentId: parent }).expect(201)).body.data.id;

/** A suspended client is no client. */
const INVALID = /^invalid_(?:grant|client)$/;

interface Place {
  readonly user: SignedIn;
  readonly home: string;
  readonly application: OAuthApplication;
}

/** A client and a user of a new organization below Acme. */
async function place(name: string): Promise<Place> {
  const home = await organization(acme, name);
  return { home, user: await signedIn(app, home, { roles: ['admin'] }), application: await OAuthApplication.create(app, home) };
}

/** Returns whether the access token is active, and the error of a refresh. */
async function stateOf(application: OAuthApplication, tokens: Tokens): Promise<[active: boolean, refused: string | undefined]> {
  const { active } = await application.introspect(tokens.access_token).catch(() => ({ active: false }));
  return [active, await refusal(application.refresh(tokens.refresh_token))];
}

describe('a code and its tokens end at once', () => {
  const users = ({ home, user }: Place) => `/v1/organizations/${home}/users/${user.id}`;
  it.each<[string, boolean, (place: Place) => Promise<unknown>]>([
    [
      'when the user is suspended',
      true,
      (p) =>
        platform()
          .post(`${users(p)}/suspend`, { reason: 'Left' })
          .expect(200),
    ],
    ['when the user is deleted', true, (p) => platform().delete(users(p)).expect(204)],
    [
      'when the organization is suspended',
      true,
      ({ home }) => platform().post(`/v1/organizations/${home}/suspend`, { reason: 'Unpaid' }).expect(200),
    ],
    [
      'when the client is disabled',
      true,
      ({ home, application }) =>
        platform().patch(`/v1/organizations/${home}/oauth-clients/${application.clientId}`, { enabled: false }).expect(200),
    ],
    [
      'when the client is deleted',
      true,
      ({ home, application }) => platform().delete(`/v1/organizations/${home}/oauth-clients/${application.clientId}`).expect(204),
    ],
    [
      'when an administrator revokes the session',
      true,
      (p) =>
        platform()
          .delete(`${users(p)}/sessions`)
          .expect(200),
    ],
    [
      'when the organization requires a second factor',
      true,
      ({ home }) =>
        platform()
          .patch(`/v1/organizations/${home}`, { settings: { requireMfa: true } })
          .expect(200),
    ],
    [
      'when the password changes',
      true,
      ({ user }) =>
        app.database.query(`UPDATE users SET last_password_change_at = now() + interval '5 seconds' WHERE id = $1`, [user.id]),
    ],
    ['when the user signs out, without offline access', false, ({ user }) => user.client.post('/v1/auth/logout').expect(204)],
    [
      'when the user disconnects the application',
      true,
      async ({ user }) => {
        const { body } = await user.client.get('/v1/auth/oauth-grants').expect(200);
        await user.client.delete(`/v1/auth/oauth-grants/${body.data[0].id}`).expect(204);
      },
    ],
    [
      'when an administrator revokes the grant',
      true,
      async ({ home, user }) => {
        const grants = `/v1/organizations/${home}/oauth-grants`;
        const { body } = await platform().get(`${grants}?userId=${user.id}`).expect(200);
        expect(body.data[0]).toMatchObject({ userId: user.id, userEmail: user.email, application: { name: 'Billing' } });
        await platform().delete(`${grants}/${body.data[0].id}`).expect(204);
      },
    ],
  ])('%s', async (title, offline, end) => {
    const p = await place(title);
    const scope = `openid email${offline ? ' offline_access' : ''}`;
    const tokens = await p.application.signIn(p.user, { scope });
    const code = await p.application.start(p.user, { scope });
    const callback = await code.finish();
    expect((await p.application.introspect(tokens.access_token)).active).toBe(true);

    await end(p);

    const [active, refused] = await stateOf(p.application, tokens);
    expect([active, refused ?? 'accepted']).toEqual([false, expect.stringMatching(INVALID)]);
    expect(await refusal(p.application.exchange(callback, code.checks))).toMatch(INVALID);
    expect(await refusal(p.application.userInfo(tokens, p.user.id))).toBeDefined();
  });

  it('but not of a user who signs out, with offline access', async () => {
    const { user, application } = await place('Offline');
    const tokens = await application.signIn(user, { scope: 'openid offline_access' });
    await user.client.post('/v1/auth/logout').expect(204);
    expect(await stateOf(application, tokens)).toEqual([true, undefined]);
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
