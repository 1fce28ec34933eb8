import { describe, expect, it } from '@jest/globals';
import { testApp } from '../support/test-app.js';
import { numberedEvents } from '../support/event-log.js';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody, TestClient } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { at, made, newAddress, newOrganization, newUser, read } from '../support/organizations.js';
import { addTotp, challenge, freshCode, userWithTotp, verify } from '../support/second-factors.js';
import {
  activeUser,
  from,
  HOUR_MS,
  later,
  login,
  mailedToken,
  NEW_PASSWORD,
  PASSWORD,
  sessionToken,
} from '../support/sign-in.js';

const app = testApp({ trustProxy: ['127.0.0.1'] });

describe('a password reset', () => {
  const person = (org: TestBody): Promise<TestBody> => activeUser(app, org.id, { email: newAddress() });
  const forgot = (org: string, email: string): PendingResponse =>
    app.api.anonymous.post('/v1/auth/forgot-password', { organization: org, email });
  const reset = (token: string, password = NEW_PASSWORD): PendingResponse =>
    app.api.anonymous.post('/v1/auth/reset-password', { token, password });
  const previewLink = (token: string): PendingResponse => app.api.anonymous.post('/v1/auth/links/look', { token });
  const signUp = (org: string, email: string): PendingResponse =>
    app.api.anonymous.post('/v1/auth/sign-up', { organization: org, email, password: PASSWORD });
  const templates = async (email: string) => (await mailsTo(app, email)).map(({ template }) => template);

  it('sets a new password and ends all sessions of the user', async () => {
    const org = await newOrganization(app);
    const user = await person(org);
    const open = [await login(app, org.id, user.email).expect(200), await login(app, org.id, user.email).expect(200)];
    const { body } = await forgot(org.slug, user.email.toUpperCase()).expect(202);
    expect(body).toEqual({ data: { email: user.email.toUpperCase() } });
    const [mail] = await mailsTo(app, user.email);
    expect(mail).toMatchObject({ template: 'password_reset', subject: `Reset your password for ${org.name}` });
    const token = await mailedToken(app, user.email, 'password_reset');

    const events = await eventsDuring(app, async () => {
      const response = await reset(token).expect(204);
      expect(response.body).toBeUndefined();
    });
    expect(events.map(({ type }) => type)).toEqual([
      'user.password_changed',
      'security.session_revoked',
      'security.session_revoked',
    ]);
    expect(events[0]!.data).toMatchObject({ userId: user.id, method: 'reset' });
    expect(new Set(events.slice(1).map(({ data }) => data.sessionId))).toEqual(
      new Set(open.map(({ body }) => body.data.session.id)),
    );
    expect(await templates(user.email)).toEqual(['security_notice', 'password_reset', 'invitation']);
    await login(app, org.id, user.email, PASSWORD).expect(401);
    await login(app, org.id, user.email, NEW_PASSWORD).expect(200);
  });

  it('does not reveal whether the email address has an account', async () => {
    const org = await newOrganization(app);
    const path = at(org.id, '/users');
    const active = await person(org);
    const suspended = await person(org);
    await app.api.platform.post(`${path}/${suspended.id}/suspend`, {}).expect(200);
    const pending = await made(app, path, { email: newAddress() });
    const elsewhere = await person(await newOrganization(app));
    const closed = await newOrganization(app);
    const locked = await person(closed);
    await app.api.platform.post(at(closed.id, '/suspend'), {}).expect(200);
    const requests: [string, string][] = [
      [org.id, active.email],
      [org.id, suspended.email],
      [org.id, pending.email],
      [org.id, elsewhere.email],
      [org.id, newAddress()],
      ['no-such-organization', active.email],
      [closed.id, locked.email],
    ];
    const responses = [];
    for (const [name, email] of requests) {
      const start = performance.now();
      const { status, body, headers } = await forgot(name, email);
      expect(body).toEqual({ data: { email } });
      responses.push({ status, headers: [...headers.keys()].sort() });
      expect(performance.now() - start).toBeGreaterThan(195);
    }
    expect(responses[0]!.status).toBe(202);
    for (const response of responses) expect(response).toEqual(responses[0]);
  });

  describe('of an account in any state', () => {
    type Arrange = (org: TestBody) => Promise<TestBody>;
    const created = (org: TestBody, fields: object = {}): Promise<TestBody> => newUser(app, org.id, fields);
    const invited: Arrange = (org) => created(org, { sendInvitation: true });
    const signedUp: Arrange = async (org) => {
      const email = newAddress();
      await signUp(org.id, email).expect(202);
      return { email };
    };
    /** Creates a user of a child organization. `isMember` makes the user a member of the organization, too. */
    const ofChild =
      (isMember: boolean): Arrange =>
      async (org) => {
        const child = await newOrganization(app, { parentId: org.id });
        const user = await invited(child);
        if (isMember) await made(app, at(org.id, '/members'), { userId: user.id });
        return { ...user, child: at(child.id) };
      };
    /** Changes a user. `change` gets the path of the user. */
    const after =
      (arrange: Arrange, change: (path: string, user: TestBody) => PendingResponse): Arrange =>
      async (org) => {
        const user = await arrange(org);
        const { status, body } = await change(at(org.id, `/users/${user.id}`), user);
        expect(status).toBeLessThan(300);
        return { ...user, email: body?.data.email ?? user.email };
      };
    const requestEmailChange: Arrange = async (org) => {
      const user = await person(org);
      const change = { email: newAddress(), currentPassword: PASSWORD };
      const session = app.api.as(await sessionToken(app, org.id, user.email));
      await session.post('/v1/auth/me/email', change).expect(202);
      return user;
    };
    const remove = (path: string) => app.api.platform.delete(path);
    const send = (path: string) => app.api.platform.post(path, {});
    const RESET = ['password_reset', 'user.password_reset_requested'];
    const INVITATION = ['invitation', 'user.invited'];
    const REMOVAL = ['invitation', 'user.updated', 'user.invited'];
    const ACCESS = ['account_access'];
    const EXISTS = ['account_exists'];
    const SIGN_UP = ['email_verification', 'user.created', 'user.password_changed'];
    const STATES: [state: string, onForgotten: string[], onSignUp: string[], arrange: Arrange][] = [
      ['active without a password', RESET, EXISTS, after(created, (path) => send(`${path}/activate`))],
      ['active with a pending email change', RESET, EXISTS, requestEmailChange],
      ['invited', INVITATION, INVITATION, invited],
      [
        'invited, with a changed address',
        INVITATION,
        INVITATION,
        after(invited, (path) => app.api.platform.patch(path, { email: newAddress() })),
      ],
      ['invited, deleted and restored', INVITATION, INVITATION, after(after(invited, remove), (path) => send(`${path}/restore`))],
      ['invited to a child organization', ACCESS, INVITATION, ofChild(false)],
      ['invited to a suspended child organization', [], [], after(ofChild(true), (_, { child }) => send(`${child}/suspend`))],
      ['invited to a deleted child organization', [], [], after(ofChild(true), (_, { child }) => remove(child))],
      ['created, but not invited', ACCESS, ACCESS, created],
      // Removes the password, which another person may have chosen.
      ['signed up, but not verified', REMOVAL, REMOVAL, signedUp],
      ['suspended', ACCESS, ACCESS, after(person, (path) => send(`${path}/suspend`))],
      ['deleted', [], SIGN_UP, after(person, remove)],
      ['nonexistent', [], SIGN_UP, async () => ({ email: newAddress() })],
    ];
    it.each(STATES)('sends the next step: %s', async (_state, onForgotten, onSignUp, arrange) => {
      const org = await newOrganization(app, { settings: { allowPublicSignup: true } });
      for (const [request, expected] of [
        [forgot, onForgotten],
        [signUp, onSignUp],
      ] as const) {
        const { email } = await arrange(org);
        const before = (await mailsTo(app, email)).length;
        const events = await eventsDuring(app, async () => {
          const { status, body } = await request(org.id, email);
          expect([status, body]).toEqual([202, { data: { email } }]);
        });
        const sent = (await mailsTo(app, email)).slice(0, (await mailsTo(app, email)).length - before);
        expect([...sent.map(({ template }) => template), ...events.map(({ type }) => type)]).toEqual(expected);
      }
    });

    it('sends an invitation that works after the first invitation has expired', async () => {
      const org = await newOrganization(app);
      const { email } = await invited(org);
      const expired = await mailedToken(app, email, 'invitation');
      await later(app, 8 * 24 * HOUR_MS, async () => {
        await previewLink(expired).expect(400, 'invitation_invalid', 'Forgot your password?');
        await forgot(org.slug, email).expect(202);
        const [mail] = await mailsTo(app, email);
        expect(new URL(mail!.links[0]!).searchParams.get('organization')).toBe(org.slug);
        const token = await mailedToken(app, email, 'invitation');
        await app.api.anonymous.post('/v1/auth/accept-invitation', { token, password: PASSWORD }).expect(200);
      });
      await login(app, org.id, email).expect(200);
    });

    it('names the organization in which the user can sign in when someone signs up elsewhere in the tenant', async () => {
      const org = await newOrganization(app, { settings: { allowPublicSignup: true } });
      const child = await newOrganization(app, { parentId: org.id });
      const { email } = await person(child);
      await signUp(org.id, email).expect(202);
      const [mail] = await mailsTo(app, email);
      expect(mail!.subject).toBe(`You already have an account at ${child.name}`);
      expect(mail!.links).toEqual([`${app.config.baseUrl}/account/sign-in?organization=${child.slug}`]);
    });
  });

  it('sends at most five emails an hour to an address', async () => {
    const org = await newOrganization(app);
    const user = await person(org);
    for (let count = 0; count < 7; count++) await forgot(org.id, user.email).expect(202);
    expect((await templates(user.email)).filter((template) => template === 'password_reset')).toHaveLength(5);
  });

  it('unlocks the account for the IP address of the user', async () => {
    const org = await newOrganization(app);
    const user = await person(org);
    const address = from('198.51.100.7');
    for (let count = 0; count < 5; count++) await login(app, org.id, user.email, 'wrong', address).expect(401);
    await login(app, org.id, user.email, PASSWORD, address).expect(429);
    await forgot(org.id, user.email).expect(202);
    const token = await mailedToken(app, user.email, 'password_reset');
    await app.api.anonymous.post('/v1/auth/reset-password', { token, password: NEW_PASSWORD }, address).expect(204);
    await login(app, org.id, user.email, NEW_PASSWORD, address).expect(200);
  });

  describe('the emailed link', () => {
    async function expectInvalid(token: string, words: RegExp): Promise<void> {
      for (const { status, body } of [await previewLink(token), await reset(token)]) {
        expect(status).toBe(400);
        expect(body).toMatchObject({ code: 'link_invalid', detail: expect.stringMatching(words) });
      }
    }
    async function requestReset(org: TestBody): Promise<{ user: TestBody; token: string }> {
      const user = await person(org);
      await forgot(org.id, user.email).expect(202);
      return { user, token: await mailedToken(app, user.email, 'password_reset') };
    }

    it('is rejected and reported when used twice', async () => {
      const org = await newOrganization(app);
      const { user, token } = await requestReset(org);
      await forgot(org.id, user.email).expect(202);
      const second = await mailedToken(app, user.email, 'password_reset');
      const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await reset(token)).status));
      expect(statuses.sort()).toEqual([204, 400, 400, 400]);
      await expectInvalid(token, /already been used/);
      await expectInvalid(second, /no longer valid/);
      const threats = await app.database.query<{ payload: string }>(
        `SELECT payload FROM events WHERE type = 'security.suspicious_activity' AND user_id = $1`,
        [user.id],
      );
      expect(threats.map(({ payload }) => JSON.parse(payload).data)).toEqual([
        expect.objectContaining({ rule: 'one_time_token_reused', riskLevel: 'low', action: 'refused' }),
      ]);
    });

    it('is rejected after an administrator changes the email address', async () => {
      const org = await newOrganization(app);
      const { user, token } = await requestReset(org);
      const path = at(org.id, `/users/${user.id}`);
      await app.api.platform.patch(path, { email: newAddress() }).expect(200);
      await expectInvalid(token, /no longer valid/);
      await app.api.platform.patch(path, { email: user.email }).expect(200);
      await expectInvalid(token, /no longer valid/);
    });
  });

  describe('POST /users/:id/password-reset', () => {
    it('sends a link without changing the password, and only to an active user', async () => {
      const org = await newOrganization(app);
      const user = await person(org);
      const path = at(org.id, `/users/${user.id}`);
      await login(app, org.id, user.email).expect(200);
      const events = await eventsDuring(app, async () => {
        const { body } = await app.api.platform.post(`${path}/password-reset`).expect(200);
        expect(body.data).toEqual({ userId: user.id, email: user.email, expiresAt: expect.any(String) });
      });
      expect(events).toMatchObject([
        { type: 'user.password_reset_requested', data: { userId: user.id, requestedBy: 'administrator' } },
      ]);
      await login(app, org.id, user.email).expect(200);
      await reset(await mailedToken(app, user.email, 'password_reset')).expect(204);
      for (const body of [{ password: NEW_PASSWORD }, { newPassword: NEW_PASSWORD }])
        await app.api.platform.patch(path, body).expect(400);
      const users = at(org.id, '/users');
      const pending = await made(app, users, { email: newAddress() });
      const suspended = await person(org);
      await app.api.platform.post(`${users}/${suspended.id}/suspend`, {}).expect(200);
      for (const { id } of [pending, suspended]) {
        await app.api.platform.post(`${users}/${id}/password-reset`).expect(409, 'user_not_active');
      }
      await app.api.platform.post(`${users}/usr_01kf2b8v3cf5h9r4n0j7d2q6xw/password-reset`).expect(404);
    });
  });
});

