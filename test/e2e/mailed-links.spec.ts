import { describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { type MailboxMail, mailsTo } from '../support/mailbox.js';
import { at, made, newAddress, newOrganization, newUser, read } from '../support/organizations.js';
import { signedIn } from '../support/signed-in.js';
import {
  activeUser,
  DAY_MS,
  expectNoDisclosure,
  HOUR_MS,
  later,
  login,
  mailedToken,
  NEW_PASSWORD,
  PASSWORD,
  sessionToken,
} from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';
import { countDifferences } from '../support/counts.js';

/** Text that a name can contain and a page must escape. */
const HOSTILE = '<img src=x onerror=alert(1)>';

interface Mailed {
  email: string;
  token: string;
  /** The path of the user, if the user exists. */
  path: string;
}

const app = testApp();

describe('a mailed link', () => {
  const post = (operation: string, body: object): PendingResponse => app.api.anonymous.post(`/v1/auth/${operation}`, body);
  const preview = (token: string): PendingResponse => post('links/look', { token });
  const previewOf = async (token: string): Promise<TestBody> => (await preview(token).expect(200)).body.data;

  async function invited(org: TestBody, fields: object = {}): Promise<Mailed> {
    const { id, email } = await newUser(app, org.id, { sendInvitation: true, ...fields });
    return { email, path: at(org.id, `/users/${id}`), token: await mailedToken(app, email, 'invitation') };
  }
  async function withPasswordReset(org: TestBody): Promise<Mailed> {
    const { email, id } = await activeUser(app, org.id, { email: newAddress() });
    await post('forgot-password', { organization: org.id, email }).expect(202);
    return { email, path: at(org.id, `/users/${id}`), token: await mailedToken(app, email, 'password_reset') };
  }
  async function signedUp(org: TestBody): Promise<Mailed> {
    const email = newAddress();
    await post('sign-up', { organization: org.id, email, password: PASSWORD }).expect(202);
    return { email, path: '', token: await mailedToken(app, email, 'email_verification') };
  }
  const organizationOf = ({ id, slug, name }: TestBody, branding: object = { primaryColor: null, hasLogo: false }) => ({
    id,
    slug,
    name,
    branding,
  });
  /** Asserts that the link does not work, and that preview and use return the same advice. */
  async function expectInvalid(token: string, operation: string, words: RegExp): Promise<void> {
    const code = operation === 'accept-invitation' ? 'invitation_invalid' : 'link_invalid';
    const body = { token, ...(operation === 'verify-email' ? {} : { password: NEW_PASSWORD }) };
    for (const response of [await preview(token), await post(operation, body)]) {
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ code, detail: expect.stringMatching(words) });
      expect(response.body).not.toHaveProperty('email');
    }
  }

  it('returns the current data of an invitation any number of times, until it is accepted', async () => {
    const org = await newOrganization(app, {
      name: HOSTILE,
      branding: { primaryColor: '#ffd400', logo: 'https://cdn.example.com/logo.png' },
      settings: { passwordPolicy: { minLength: 20, requireNumbers: true } },
    });
    const { email, token, path } = await invited(org, { firstName: HOSTILE, lastName: 'King' });
    const events = await eventsDuring(app, async () => {
      for (let count = 0; count < 2; count++)
        expect(await previewOf(token)).toMatchObject({
          purpose: 'invitation',
          activatesAccount: true,
          organization: organizationOf(org, { primaryColor: '#ffd400', hasLogo: true }),
          email,
          firstName: HOSTILE,
          lastName: 'King',
          passwordPolicy: {
            minLength: 20,
            requireNumbers: true,
            rules: [
              expect.stringContaining('20 characters'),
              'At least one digit.',
              expect.stringContaining('Not a common password'),
            ],
          },
        });
    });
    expect(events).toEqual([]);
    expect((await read(app, path)).status).toBe('pending');

    const weak = await post('accept-invitation', { token, password: 'lantern orbit' }).expect(422);
    expect(weak.body.errors).toEqual([
      { pointer: '/password', in: 'body', code: 'too_short', minimum: 20, message: expect.stringContaining('20 characters') },
      { pointer: '/password', in: 'body', code: 'number_missing', message: 'Use at least one digit.' },
    ]);
    expect(JSON.stringify(weak.body)).not.toContain('lantern orbit');
    const { body } = await post('accept-invitation', { token, password: `${PASSWORD} 7`, firstName: ' Ada ' }).expect(200);
    const { id, ...user } = await read(app, path);
    expect(body).toEqual({ data: { userId: id, status: 'active', organizationId: org.id } });
    expect(user).toMatchObject({ status: 'active', emailVerified: true, firstName: 'Ada', lastName: 'King' });
    const rows = await app.database.query<{ payload: string }>(
      `SELECT payload FROM events WHERE user_id = $1 AND type <> 'user.created' ORDER BY seq`,
      [id],
    );
    const actor = { type: 'user', id, email };
    expect(rows.map(({ payload }) => JSON.parse(payload))).toMatchObject([
      { type: 'user.password_changed', actor, data: { method: 'invitation' } },
      { type: 'user.activated', actor, data: { id, status: 'active', previousStatus: 'pending', emailVerified: true } },
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/argon2|lantern/);
    await expectInvalid(token, 'accept-invitation', /already been accepted/);
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
    expect(body.errors).toMatchObject([{ pointer: '/password', code: 'too_short' }]);
    await post('reset-password', { token, password: NEW_PASSWORD }).expect(204);
    await login(app, child.id, email, NEW_PASSWORD).expect(200);
    await expectInvalid(token, 'reset-password', /already been used/);
  });

  it('returns only the new address for an email change', async () => {
    const org = await newOrganization(app);
    const { email } = await activeUser(app, org.id, { email: newAddress(), firstName: 'Ada' });
    const session = app.api.as(await sessionToken(app, org.id, email));
    const newEmail = newAddress();
    await session.post('/v1/auth/me/email', { email: newEmail, currentPassword: PASSWORD }).expect(202);
    const token = await mailedToken(app, newEmail, 'email_change');
    const shown = await previewOf(token);
    expect(shown).toMatchObject({ purpose: 'email_change', activatesAccount: false, email: newEmail });
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`${email}|Ada`));
    expect((await post('verify-email', { token }).expect(200)).body.data.email).toBe(newEmail);
    await expectInvalid(token, 'verify-email', /already been used/);
  });

  it('explains what to do if the link no longer works', async () => {
    const org = await newOrganization(app, { settings: { allowPublicSignup: true } });
    const [invitation, reset, signUp] = [await invited(org), await withPasswordReset(org), await signedUp(org)];
    const until = new Date((await previewOf(reset.token)).expiresAt).getTime();
    expect(Math.abs(until - Date.now() - HOUR_MS)).toBeLessThan(60_000);
    await later(app, HOUR_MS, () => expectInvalid(reset.token, 'reset-password', /expired/));
    await later(app, DAY_MS, () => expectInvalid(signUp.token, 'verify-email', /expired/));
    await later(app, 7 * DAY_MS, () => expectInvalid(invitation.token, 'accept-invitation', /expired/));

    await app.api.platform.post(`${invitation.path}/invitation`).expect(200);
    await expectInvalid(invitation.token, 'accept-invitation', /newer/);
    await app.api.platform.post(`${reset.path}/suspend`, {}).expect(200);
    await expectInvalid(reset.token, 'reset-password', /no longer valid/);
    await app.api.platform.delete(at(org.id)).expect(204);
    await expectInvalid(signUp.token, 'verify-email', /does not work/);
  });

  it('accepts a token only in the request body, and rejects unknown tokens', async () => {
    const { token } = await invited(await newOrganization(app));
    await app.api.anonymous.get(`/v1/auth/links/look?token=${token}`).expect(405);
    expect((await post('links/look', {}).expect(400)).body.errors).toMatchObject([{ pointer: '/token' }]);
    for (const unknown of ['x', 'A'.repeat(43), 'ö'.repeat(43), "'; DROP TABLE users"])
      for (const operation of ['verify-email', 'reset-password']) await expectInvalid(unknown, operation, /does not work/);
  });

  it('an operation rejects a link of another kind and keeps the link valid', async () => {
    const { token } = await invited(await newOrganization(app));
    for (const operation of ['reset-password', 'verify-email', 'cancel-email-change']) {
      const password = operation === 'reset-password' ? { password: NEW_PASSWORD } : {};
      await post(operation, { token, ...password }).expect(400, 'link_invalid');
    }
    await post('accept-invitation', { token, password: PASSWORD }).expect(200);
  });

  it('causes events with the source "dashboard" on pages of the service', async () => {
    const org = await newOrganization(app);
    const sources: string[] = [];
    for (const headers of [{ 'session-transport': 'cookie', 'sec-fetch-site': 'same-origin' }, {}] as Record<string, string>[]) {
      const accepted = { token: (await invited(org)).token, password: PASSWORD };
      await app.api.anonymous.post('/v1/auth/accept-invitation', accepted, { headers }).expect(200);
      const [event] = await app.database.query<{ source: string }>(
        "SELECT payload::json -> 'metadata' ->> 'source' AS source FROM events WHERE type = 'user.activated' ORDER BY seq DESC LIMIT 1",
      );
      sources.push(event!.source);
    }
    expect(sources).toEqual(['dashboard', 'api']);
  });

  describe('of an invitation', () => {
    it('ends when the email address changes, not only its spelling, and when the user, the organization or an ancestor is suspended or deleted', async () => {
      const { token, path, email } = await invited(await newOrganization(app));
      await app.api.platform.patch(path, { email: email.toUpperCase() }).expect(200);
      await previewOf(token);
      await app.api.platform.patch(path, { email: newAddress() }).expect(200);
      await expectInvalid(token, 'accept-invitation', /no longer valid/);
      const org = await newOrganization(app);
      for (const [change, words] of [
        [(path: string) => app.api.platform.post(`${path}/suspend`, { reason: 'test' }).expect(200), /no longer valid/],
        [(path: string) => app.api.platform.delete(path).expect(204), /no longer valid/],
        [(path: string) => app.api.platform.post(`${path}/activate`).expect(200), /already active/],
      ] as const) {
        const { token, path } = await invited(org);
        await change(path);
        await expectInvalid(token, 'accept-invitation', words);
      }
      const top = await newOrganization(app);
      const child = await newOrganization(app, { parentId: top.id });
      const { token: inChild } = await invited(child);
      await app.api.platform.post(at(top.id, '/suspend'), { reason: 'test' }).expect(200);
      await expectInvalid(inChild, 'accept-invitation', /does not work/);
      await app.api.platform.post(at(top.id, '/activate')).expect(200);
      await previewOf(inChild);
      await app.api.platform.delete(at(child.id)).expect(204);
      await expectInvalid(inChild, 'accept-invitation', /does not work/);
    });

    it('rejects passwords that are common or consist of names', async () => {
      const { token } = await invited(await newOrganization(app, { name: 'Wintermute' }), { firstName: 'Armitage' });
      for (const [code, fields] of [
        ['common_password', { password: 'passwordpassword' }],
        ['made_of_names', { password: 'Wintermute-Armitage-1984' }],
        ['made_of_names', { firstName: 'Bartholomew', password: 'bartholomew-2026!!' }],
      ] as const) {
        const { body } = await post('accept-invitation', { token, ...fields }).expect(422);
        expect(body).toMatchObject({ code: 'password_refused', errors: [{ pointer: '/password', code }] });
      }
    });
  });
});

