import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { activeUser, from, login, mailedToken, PASSWORD } from '../support/sign-in.js';

const NEW_PASSWORD = 'marble thicket cobalt ferry';

describe('a password reset', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ trustProxy: ['127.0.0.1'] });
  });
  afterAll(() => app.close());

  const person = (org: TestBody): Promise<TestBody> => activeUser(app, org.id, { email: newAddress() });
  const forgot = (org: string, email: string): PendingResponse =>
    app.api.anonymous.post('/v1/auth/forgot-password', { organization: org, email });
  const reset = (token: string, password = NEW_PASSWORD): PendingResponse =>
    app.api.anonymous.post('/v1/auth/reset-password', { token, password });
  const previewLink = (token: string): PendingResponse => app.api.anonymous.post('/v1/auth/links/look', { token });
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
    expect(await templates(active.email)).toContain('password_reset');
    for (const email of [suspended.email, pending.email, elsewhere.email, locked.email])
      expect(await templates(email)).not.toContain('password_reset');
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
