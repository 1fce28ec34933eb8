import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '#common';
import { type TestApp, startApp } from '../support/app.js';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody, TestResponse } from '../support/http-client.js';
import { startMailReceiver } from '../support/mail-receiver.js';
import { invitationToken, mailsTo } from '../support/mailbox.js';

const PASSWORD = 'lantern orbit velvet quarry';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const DAY_MS = 24 * 3_600_000;

describe('invitations', () => {
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

  /** A new user who got an invitation. */
  async function invited(org: TestBody, fields: object = {}) {
    const user = await made(`/v1/organizations/${org.id}/users`, {
      email: `person-${++counter}@example.com`,
      sendInvitation: true,
      ...fields,
    });
    const path = `/v1/organizations/${org.id}/users/${user.id}`;
    return { user, path, email: user.email as string, token: await invitationToken(app, user.email) };
  }
  const accept = (token: string, fields: object = {}): PendingResponse =>
    app.api.nobody.post('/v1/auth/accept-invitation', { token, password: PASSWORD, ...fields });
  const show = (token: string): PendingResponse => app.api.nobody.get(`/accept-invitation?token=${encodeURIComponent(token)}`);
  const submit = (fields: Record<string, string>, headers: Record<string, string> = {}): PendingResponse =>
    app.api.nobody.raw('POST', '/accept-invitation', new URLSearchParams(fields).toString(), { ...FORM, ...headers });
  const userOf = async (path: string): Promise<TestBody> => (await app.api.platform.get(path).expect(200)).body.data;

  /** Every way to use the link says that it does not work, and why. */
  async function expectDead(token: string, words: RegExp): Promise<void> {
    const answers = [await accept(token), await show(token), await submit({ token, password: PASSWORD, repeated: PASSWORD })];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(answers[0]!.body).toMatchObject({ code: 'invitation_invalid', detail: expect.stringMatching(words) });
    expect(answers[1]!.body).toMatch(words);
    expect(answers[1]!.body).not.toContain('<form');
    expect(answers[2]!.body).toMatch(words);
  }

  describe('on the page', () => {
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
  });

  describe('accepted by a program', () => {
    it('answer who was activated, and take names', async () => {
      const org = await organization();
      const { user, token, path } = await invited(org, { lastName: 'King' });
      const { body } = await accept(token, { firstName: ' Ada ' }).expect(200);
      expect(body).toEqual({ data: { userId: user.id, status: 'active', organizationId: org.id } });
      const shown = await userOf(path);
      expect(shown).toMatchObject({ status: 'active', emailVerified: true, firstName: 'Ada', lastName: 'King' });
      const list = await app.api.platform.get(`/v1/organizations/${org.id}/users?status=active&search=ada`).expect(200);
      expect(list.body).toMatchObject({ data: [{ id: user.id, status: 'active' }], pagination: { total: 1 } });
    });

    it('tell of it by exactly these events, in the name of the user', async () => {
      const { user, token, email } = await invited(await organization());
      const events = await eventsDuring(app, () => accept(token).expect(200));
      expect(events.map(({ type }) => type)).toEqual(['user.password_changed', 'user.activated']);
      const [changed, activated] = events.map(({ data }) => data);
      expect(changed).toEqual({ userId: user.id, method: 'invitation', changedAt: expect.stringMatching(/Z$/) });
      expect(activated).toMatchObject({
        id: user.id,
        status: 'active',
        previousStatus: 'pending',
        emailVerified: true,
        lastPasswordChangeAt: changed.changedAt,
      });
      const rows = await app.database.query<{ payload: string }>(
        `SELECT payload FROM events WHERE user_id = $1 AND type <> 'user.created'`,
        [user.id],
      );
      const actors = rows.map(({ payload }) => JSON.parse(payload).actor);
      expect(actors).toEqual([0, 1].map(() => ({ type: 'user', id: user.id, email })));
      expect(JSON.stringify(rows)).not.toMatch(/argon2|lantern/);
    });

    it('keep the password only as a slow hash', async () => {
      const { user, token } = await invited(await organization());
      await accept(token).expect(200);
      const [row] = await app.database.query<{ hash: string }>(
        'SELECT password_hash AS hash FROM user_credentials WHERE user_id = $1',
        [user.id],
      );
      expect(row!.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    });

    it('refuse what is no invitation, and fields that are wrong', async () => {
      await expectDead('A'.repeat(43), /does not work/);
      const { body } = await app.api.nobody.post('/v1/auth/accept-invitation', {}).expect(400);
      expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual(['/password', '/token']);
    });
  });

  describe('work once', () => {
    it('of eight at once one wins', async () => {
      const { token, user } = await invited(await organization());
      const events = await eventsDuring(app, async () => {
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, index): Promise<TestResponse> => accept(token, { password: `${PASSWORD} ${index}` })),
        );
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 400)]);
      });
      expect(events).toHaveLength(2);
      expect(await app.database.query('SELECT FROM user_credentials WHERE user_id = $1', [user.id])).toHaveLength(1);
      await expectDead(token, /accepted already/);
    });

    it('the newest only: sending again kills the older link', async () => {
      const { token, path, email } = await invited(await organization());
      await app.api.platform.post(`${path}/invitation`).expect(200);
      const newer = await invitationToken(app, email);
      expect(newer).not.toBe(token);
      await expectDead(token, /newer/);
      await accept(newer).expect(200);
    });

    it('for seven days', async () => {
      const { token, path, email } = await invited(await organization());
      const clock = app.app.get(Clock);
      const moved = (ms: number) => Object.assign(clock, { now: () => new Date(Date.now() + ms) });
      try {
        moved(7 * DAY_MS - 60_000);
        await show(token).expect(200);
        moved(7 * DAY_MS + 1_000);
        await expectDead(token, /expired/);
        await app.api.platform.post(`${path}/invitation`).expect(200);
        await accept(await invitationToken(app, email)).expect(200);
      } finally {
        Reflect.deleteProperty(clock, 'now');
      }
    });
  });

  describe('die', () => {
    it('with a change of the address they were sent to', async () => {
      const { token, path } = await invited(await organization());
      await app.api.platform.patch(path, { email: `moved-${counter}@example.com` }).expect(200);
      await expectDead(token, /no longer valid/);
    });

    it('but not with another spelling of it', async () => {
      const { token, path, email } = await invited(await organization());
      await app.api.platform.patch(path, { email: email.toUpperCase() }).expect(200);
      await accept(token).expect(200);
    });

    it('with the user: suspended, deleted, activated by others', async () => {
      const org = await organization();
      const suspended = await invited(org);
      await app.api.platform.post(`${suspended.path}/suspend`, { reason: 'test' }).expect(200);
      const deleted = await invited(org);
      await app.api.platform.delete(deleted.path).expect(204);
      const activated = await invited(org);
      await app.api.platform.post(`${activated.path}/activate`).expect(200);
      for (const { token } of [suspended, deleted, activated]) await expectDead(token, /does not work/);
    });

    it('with the organization, or one above it', async () => {
      const top = await organization();
      const below = await organization({ parentId: top.id });
      const { token } = await invited(below);
      await app.api.platform.post(`/v1/organizations/${top.id}/suspend`, { reason: 'test' }).expect(200);
      await expectDead(token, /does not work/);
      await app.api.platform.post(`/v1/organizations/${top.id}/activate`).expect(200);
      await show(token).expect(200);
      await app.api.platform.delete(`/v1/organizations/${below.id}`).expect(204);
      await expectDead(token, /does not work/);
    });
  });

  describe('ask for a password', () => {
    const codesOf = async (token: string, password: string): Promise<string[]> => {
      const { body } = await accept(token, { password }).expect(422);
      expect(body.code).toBe('password_refused');
      return body.errors.map(({ pointer, code }: TestBody) => `${pointer} ${code}`);
    };

    it('under the policy of the organization: inherited, overridden, as it is now', async () => {
      const top = await organization({ settings: { passwordPolicy: { minLength: 8, requireNumbers: true } } });
      const below = await organization({ parentId: top.id, settings: { passwordPolicy: { minLength: 20 } } });
      const { token } = await invited(below);
      expect((await show(token)).body).toMatch(/At least 20 characters.*At least one digit/);
      expect(await codesOf(token, 'lantern orbit')).toEqual(['/password too_short', '/password number_missing']);
      const path = `/v1/organizations/${below.id}`;
      await app.api.platform.patch(path, { settings: { passwordPolicy: { minLength: null, requireSymbols: true } } }).expect(200);
      expect(await codesOf(token, 'lanternorbit')).toEqual(['/password number_missing', '/password symbol_missing']);
      await accept(token, { password: 'lantern orbit 7' }).expect(200);
    });

    it('that is not common, nor made of the names of person and organization', async () => {
      const org = await organization({ name: 'Wintermute' });
      const { token } = await invited(org, { firstName: 'Armitage' });
      expect(await codesOf(token, 'passwordpassword')).toEqual(['/password common_password']);
      expect(await codesOf(token, 'Wintermute-Armitage-1984')).toEqual(['/password made_of_names']);
      const named = { firstName: 'Bartholomew', password: 'bartholomew-2026!!' };
      expect((await accept(token, named).expect(422)).body.errors[0].code).toBe('made_of_names');
    });
  });
});

