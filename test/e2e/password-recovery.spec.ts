import { describe, expect, it } from '@jest/globals';
import { testApp } from '../support/test-app.js';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { invitationToken, mailsTo } from '../support/mailbox.js';
import { made, newAddress, newOrganization, read } from '../support/organizations.js';
import { activeUser, from, later, login, mailedToken, PASSWORD } from '../support/sign-in.js';

const NEW_PASSWORD = 'marble thicket cobalt ferry';
const HOUR_MS = 3_600_000;

describe('a password reset', () => {
  const app = testApp({ trustProxy: ['127.0.0.1'] });

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
    const path = `/v1/organizations/${org.id}/users`;
    const active = await person(org);
    const suspended = await person(org);
    await app.api.platform.post(`${path}/${suspended.id}/suspend`, {}).expect(200);
    const pending = await made(app, path, { email: newAddress() });
    const elsewhere = await person(await newOrganization(app));
    const closed = await newOrganization(app);
    const locked = await person(closed);
    await app.api.platform.post(`/v1/organizations/${closed.id}/suspend`, {}).expect(200);
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
    type Account = { email: string; id: string };
    const users = (org: TestBody, rest = ''): string => `/v1/organizations/${org.id}/users${rest}`;
    const invited = (org: TestBody): Promise<Account> => made(app, users(org), { email: newAddress(), sendInvitation: true });
    /** Creates a user of another organization of the tenant. `isMember` makes the user a member of the organization, too. */
    const ofChild = async (org: TestBody, isMember: boolean): Promise<Account & { child: TestBody }> => {
      const child = await newOrganization(app, { parentId: org.id });
      const user = await invited(child);
      if (isMember) await made(app, `/v1/organizations/${org.id}/members`, { userId: user.id });
      return { ...user, child };
    };
    const STATES: Readonly<Record<string, (org: TestBody) => Promise<Account>>> = {
      'active without a password': async (org) => {
        const user = await made(app, users(org), { email: newAddress() });
        await app.api.platform.post(users(org, `/${user.id}/activate`)).expect(200);
        return user as Account;
      },
      'active with a pending email change': async (org) => {
        const user = await person(org);
        const token = (await login(app, org.id, user.email).expect(200)).body.data.sessionToken;
        const change = { email: newAddress(), currentPassword: PASSWORD };
        await app.api.as(token).post('/v1/auth/me/email', change).expect(202);
        return user as Account;
      },
      invited,
      'invited, with a changed address': async (org) => {
        const { id } = await invited(org);
        const email = newAddress();
        await app.api.platform.patch(users(org, `/${id}`), { email }).expect(200);
        return { id, email };
      },
      'invited, deleted and restored': async (org) => {
        const user = await invited(org);
        await app.api.platform.delete(users(org, `/${user.id}`)).expect(204);
        await app.api.platform.post(users(org, `/${user.id}/restore`)).expect(200);
        return user;
      },
      'invited to a child organization': (org) => ofChild(org, false),
      'invited to a suspended child organization': async (org) => {
        const user = await ofChild(org, true);
        await app.api.platform.post(`/v1/organizations/${user.child.id}/suspend`, {}).expect(200);
        return user;
      },
      'invited to a deleted child organization': async (org) => {
        const user = await ofChild(org, true);
        await app.api.platform.delete(`/v1/organizations/${user.child.id}`).expect(204);
        return user;
      },
      'created, but not invited': async (org) => (await made(app, users(org), { email: newAddress() })) as Account,
      'signed up, but not verified': async (org) => {
        const email = newAddress();
        await signUp(org.id, email).expect(202);
        return { email, id: (await read(app, users(org, `?email=${email}`)))[0].id };
      },
      suspended: async (org) => {
        const user = await person(org);
        await app.api.platform.post(users(org, `/${user.id}/suspend`), {}).expect(200);
        return user as Account;
      },
      deleted: async (org) => {
        const user = await person(org);
        await app.api.platform.delete(users(org, `/${user.id}`)).expect(204);
        return user as Account;
      },
      nonexistent: async () => ({ id: '', email: newAddress() }),
    };
    it.each([
      ['active without a password', ['password_reset', 'user.password_reset_requested'], ['account_exists']],
      ['active with a pending email change', ['password_reset', 'user.password_reset_requested'], ['account_exists']],
      ['invited', ['invitation', 'user.invited'], ['invitation', 'user.invited']],
      ['invited, with a changed address', ['invitation', 'user.invited'], ['invitation', 'user.invited']],
      ['invited, deleted and restored', ['invitation', 'user.invited'], ['invitation', 'user.invited']],
      ['invited to a child organization', ['account_access'], ['invitation', 'user.invited']],
      ['invited to a suspended child organization', [], []],
      ['invited to a deleted child organization', [], []],
      ['created, but not invited', ['account_access'], ['account_access']],
      ['signed up, but not verified', ['invitation', 'user.invited'], ['invitation', 'user.invited']],
      ['suspended', ['account_access'], ['account_access']],
      ['deleted', [], ['email_verification', 'user.created', 'user.password_changed']],
      ['nonexistent', [], ['email_verification', 'user.created', 'user.password_changed']],
    ])('sends the next step: %s', async (state, onForgotten, onSignUp) => {
      const org = await newOrganization(app, { settings: { allowPublicSignup: true } });
      for (const [request, expected] of [
        [forgot, onForgotten],
        [signUp, onSignUp],
      ] as const) {
        const { email } = await STATES[state]!(org);
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
      const expired = await invitationToken(app, email);
      await later(app, 8 * 24 * HOUR_MS, async () => {
        const { body } = await previewLink(expired).expect(400);
        expect(body).toMatchObject({ code: 'invitation_invalid', detail: expect.stringContaining('Forgot your password?') });
        await forgot(org.slug, email).expect(202);
        const [mail] = await mailsTo(app, email);
        expect(new URL(mail!.links[0]!).searchParams.get('organization')).toBe(org.slug);
        const token = await invitationToken(app, email);
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
      const path = `/v1/organizations/${org.id}/users/${user.id}`;
      await app.api.platform.patch(path, { email: newAddress() }).expect(200);
      await expectInvalid(token, /no longer valid/);
      await app.api.platform.patch(path, { email: user.email }).expect(200);
      await expectInvalid(token, /no longer valid/);
    });

    it('works only while the user and the organization are active', async () => {
      const org = await newOrganization(app);
      const { user, token } = await requestReset(org);
      const path = `/v1/organizations/${org.id}`;
      await app.api.platform.post(`${path}/suspend`, {}).expect(200);
      await expectInvalid(token, /does not work/);
      await app.api.platform.post(`${path}/activate`).expect(200);
      await reset(token).expect(204);

      await forgot(org.id, user.email).expect(202);
      const next = await mailedToken(app, user.email, 'password_reset');
      await previewLink(next).expect(200);
      await app.api.platform.post(`${path}/users/${user.id}/suspend`, {}).expect(200);
      await expectInvalid(next, /no longer valid/);
      await app.api.platform.post(`${path}/users/${user.id}/activate`).expect(200);
      await expectInvalid(next, /no longer valid/);
    });
  });

  describe('POST /users/:id/password-reset', () => {
    it('sends a link without changing the password', async () => {
      const org = await newOrganization(app);
      const user = await person(org);
      const path = `/v1/organizations/${org.id}/users/${user.id}`;
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
    });

    it('requires an active user', async () => {
      const org = await newOrganization(app);
      const path = `/v1/organizations/${org.id}/users`;
      const pending = await made(app, path, { email: newAddress() });
      const suspended = await person(org);
      await app.api.platform.post(`${path}/${suspended.id}/suspend`, {}).expect(200);
      for (const { id } of [pending, suspended]) {
        const { body } = await app.api.platform.post(`${path}/${id}/password-reset`).expect(409);
        expect(body.code).toBe('user_not_active');
      }
      await app.api.platform.post(`${path}/usr_01kf2b8v3cf5h9r4n0j7d2q6xw/password-reset`).expect(404);
    });
  });
});