describe('the message language', () => {
  const acme = (settings: object): Promise<TestBody> => newOrganization(app, { name: 'Acme', settings });
  const newest = async (to: string, template: string): Promise<MailboxMail> => {
    const mail = (await mailsTo(app, to)).find((each) => each.template === template);
    if (!mail) throw new Error(`No mail "${template}" was sent to ${to}.`);
    return mail;
  };

  it('is the language of the user in all emails about the account', async () => {
    const org = await acme({ mfaMethods: ['email', 'sms'] });
    const email = newAddress();
    const user = await activeUser(app, org.id, { email, locale: 'de' });
    const client = app.api.as(await sessionToken(app, org.id, email));
    const phoneNumber = '+4915112345678';
    await app.api.anonymous.post('/v1/auth/forgot-password', { organization: org.id, email }).expect(202);
    await client.post('/v1/auth/mfa/email', {}).expect(200);
    await client.post('/v1/auth/mfa/sms', { phoneNumber }).expect(200);
    await app.api.platform.patch(at(org.id, `/users/${user.id}`), { email: `new-${email}` }).expect(200);

    expect((await newest(email, 'password_reset')).subject).toBe('Passwort für Acme zurücksetzen');
    expect((await newest(email, 'security_code')).subject).toBe('Ihr Bestätigungscode für Acme');
    expect((await newest(phoneNumber, 'security_code')).text).toMatch(/^\d{6} ist Ihr Bestätigungscode für Acme\. Geben Sie/);
    for (const address of [email, `new-${email}`])
      expect((await newest(address, 'email_changed')).subject).toBe('Ihre E-Mail-Adresse bei Acme wurde geändert');
  });

  it('is the language of each recipient when several owners get an email', async () => {
    const org = await acme({ defaultLocale: 'de' });
    const owners = [newAddress(), newAddress()];
    await made(app, at(org.id, '/users'), { email: owners[0], roles: ['owner'] });
    await made(app, at(org.id, '/users'), { email: owners[1], roles: ['owner'], locale: 'en' });
    const requester = await signedIn(app, org.id, { roles: ['admin'] });
    const request = { reason: 'The database is full.', durationSeconds: 3_600 };
    await requester.client.post(at(org.id, '/break-glass'), request).expect(201);

    const [inGerman, inEnglish] = await Promise.all(owners.map((owner) => newest(owner, 'break_glass_requested')));
    expect(inGerman!.subject).toBe('Notfallzugriff beantragt (Acme)');
    expect(inGerman!.text).toContain('beantragt für 60 Minuten die Berechtigungen eines Eigentümers von Acme');
    expect(inEnglish!.subject).toBe('Break-glass access requested (Acme)');
    expect(inEnglish!.text).toContain('Reason: The database is full.');
  });
});

