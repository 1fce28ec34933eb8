import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { activeUser, login, mailedToken, PASSWORD } from '../support/sign-in.js';

const NEW_PASSWORD = 'marble thicket cobalt ferry';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** The operations that the pages of emailed links call. `test/web` tests the pages. */
describe('an emailed link', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const statusOf = async (org: TestBody, email: string): Promise<string> =>
    (await app.api.platform.get(`/v1/organizations/${org.id}/users?email=${email}`).expect(200)).body.data[0].status;
  const invite = async (org: TestBody): Promise<string> =>
    (await made(app, `/v1/organizations/${org.id}/users`, { email: newAddress(), sendInvitation: true })).email;

  /** Expects that the operation and the URL of the page reject requests that a form of another site can send. */
  async function expectOnlyJson(operation: string, fields: Record<string, string>): Promise<void> {
    const form = new URLSearchParams({ ...fields, repeated: fields['password'] ?? '' }).toString();
    for (const path of [`/v1/auth/${operation}`, `/${operation}`]) {
      await app.api.anonymous.raw('POST', path, form, FORM).expect(415);
      await app.api.anonymous.raw('POST', path, JSON.stringify(fields), { 'content-type': 'text/plain' }).expect(415);
      await app.api.anonymous.raw('POST', path, '<a/>', { 'content-type': 'text/xml' }).expect(415);
    }
    await app.api.anonymous.post(`/${operation}`, fields).expect(405);
  }

  it("can't accept an invitation from a form of another site", async () => {
    const org = await newOrganization(app, { name: 'Acme & Söhne', branding: { primaryColor: '#ffd400' } });
    const email = await invite(org);
    const [mail] = await mailsTo(app, email);
    expect(mail).toMatchObject({ template: 'invitation', subject: "You're invited to join Acme & Söhne" });
    expect(mail!.html).toContain('background:#ffd400');
    const accepted = { token: await mailedToken(app, email, 'invitation'), password: PASSWORD };
    await expectOnlyJson('accept-invitation', accepted);
    expect(await statusOf(org, email)).toBe('pending');
    await app.api.anonymous.post('/v1/auth/accept-invitation', accepted).expect(200);
    expect(await statusOf(org, email)).toBe('active');
  });

  it("can't reset a password from a form of another site", async () => {
    const org = await newOrganization(app);
    const { email } = await activeUser(app, org.id, { email: newAddress() });
    await app.api.anonymous.post('/v1/auth/forgot-password', { organization: org.id, email }).expect(202);
    const reset = { token: await mailedToken(app, email, 'password_reset'), password: NEW_PASSWORD };
    await expectOnlyJson('reset-password', reset);
    await login(app, org.id, email).expect(200);
    await app.api.anonymous.post('/v1/auth/reset-password', reset).expect(204);
    await login(app, org.id, email, NEW_PASSWORD).expect(200);
  });

  it("can't verify an email address from a form of another site", async () => {
    const org = await newOrganization(app, { settings: { allowPublicSignup: true } });
    const email = newAddress();
    await app.api.anonymous.post('/v1/auth/sign-up', { organization: org.id, email, password: PASSWORD }).expect(202);
    const token = await mailedToken(app, email, 'email_verification');
    await expectOnlyJson('verify-email', { token });
    expect(await statusOf(org, email)).toBe('pending');
    await app.api.anonymous.post('/v1/auth/verify-email', { token }).expect(200);
  });

  it('stays valid after a rejected password', async () => {
    const org = await newOrganization(app);
    const email = await invite(org);
    const token = await mailedToken(app, email, 'invitation');
    for (const [password, status] of [
      ['short-secret', 422],
      ['', 400],
    ] as const) {
      const { body } = await app.api.anonymous.post('/v1/auth/accept-invitation', { token, password }).expect(status);
      expect(body.errors[0].pointer).toBe('/password');
      expect(JSON.stringify(body)).not.toContain('short-secret');
    }
    expect(await statusOf(org, email)).toBe('pending');
    await app.api.anonymous.post('/v1/auth/accept-invitation', { token, password: PASSWORD }).expect(200);
  });

  it.each(['x', 'A'.repeat(43), 'ö'.repeat(43)])('is invalid with the unknown token %j', async (token) => {
    for (const [operation, fields] of [
      ['links/look', {}],
      ['accept-invitation', { password: PASSWORD }],
      ['reset-password', { password: PASSWORD }],
      ['verify-email', {}],
    ] as const) {
      const { body } = await app.api.anonymous.post(`/v1/auth/${operation}`, { token, ...fields }).expect(400);
      expect(body.detail).toMatch(/does not work/);
    }
  });

  it('causes events with the source "dashboard" on pages of the service', async () => {
    const org = await newOrganization(app);
    const sources: Record<string, string> = {};
    for (const [name, headers] of [
      ['page', { 'session-transport': 'cookie', 'sec-fetch-site': 'same-origin' }],
      ['program', {}],
    ] as const) {
      const email = await invite(org);
      const accepted = { token: await mailedToken(app, email, 'invitation'), password: PASSWORD };
      await app.api.anonymous.post('/v1/auth/accept-invitation', accepted, { headers }).expect(200);
      const [event] = await app.database.query<{ source: string }>(
        "SELECT payload::json -> 'metadata' ->> 'source' AS source FROM events WHERE type = 'user.activated' ORDER BY seq DESC LIMIT 1",
      );
      sources[name] = event!.source;
    }
    expect(sources).toEqual({ page: 'dashboard', program: 'api' });
  });
});
