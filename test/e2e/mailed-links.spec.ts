import { describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { invitationToken, mailsTo } from '../support/mailbox.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { activeUser, later, login, mailedToken, PASSWORD, sessionToken } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const NEW_PASSWORD = 'marble thicket cobalt ferry';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Text that a name can contain and a page must escape. */
const HOSTILE = '<img src=x onerror=alert(1)>';

describe('the link preview', () => {
  const app = testApp();

  const post = (operation: string, body: object): PendingResponse => app.api.anonymous.post(`/v1/auth/${operation}`, body);
  const preview = (token: string): PendingResponse => post('links/look', { token });
  const previewOf = async (token: string): Promise<TestBody> => (await preview(token).expect(200)).body.data;

  async function invited(org: TestBody, fields: object = {}) {
    const user = await made(app, `/v1/organizations/${org.id}/users`, { email: newAddress(), sendInvitation: true, ...fields });
    return {
      email: user.email as string,
      path: `/v1/organizations/${org.id}/users/${user.id}`,
      token: await invitationToken(app, user.email),
    };
  }
  async function withPasswordReset(org: TestBody, fields: object = {}) {
    const { email, id } = await activeUser(app, org.id, { email: newAddress(), ...fields });
    await post('forgot-password', { organization: org.id, email }).expect(202);
    return { email: email as string, id: id as string, token: await mailedToken(app, email, 'password_reset') };
  }
  async function signedUp(org: TestBody, fields: object = {}) {
    const email = newAddress();
    await post('sign-up', { organization: org.id, email, password: PASSWORD, ...fields }).expect(202);
    return { email, token: await mailedToken(app, email, 'email_verification') };
  }
  const organizationOf = ({ id, slug, name }: TestBody, branding: object = { primaryColor: null, hasLogo: false }) => ({
    id,
    slug,
    name,
    branding,
  });
  /** Asserts that the link does not work, and that preview and use return the same advice. */
  async function expectInvalid(token: string, operation: string, code: string, words: RegExp): Promise<void> {
    for (const response of [
      await preview(token),
      await post(operation, { token, ...(operation === 'verify-email' ? {} : { password: NEW_PASSWORD }) }),
    ]) {
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ code, detail: expect.stringMatching(words) });
      expect(response.body).not.toHaveProperty('email');
    }
  }

  it('returns the current data of an invitation any number of times', async () => {
    const org = await newOrganization(app, {
      name: HOSTILE,
      branding: { primaryColor: '#ffd400', logo: 'https://cdn.example.com/logo.png' },
      settings: { passwordPolicy: { minLength: 20, requireNumbers: true } },
    });
    const { email, token, path } = await invited(org, { firstName: HOSTILE, lastName: 'King' });
    const events = await eventsDuring(app, async () => {
      for (let count = 0; count < 3; count++)
        expect(await previewOf(token)).toEqual({
          purpose: 'invitation',
          activatesAccount: true,
          organization: organizationOf(org, { primaryColor: '#ffd400', hasLogo: true }),
          email,
          firstName: HOSTILE,
          lastName: 'King',
          expiresAt: expect.stringMatching(/Z$/),
          passwordPolicy: {
            minLength: 20,
            requireUppercase: false,
            requireNumbers: true,
            requireSymbols: false,
            preventReuse: 0,
            maxBytes: 1024,
            rules: [
              expect.stringContaining('20 characters'),
              'At least one digit.',
              expect.stringContaining('Not a common password'),
            ],
          },
        });
    });
    expect(events).toEqual([]);
    expect((await app.api.platform.get(path).expect(200)).body.data.status).toBe('pending');
    const response = await preview(token).expect(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('ratelimit-policy')).toBe('"default";q=600;w=60');

    const weak = await post('accept-invitation', { token, password: 'lantern orbit' }).expect(422);
    expect(weak.body.errors).toEqual([
      { pointer: '/password', in: 'body', code: 'too_short', message: expect.stringContaining('20 characters') },
      { pointer: '/password', in: 'body', code: 'number_missing', message: 'Use at least one digit.' },
    ]);
    expect(JSON.stringify(weak.body)).not.toContain('lantern orbit');
    await post('accept-invitation', { token, password: `${PASSWORD} 7`, firstName: 'Ada' }).expect(200);
    await expectInvalid(token, 'accept-invitation', 'invitation_invalid', /already been accepted/);
  });

  it('returns the user and the password policy for a password reset', async () => {
    const top = await newOrganization(app, { settings: { passwordPolicy: { requireSymbols: true } } });
    const child = await newOrganization(app, { parentId: top.id });
    const { email } = await activeUser(app, top.id, { email: newAddress(), firstName: 'Ada' });
    await post('forgot-password', { organization: child.id, email }).expect(202);
    const token = await mailedToken(app, email, 'password_reset');
    expect(await previewOf(token)).toMatchObject({
      purpose: 'password_reset',
      activatesAccount: false,
      organization: organizationOf(child),
      email,
      firstName: 'Ada',
      passwordPolicy: { minLength: 15, requireSymbols: true },
    });
    const { body } = await post('reset-password', { token, password: 'too short' }).expect(422);
    expect(body.errors).toEqual([{ pointer: '/password', in: 'body', code: 'too_short', message: expect.any(String) }]);
    await post('reset-password', { token, password: NEW_PASSWORD }).expect(204);
    await login(app, child.id, email, NEW_PASSWORD).expect(200);
    await expectInvalid(token, 'reset-password', 'link_invalid', /already been used/);
  });

  it('returns the email address of a sign-up, but no names', async () => {
    const org = await newOrganization(app, { settings: { allowPublicSignup: true } });
    const { email, token } = await signedUp(org, { firstName: HOSTILE, lastName: 'You have won' });
    expect(await previewOf(token)).toEqual({
      purpose: 'email_verification',
      activatesAccount: true,
      organization: organizationOf(org),
      email,
      expiresAt: expect.any(String),
    });
    await login(app, org.id, email).expect(401);
    await post('verify-email', { token }).expect(200);
    await expectInvalid(token, 'verify-email', 'link_invalid', /already been used/);
    await login(app, org.id, email).expect(200);
  });

  it('returns only the new address for an email change', async () => {
    const org = await newOrganization(app);
    const { email } = await activeUser(app, org.id, { email: newAddress(), firstName: 'Ada' });
    const session = app.api.as(await sessionToken(app, org.id, email));
    const newEmail = newAddress();
    await session.post('/v1/auth/me/email', { email: newEmail, currentPassword: PASSWORD }).expect(202);
    const token = await mailedToken(app, newEmail, 'email_change');
    const shown = await previewOf(token);
    expect(shown).toMatchObject({
      purpose: 'email_change',
      activatesAccount: false,
      email: newEmail,
      organization: organizationOf(org),
    });
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`${email}|Ada`));
    expect((await post('verify-email', { token }).expect(200)).body.data.email).toBe(newEmail);
    await expectInvalid(token, 'verify-email', 'link_invalid', /already been used/);
  });

  it('accepts the token from the URL in the email', async () => {
    const org = await newOrganization(app, { settings: { allowPublicSignup: true } });
    const sent = [await invited(org), await withPasswordReset(org), await signedUp(org)];
    const links = await Promise.all(sent.map(async ({ email }) => (await mailsTo(app, email))[0]!.links[0]));
    expect(links).toEqual(
      ['accept-invitation', 'reset-password', 'verify-email'].map(
        (page, index) => `${app.config.baseUrl}/${page}?token=${sent[index]!.token}&organization=${org.slug}`,
      ),
    );
  });

  it('explains what to do if the link no longer works', async () => {
    const org = await newOrganization(app, { settings: { allowPublicSignup: true } });
    const [invitation, reset, signUp] = [await invited(org), await withPasswordReset(org), await signedUp(org)];
    const until = new Date((await previewOf(reset.token)).expiresAt).getTime();
    expect(Math.abs(until - Date.now() - HOUR_MS)).toBeLessThan(60_000);
    await later(app, HOUR_MS, () => expectInvalid(reset.token, 'reset-password', 'link_invalid', /expired/));
    await later(app, DAY_MS, () => expectInvalid(signUp.token, 'verify-email', 'link_invalid', /expired/));
    await later(app, 7 * DAY_MS, () => expectInvalid(invitation.token, 'accept-invitation', 'invitation_invalid', /expired/));

    await app.api.platform.post(`${invitation.path}/invitation`).expect(200);
    await expectInvalid(invitation.token, 'accept-invitation', 'invitation_invalid', /newer/);
    await app.api.platform.post(`/v1/organizations/${org.id}/users/${reset.id}/suspend`, {}).expect(200);
    await expectInvalid(reset.token, 'reset-password', 'link_invalid', /no longer valid/);
    await app.api.platform.delete(`/v1/organizations/${org.id}`).expect(204);
    await expectInvalid(signUp.token, 'verify-email', 'link_invalid', /does not work/);
  });

  it.each(['x', 'A'.repeat(43), 'ö'.repeat(43), "'; DROP TABLE users"])('rejects the token %j', async (token) => {
    await expectInvalid(token, 'verify-email', 'link_invalid', /does not work/);
    await expectInvalid(token, 'reset-password', 'link_invalid', /does not work/);
  });

  it('accepts the token only in the request body', async () => {
    const { token } = await invited(await newOrganization(app));
    await app.api.anonymous.get(`/v1/auth/links/look?token=${token}`).expect(405);
    expect((await post('links/look', {}).expect(400)).body.errors).toMatchObject([{ pointer: '/token' }]);
    expect((await preview('').expect(400)).body.code).toBe('validation_failed');
  });

  it('an operation rejects a link of another kind and keeps the link valid', async () => {
    const { token } = await invited(await newOrganization(app));
    expect((await post('reset-password', { token, password: NEW_PASSWORD }).expect(400)).body.code).toBe('link_invalid');
    expect((await post('verify-email', { token }).expect(400)).body.code).toBe('link_invalid');
    await post('accept-invitation', { token, password: PASSWORD }).expect(200);
  });

  it('causes events with the source "dashboard" on pages of the service, which accept no form of another site', async () => {
    const org = await newOrganization(app);
    const sources: string[] = [];
    for (const headers of [{ 'session-transport': 'cookie', 'sec-fetch-site': 'same-origin' }, {}] as Record<string, string>[]) {
      const accepted = { token: (await invited(org)).token, password: PASSWORD };
      const form = new URLSearchParams(accepted).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      for (const path of ['/v1/auth/accept-invitation', '/accept-invitation'])
        await app.api.anonymous.raw('POST', path, form, type).expect(415);
      await app.api.anonymous.post('/v1/auth/accept-invitation', accepted, { headers }).expect(200);
      const [event] = await app.database.query<{ source: string }>(
        "SELECT payload::json -> 'metadata' ->> 'source' AS source FROM events WHERE type = 'user.activated' ORDER BY seq DESC LIMIT 1",
      );
      sources.push(event!.source);
    }
    expect(sources).toEqual(['dashboard', 'api']);
  });
});
