import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { invitationToken, mailsTo } from '../support/mailbox.js';
import { activeUser, login, PASSWORD } from '../support/sign-in.js';

const NEW_PASSWORD = 'marble thicket cobalt ferry';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** What is particular to the pages; how links work is tested at the operations behind them. */
describe('the pages that mails lead to', () => {
  let app: TestApp;
  let counter = 0;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const made = async (path: string, body: object): Promise<TestBody> =>
    (await app.api.platform.post(path, body).expect(201)).body.data;
  const organization = (fields: object = {}): Promise<TestBody> =>
    made('/v1/organizations', { name: `Organization ${++counter}`, ...fields });
  const someone = (): string => `person-${++counter}@example.com`;
  const statusOf = async (org: TestBody, email: string): Promise<string> =>
    (await app.api.platform.get(`/v1/organizations/${org.id}/users?email=${email}`).expect(200)).body.data[0].status;

  describe('of invitations', () => {
    async function invited(org: TestBody) {
      const user = await made(`/v1/organizations/${org.id}/users`, { email: someone(), sendInvitation: true });
      const path = `/v1/organizations/${org.id}/users/${user.id}`;
      return { user, path, email: user.email as string, token: await invitationToken(app, user.email) };
    }
    const show = (token: string): PendingResponse => app.api.nobody.get(`/accept-invitation?token=${encodeURIComponent(token)}`);
    const submit = (fields: Record<string, string>, headers: Record<string, string> = {}): PendingResponse =>
      app.api.nobody.raw('POST', '/accept-invitation', new URLSearchParams(fields).toString(), { ...FORM, ...headers });
    const userOf = async (path: string): Promise<TestBody> => (await app.api.platform.get(path).expect(200)).body.data;

    it('lead from the mail to an active user, without a script', async () => {
      const org = await organization({ name: 'Acme & Söhne', branding: { primaryColor: '#ffd400' } });
      const { email, path, user } = await invited(org);
      const [mail] = await mailsTo(app, email);
      expect(mail).toMatchObject({ template: 'invitation', subject: 'You are invited to join Acme & Söhne' });
      expect(mail!.html).toContain('background:#ffd400');
      const link = new URL(mail!.links[0]!);

      const page = await app.api.nobody.get(link.pathname + link.search).expect(200);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('cache-control')).toBe('no-store');
      const policy = page.headers.get('content-security-policy')!;
      const nonce = /style-src 'nonce-([\w+/=]+)'/.exec(policy)?.[1];
      expect(policy).toMatch(/^default-src 'none';.*form-action 'self'.*frame-ancestors 'none'/);
      expect(page.body).toContain(`<style nonce="${nonce}">`);
      expect(page.body).toContain('Join Acme &amp; Söhne');
      expect(page.body).toContain('background:#ffd400;color:#000000');
      expect(page.body).toContain('At least 15 characters');
      expect(page.body).toContain(`value="${email}"`);
      expect(page.body).not.toMatch(/<script|\son\w+=|\sstyle="/);
      for (const name of ['password', 'repeated']) expect(page.body).toMatch(new RegExp(`<label for="${name}">.*id="${name}"`));

      const action = new URL(/action="([^"]+)"/.exec(page.body)![1]!, link);
      expect(action.pathname).toBe('/accept-invitation');
      const token = /name="token" value="([^"]+)"/.exec(page.body)![1]!;
      const done = await submit({ token, password: PASSWORD, repeated: PASSWORD }, { origin: 'null' }).expect(200);
      expect(done.body).toContain('your account at Acme &amp; Söhne is active');
      expect(done.body).not.toContain(token);
      expect(await userOf(path)).toMatchObject({ id: user.id, status: 'active', emailVerified: true });
    });

    it('show what is wrong with the password, keep the link usable and give no password back', async () => {
      const { token, path } = await invited(await organization({ name: '<b>"Quotes\'</b>' }));
      const cases: [Record<string, string>, string][] = [
        [{ password: 'short', repeated: 'short' }, 'Use at least 15 characters'],
        [{ password: PASSWORD, repeated: `${PASSWORD}.` }, 'not the same'],
        [{ password: '', repeated: '' }, 'Enter a password'],
      ];
      for (const [fields, words] of cases) {
        const { body } = await submit({ token, ...fields }).expect(422);
        expect(body).toMatch(/<title>Error: .*role="alert"/s);
        expect(body).toContain(words);
        expect(body).toContain('aria-invalid="true"');
        expect(body).toContain('&lt;b&gt;&quot;Quotes&#39;&lt;/b&gt;');
        expect(body).not.toContain('<b>');
        expect(body).not.toContain(PASSWORD);
      }
      expect((await userOf(path)).status).toBe('pending');
      await submit({ token, password: PASSWORD, repeated: PASSWORD }).expect(200);
    });

    it('take forms from their own page alone, and of a sensible size', async () => {
      const { token, path } = await invited(await organization());
      const fields = { token, password: PASSWORD, repeated: PASSWORD };
      await submit(fields, { origin: 'https://evil.example' }).expect(403);
      await submit(fields, { origin: 'null', 'sec-fetch-site': 'cross-site' }).expect(403);
      await submit({ ...fields, more: 'x'.repeat(17_000) }).expect(413);
      await app.api.nobody.raw('POST', '/accept-invitation', '<a/>', { 'content-type': 'text/xml' }).expect(415);
      await app.api.platform.raw('POST', '/v1/organizations', 'name=Form', FORM).expect(415);
      expect((await userOf(path)).status).toBe('pending');
      await submit(fields, { origin: app.url }).expect(200);
    });

    it.each(['', 'x', 'A'.repeat(43), 'ö'.repeat(43)])('have nothing for the token %j', async (token) => {
      expect((await show(token).expect(400)).body).toContain('This invitation does not work');
      await app.api.nobody.get('/accept-invitation?token=a&token=b').expect(400);
    });

    it('say that a link is over, and show no form', async () => {
      const { token } = await invited(await organization());
      await app.api.nobody.post('/v1/auth/accept-invitation', { token, password: PASSWORD }).expect(200);
      for (const answer of [await show(token), await submit({ token, password: PASSWORD, repeated: PASSWORD })]) {
        expect(answer.status).toBe(400);
        expect(answer.body).toContain('accepted already');
        expect(answer.body).not.toContain('<form');
      }
    });
  });

  it('of forgotten passwords set another; looking at it uses nothing up', async () => {
    const org = await organization({ name: '<b>Acme</b>' });
    const user = await activeUser(app, org.id, { email: someone() });
    await app.api.nobody.post('/v1/auth/forgot-password', { organization: org.id, email: user.email }).expect(202);
    const [mail] = await mailsTo(app, user.email);
    const link = new URL(mail!.links[0]!);
    expect(link.pathname).toBe('/reset-password');
    for (let count = 0; count < 2; count++) await app.api.nobody.get(link.pathname + link.search).expect(200);
    const page = await app.api.nobody.get(link.pathname + link.search).expect(200);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(page.body).toContain('&lt;b&gt;Acme&lt;/b&gt;');
    expect(page.body).not.toMatch(/<script|<b>Acme/);
    const token = /name="token" value="([^"]+)"/.exec(page.body)![1]!;
    const submit = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      app.api.nobody.raw('POST', '/reset-password', new URLSearchParams(fields).toString(), { ...FORM, ...headers });
    const filled = { token, password: NEW_PASSWORD, repeated: NEW_PASSWORD };
    await submit(filled, { 'sec-fetch-site': 'cross-site' }).expect(403);
    const typo = await submit({ ...filled, repeated: 'other' }).expect(422);
    expect(typo.body).toContain('not the same');
    const weak = await submit({ ...filled, password: 'short', repeated: 'short' }).expect(422);
    expect(weak.body).toContain('Use at least 15 characters');
    expect(weak.body).not.toContain('value="short"');
    const done = await submit(filled).expect(200);
    expect(done.body).toContain('You can sign in now.');
    await login(app, org.id, user.email, NEW_PASSWORD).expect(200);
  });

  it('of addresses confirm them by a button, not by being looked at', async () => {
    const org = await organization({ name: 'Acme <i>', settings: { allowPublicSignup: true } });
    const email = someone();
    await app.api.nobody.post('/v1/auth/sign-up', { organization: org.id, email, password: PASSWORD }).expect(202);
    const [mail] = await mailsTo(app, email);
    const link = new URL(mail!.links[0]!);
    expect(link.pathname).toBe('/verify-email');
    for (let count = 0; count < 2; count++) await app.api.nobody.get(link.pathname + link.search).expect(200);
    expect(await statusOf(org, email)).toBe('pending');
    const page = await app.api.nobody.get(link.pathname + link.search).expect(200);
    expect(page.body).toContain('activate your account at Acme &lt;i&gt;');
    expect(page.body).not.toContain('<script');
    const token = /name="token" value="([^"]+)"/.exec(page.body)![1]!;
    const submit = (headers: Record<string, string>) =>
      app.api.nobody.raw('POST', '/verify-email', new URLSearchParams({ token }).toString(), { ...FORM, ...headers });
    await submit({ 'sec-fetch-site': 'cross-site' }).expect(403);
    const done = await submit({ 'sec-fetch-site': 'same-origin' }).expect(200);
    expect(done.body).toContain('You can sign in now.');
    expect((await submit({}).expect(400)).body).toContain('used already');
    await login(app, org.id, email).expect(200);
  });
});