/** An attacker who knows the password prepares changes of the account. Each recovery step voids all prepared changes. */
describe('account recovery', () => {
  /** Requests another email address and a password reset as the attacker. Returns the account and the emailed tokens. */
  async function prepareTakeover() {
    const org = (await newOrganization(app)).id;
    const email = newAddress();
    const { id } = await activeUser(app, org, { email });
    const attackersAddress = newAddress();
    const client = app.api.as(await sessionToken(app, org, email));
    await client.post('/v1/auth/me/email', { email: attackersAddress, currentPassword: PASSWORD }).expect(202);
    await app.api.anonymous.post('/v1/auth/forgot-password', { organization: org, email }).expect(202);
    const change = await mailedToken(app, attackersAddress, 'email_change');
    const reset = await mailedToken(app, email, 'password_reset');
    return { org, id, email, client, path: at(org, `/users/${id}`), change, reset };
  }

  interface Account {
    path: string;
    client: TestClient;
    reset?: string;
  }
  const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  const STEPS_FOR_SIGN_INS: readonly [string, (account: Account) => Promise<unknown>][] = [
    ['the revocation of all sessions by an administrator', ({ path }) => app.api.platform.delete(`${path}/sessions`).expect(200)],
    ['the revocation of all sessions by the user', ({ client }) => client.delete('/v1/auth/sessions').expect(200)],
    [
      'a suspension and reactivation',
      async ({ path }) => {
        await app.api.platform.post(`${path}/suspend`, { reason: 'x' }).expect(200);
        await app.api.platform.post(`${path}/activate`).expect(200);
      },
    ],
  ];
  const STEPS: typeof STEPS_FOR_SIGN_INS = [
    ...STEPS_FOR_SIGN_INS,
    [
      'a password reset',
      ({ reset }) => app.api.anonymous.post('/v1/auth/reset-password', { token: reset, password: NEW_PASSWORD }).expect(204),
    ],
    ['a change of the password', ({ client }) => client.post('/v1/auth/change-password', passwords).expect(204)],
    [
      'a deletion and restoration',
      async ({ path }) => {
        await app.api.platform.delete(path).expect(204);
        await app.api.platform.post(`${path}/restore`).expect(200);
      },
    ],
    ['the removal of all factors by an administrator', ({ path }) => app.api.platform.delete(`${path}/mfa`).expect(204)],
  ];

  it.each(STEPS)('voids pending email changes and password resets after %s', async (_, recover) => {
    const account = await prepareTakeover();
    await recover(account);

    await app.api.anonymous.post('/v1/auth/verify-email', { token: account.change }).expect(400, 'link_invalid');
    const reset = { token: account.reset, password: 'another long passphrase' };
    await app.api.anonymous.post('/v1/auth/reset-password', reset).expect(400);
    expect(await read(app, account.path)).toMatchObject({ email: account.email, status: 'active' });
  });

  it.each(STEPS_FOR_SIGN_INS)('voids pending MFA sign-ins and unconfirmed second factors after %s', async (_, recover) => {
    const { id: org } = await newOrganization(app);
    const { id, email, token, secret } = await userWithTotp(app, org);
    await app.api.as(token).post('/v1/auth/mfa/totp', {}).expect(200);
    const { challengeToken } = await challenge(app, org, email);

    await recover({ path: at(org, `/users/${id}`), client: app.api.as(token) });

    await verify(app, challengeToken, 'totp', freshCode(app, secret)).expect(401, 'mfa_challenge_invalid');
    expect(await app.database.query('SELECT FROM mfa_enrolments WHERE user_id = $1', [id])).toEqual([]);
  });

  it('notifies the current email address of a requested email change, which the notice cancels with all sessions', async () => {
    const { id, email, path, change, client: attacker } = await prepareTakeover();
    const mail = (await mailsTo(app, email)).find(({ template }) => template === 'security_notice');
    expect(mail!.subject).toMatch(/^A change of your email address was requested/);
    expect(mail!.text).toMatch(/a change of the email address of your account at .* to \S+@\S+ was requested/);
    const token = await mailedToken(app, email, 'security_notice');
    const { data: look } = (await app.api.anonymous.post('/v1/auth/links/look', { token }).expect(200)).body;
    expect(look).toMatchObject({ purpose: 'email_change_cancel', email, activatesAccount: false });

    const events = await eventsDuring(app, async () => {
      const { body } = await app.api.anonymous.post('/v1/auth/cancel-email-change', { token }).expect(200);
      expect(body.data).toEqual({ userId: id, email, sessionsRevoked: 1 });
    });

    expect(events.map(({ type }) => type)).toEqual(['user.email_change_cancelled', 'security.session_revoked']);
    await attacker.get('/v1/auth/me').expect(401);
    await app.api.anonymous.post('/v1/auth/verify-email', { token: change }).expect(400);
    await app.api.anonymous.post('/v1/auth/cancel-email-change', { token }).expect(400);
    expect((await read(app, path)).email).toBe(email);
  });

  it('removes all access of the attacker if the user follows the guide', async () => {
    const { org, id, email, path, change, reset } = await prepareTakeover();
    await made(app, `${path}/roles`, { roleId: 'role_admin' });
    const attacker = app.api.as((await addTotp(app, await sessionToken(app, org, email))).token);
    const key = await made(attacker, at(org, '/api-keys'), { name: 'sync', scopes: ['users:*'] });

    await app.api.platform.post(`${path}/suspend`, { reason: 'Account taken over', revokeActiveSessions: true }).expect(200);
    await app.api.platform.delete(`${path}/mfa`).expect(204);
    await numberedEvents(app);
    const [created] = await read(app, at(org, `/events?actorId=${id}&type=security.api_key_created`));
    await app.api.platform.delete(at(org, `/api-keys/${created.data.id}`)).expect(204);
    await app.api.platform.post(`${path}/activate`).expect(200);
    await app.api.platform.post(`${path}/password-reset`).expect(200);
    const token = await mailedToken(app, email, 'password_reset');
    await app.api.anonymous.post('/v1/auth/reset-password', { token, password: NEW_PASSWORD }).expect(204);

    for (const credential of [attacker, app.api.as(key.key)]) await credential.get(path).expect(401);
    await app.api.anonymous.post('/v1/auth/verify-email', { token: change }).expect(400);
    await app.api.anonymous.post('/v1/auth/reset-password', { token: reset, password: PASSWORD }).expect(400);
    await login(app, org, email, PASSWORD).expect(401);
    // Without the second factor of the attacker.
    expect((await login(app, org, email, NEW_PASSWORD).expect(200)).body.data.user.email).toBe(email);
  });
});