describe('a sign-up', () => {
  const open = (settings: object = {}, fields: object = {}): Promise<TestBody> =>
    newOrganization(app, { settings: { allowPublicSignup: true, ...settings }, ...fields });
  const signUp = (org: string, email: string, fields: object = {}): PendingResponse =>
    app.api.anonymous.post('/v1/auth/sign-up', { organization: org, email, password: PASSWORD, ...fields });
  const verify = (token: string): PendingResponse => app.api.anonymous.post('/v1/auth/verify-email', { token });
  const templates = async (email: string) => (await mailsTo(app, email)).map(({ template }) => template);
  const userWith = async (org: TestBody, email: string): Promise<TestBody> => {
    const { body } = await app.api.platform.get(at(org.id, `/users?email=${email}`)).expect(200);
    return body.data[0];
  };

  it('creates a pending user and emails an activation link', async () => {
    const org = await open();
    const email = newAddress();
    const events = await eventsDuring(app, async () => {
      const { body } = await signUp(org.slug, email, { firstName: 'Ada', lastName: 'Lovelace', locale: 'DE' }).expect(202);
      expect(body).toEqual({ data: { email } });
    });
    expect(events.map(({ type }) => type)).toEqual(['user.created', 'user.password_changed']);
    expect(events[0]!.data).toMatchObject({ email, firstName: 'Ada', lastName: 'Lovelace', status: 'pending' });
    expect(events[1]!.data.method).toBe('sign_up');
    expect(await userWith(org, email)).toMatchObject({
      status: 'pending',
      emailVerified: false,
      roles: [{ id: 'role_member', name: 'member' }],
    });
    const { id } = await userWith(org, email);
    expect((await read(app, at(org.id, `/users/${id}`))).locale).toBe('de');
    await login(app, org.id, email).expect(401);

    expect(await templates(email)).toEqual(['email_verification']);
    const token = await mailedToken(app, email, 'email_verification');
    // Without the names, which anybody can send.
    const organization = { id: org.id, slug: org.slug, name: org.name, branding: expect.any(Object) };
    const purpose = { purpose: 'email_verification', activatesAccount: true, expiresAt: expect.any(String) };
    const preview = await app.api.anonymous.post('/v1/auth/links/look', { token }).expect(200);
    expect(preview.body.data).toEqual({ ...purpose, organization, email });
    const verified = await eventsDuring(app, async () => {
      const { body } = await verify(token).expect(200);
      expect(body.data).toEqual({ userId: events[0]!.data.id, email, status: 'active' });
    });
    expect(verified.map(({ type }) => type)).toEqual(['user.activated']);
    expect(verified[0]!.data).toMatchObject({ previousStatus: 'pending', emailVerified: true });
    await login(app, org.id, email).expect(200);
    await verify(token).expect(400);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('works with a domain in Unicode', async () => {
    const org = await open({ allowedDomains: ['bücher.example'] });
    await signUp(org.slug, 'hans@bücher.example').expect(202);
    await verify(await mailedToken(app, 'hans@bücher.example', 'email_verification')).expect(200);
    for (const email of ['hans@bücher.example', 'HANS@xn--bcher-kva.example']) await login(app, org.id, email).expect(200);
  });

  it('is rejected by default', async () => {
    const closed = await newOrganization(app);
    const suspended = await open();
    await app.api.platform.post(at(suspended.id, '/suspend'), {}).expect(200);
    const responses = [];
    for (const org of [closed.id, suspended.id, 'no-such-organization']) {
      const { body } = await signUp(org, newAddress()).expect(403);
      const { requestId: _, ...rest } = body;
      responses.push(rest);
    }
    expect(responses[0].code).toBe('sign_up_closed');
    for (const response of responses) expect(response).toEqual(responses[0]);
  });

  it('reveals only by email that an address is taken', async () => {
    const org = await open();
    const fresh = newAddress();
    const elsewhere = await open({}, { parentId: (await open()).id });
    const active = (await activeUser(app, org.id, { email: newAddress() })).email;
    const pending = (await newUser(app, org.id)).email;
    const suspended = await activeUser(app, org.id, { email: newAddress() });
    await app.api.platform.post(at(org.id, `/users/${suspended.id}/suspend`), {}).expect(200);
    const addresses = [fresh, active, pending, suspended.email];
    await expectNoDisclosure(
      addresses.map((email) => [email, () => signUp(org.id, email)]),
      245,
    );
    expect(await templates(fresh)).toEqual(['email_verification']);
    expect((await templates(active))[0]).toBe('account_exists');
    await login(app, org.id, active).expect(200);

    // An address has one account in the whole tenant.
    const inTree = (await activeUser(app, elsewhere.id, { email: newAddress() })).email;
    await signUp((await newOrganization(app, { name: 'Twin', parentId: elsewhere.id })).id, inTree).expect(202);
    expect((await templates(inTree))[0]).toBe('account_exists');
  });

  it('assigns the account only to the owner of the email address', async () => {
    const org = await open();
    const email = newAddress();
    await signUp(org.id, email, { password: NEW_PASSWORD }).expect(202);
    const first = await mailedToken(app, email, 'email_verification');
    await signUp(org.id, email).expect(202);
    expect(await templates(email)).toEqual(['invitation', 'email_verification']);
    await verify(first).expect(400);
    await app.api.anonymous
      .post('/v1/auth/accept-invitation', { token: await mailedToken(app, email, 'invitation'), password: PASSWORD })
      .expect(200);
    await login(app, org.id, email, NEW_PASSWORD).expect(401);
    await login(app, org.id, email).expect(200);
  });

  it('creates only one user when repeated concurrently, and sends at most five emails an hour to an address', async () => {
    const org = await open();
    const email = newAddress();
    const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await signUp(org.id, email)).status));
    expect(statuses).toEqual([202, 202, 202, 202]);
    const { body } = await app.api.platform.get(at(org.id, `/users?email=${email}`)).expect(200);
    expect(body.pagination.total).toBe(1);
    expect((await templates(email)).sort()).toEqual(['email_verification', 'invitation', 'invitation', 'invitation']);
    const { email: known } = await activeUser(app, org.id, { email: newAddress() });
    for (let count = 0; count < 6; count++) await signUp(org.id, known).expect(202);
    expect((await templates(known)).filter((template) => template === 'account_exists')).toHaveLength(5);
  });
});