describe('invitations by SMTP', () => {
  it('arrive as text and HTML in the look of the organization, whose name is no header, and their link works', async () => {
    const receiver = await startMailReceiver();
    const app = await startApp({ smtpUrl: receiver.url, mailFrom: 'Accounts <accounts@service.example>' });
    try {
      const name = 'Acme\r\nBcc: victim@example.com\r\n\r\n<script>x</script>';
      const branding = { primaryColor: '#ffd400', logo: 'https://cdn.acme.example/logo.png' };
      const org = (await app.api.platform.post('/v1/organizations', { name, branding }).expect(201)).body.data;
      const path = `/v1/organizations/${org.id}/users`;
      const wanted = { email: 'ada@example.com', firstName: 'Ada\r\nCc: x@example.com', sendInvitation: true };
      const user = (await app.api.platform.post(path, wanted).expect(201)).body.data;

      const [mail] = await receiver.waitFor(1, 20_000);
      expect(mail!.to).toEqual(['ada@example.com']);
      expect(mail!.headers['from']).toBe('Accounts <accounts@service.example>');
      expect(mail!.headers['subject']).toMatch(/^You are invited to join Acme Bcc: victim@example\.com/);
      for (const injected of ['bcc', 'cc']) expect(mail!.headers[injected]).toBeUndefined();
      const text = mail!.parts['text/plain']!.body;
      const html = mail!.parts['text/html']!.body;
      expect(html).toContain('background:#ffd400');
      expect(html).toContain('<img src="https://cdn.acme.example/logo.png"');
      expect(html).not.toContain('<script');
      const link = new URL(/https?:\S+accept-invitation\S+/.exec(text)![0]);
      expect(html).toContain(link.href);

      const page = await app.api.nobody.get(link.pathname + link.search).expect(200);
      expect(page.body).toContain('<img src="https://cdn.acme.example/logo.png"');
      expect(page.body).not.toContain('<script');
      const token = link.searchParams.get('token');
      const done = await app.api.nobody.post('/v1/auth/accept-invitation', { token, password: PASSWORD }).expect(200);
      expect(done.body.data).toEqual({ userId: user.id, status: 'active', organizationId: org.id });
      await app.api.nobody.post('/v1/auth/accept-invitation', { token, password: `${PASSWORD}!` }).expect(400);
      expect((await app.api.nobody.get(link.pathname + link.search).expect(400)).body).toContain('accepted already');
      expect(receiver.mails).toHaveLength(1);
    } finally {
      await app.close();
      await receiver.stop();
    }
  });
});