describe('an email with the organizations of an address', () => {
  const ask = (email: string, fields: object = {}): PendingResponse =>
    app.api.anonymous.post('/v1/auth/sign-in-links', { email, ...fields });
  const linksTo = async (email: string): Promise<string[][]> =>
    (await mailsTo(app, email)).filter(({ template }) => template === 'sign_in_links').map(({ links }) => [...new Set(links)]);
  const linkTo = (slug: string, email: string): string =>
    `${app.config.baseUrl}/account/sign-in?${new URLSearchParams({ email, organization: slug })}`;

  it('lists the organizations of all tenants in which the person can sign in, and no others', async () => {
    const email = newAddress();
    const [acme, globex, closed, host] = await Promise.all(
      ['Acme', 'Globex', 'Closed', 'Host'].map((name) => newOrganization(app, { name })),
    );
    const child = await newOrganization(app, { name: 'Acme Europe', parentId: acme!.id });
    const { id } = await activeUser(app, acme!.id, { email });
    await made(app, at(child.id, '/members'), { userId: id, role: 'member' });
    // A guest signs in at an organization of the own tenant.
    await made(app, at(host!.id, '/members'), { userId: id, role: 'member' });
    await activeUser(app, globex!.id, { email });
    await activeUser(app, closed!.id, { email });
    await app.api.platform.post(at(closed!.id, '/suspend'), {}).expect(200);
    const elsewhere = await newOrganization(app);
    const suspended = await activeUser(app, elsewhere.id, { email });
    await app.api.platform.post(at(elsewhere.id, `/users/${suspended.id}/suspend`), {}).expect(200);
    await made(app, at((await newOrganization(app)).id, '/users'), { email, sendInvitation: true });

    await ask(email.toUpperCase()).expect(202);
    const open = [acme!, child, globex!];
    expect(await linksTo(email)).toEqual([open.map(({ slug }) => linkTo(slug, email))]);
  });

  it('has only the accounts with this notation of the address, because another one can be another mailbox', async () => {
    const email = newAddress();
    const [acme, globex] = await Promise.all(['Acme', 'Globex'].map((name) => newOrganization(app, { name })));
    const other = email.replace(/^./, (letter) => letter.toUpperCase());
    await activeUser(app, acme!.id, { email });
    await activeUser(app, globex!.id, { email: other });

    await ask(email).expect(202);
    const mails = (await mailsTo(app, email)).filter(({ template }) => template === 'sign_in_links');
    expect(mails.map(({ to, links }) => [to, [...new Set(links)]]).toSorted()).toEqual([
      [other, [linkTo(globex!.slug, other)]],
      [email, [linkTo(acme!.slug, email)]],
    ]);
  });

  it('is not revealed by the response or its time, and is sent at most five times an hour', async () => {
    const { email } = await activeUser(app, (await newOrganization(app)).id, { email: newAddress() });
    const responses = [];
    for (const address of [email, newAddress(), email, email, email, email, email]) {
      const start = performance.now();
      const { status, body, headers } = await ask(address);
      expect([body, performance.now() - start > 195]).toEqual([{ data: { email: address } }, true]);
      responses.push({ status, headers: [...headers.keys()].toSorted() });
    }
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(responses[0]!.status).toBe(202);
    expect((await linksTo(email)).length).toBe(5);
  });

  it('leads only to pages of this service and to applications that wait for the sign-in', async () => {
    const { email } = await activeUser(app, (await newOrganization(app)).id, { email: newAddress() });
    for (const returnTo of ['https://evil.example', '//evil.example', '/oauth/authorize?client_id=app_1', '/v1/auth/logout'])
      await ask(email, { returnTo }).expect(400);
    expect(await linksTo(email)).toEqual([]);
    const returnTo = '/oauth/interactions/V1StGXR8_Z5jdHi6-myT';
    await ask(email, { returnTo }).expect(202);
    expect(new URL((await linksTo(email))[0]![0]!).searchParams.get('returnTo')).toBe(returnTo);
  });
});
