import { describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { startMailReceiver } from '../support/mail-receiver.js';
import { invitationToken } from '../support/mailbox.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

const PASSWORD = 'lantern orbit velvet quarry';

describe('an invitation', () => {
  const app = testApp({}, { passwordCost: 'production' });

  async function invited(org: TestBody, fields: object = {}) {
    const user = await made(app, `/v1/organizations/${org.id}/users`, {
      email: newAddress(),
      sendInvitation: true,
      ...fields,
    });
    const path = `/v1/organizations/${org.id}/users/${user.id}`;
    return { user, path, email: user.email as string, token: await invitationToken(app, user.email) };
  }
  const accept = (token: string, fields: object = {}): PendingResponse =>
    app.api.anonymous.post('/v1/auth/accept-invitation', { token, password: PASSWORD, ...fields });
  const preview = (token: string): PendingResponse => app.api.anonymous.post('/v1/auth/links/look', { token });
  const userOf = async (path: string): Promise<TestBody> => (await app.api.platform.get(path).expect(200)).body.data;

  /** Expects that the preview and the acceptance of the link fail with the same reason. */
  async function expectInvalid(token: string, words: RegExp): Promise<void> {
    for (const { status, body } of [await preview(token), await accept(token)]) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'invitation_invalid', detail: expect.stringMatching(words) });
    }
  }

  describe('acceptance through the API', () => {
    it('returns the activated user', async () => {
      const org = await newOrganization(app);
      const { user, token, path } = await invited(org, { lastName: 'King' });
      const { body } = await accept(token, { firstName: ' Ada ' }).expect(200);
      expect(body).toEqual({ data: { userId: user.id, status: 'active', organizationId: org.id } });
      const shown = await userOf(path);
      expect(shown).toMatchObject({ status: 'active', emailVerified: true, firstName: 'Ada', lastName: 'King' });
      const list = await app.api.platform.get(`/v1/organizations/${org.id}/users?status=active&search=ada`).expect(200);
      expect(list.body).toMatchObject({ data: [{ id: user.id, status: 'active' }], pagination: { total: 1 } });
    });

    it('publishes user.password_changed and user.activated, with the user as actor', async () => {
      const { user, token, email } = await invited(await newOrganization(app));
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

    it('stores the password only as a slow hash', async () => {
      const { user, token } = await invited(await newOrganization(app));
      await accept(token).expect(200);
      const [row] = await app.database.query<{ hash: string }>(
        'SELECT password_hash AS hash FROM user_credentials WHERE user_id = $1',
        [user.id],
      );
      expect(row!.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    });
  });

  describe('the link', () => {});

  describe('the validity', () => {
    it('ends when the email address changes', async () => {
      const { token, path } = await invited(await newOrganization(app));
      await app.api.platform.patch(path, { email: newAddress() }).expect(200);
      await expectInvalid(token, /no longer valid/);
    });

    it('continues when only the spelling of the email address changes', async () => {
      const { token, path, email } = await invited(await newOrganization(app));
      await app.api.platform.patch(path, { email: email.toUpperCase() }).expect(200);
      await accept(token).expect(200);
    });

    it('ends when an administrator suspends, deletes or activates the user', async () => {
      const org = await newOrganization(app);
      const suspended = await invited(org);
      await app.api.platform.post(`${suspended.path}/suspend`, { reason: 'test' }).expect(200);
      const deleted = await invited(org);
      await app.api.platform.delete(deleted.path).expect(204);
      const activated = await invited(org);
      await app.api.platform.post(`${activated.path}/activate`).expect(200);
      for (const { token } of [suspended, deleted]) await expectInvalid(token, /no longer valid/);
      await expectInvalid(activated.token, /already active/);
    });

    it('ends when the organization or an ancestor is suspended or deleted', async () => {
      const top = await newOrganization(app);
      const child = await newOrganization(app, { parentId: top.id });
      const { token } = await invited(child);
      await app.api.platform.post(`/v1/organizations/${top.id}/suspend`, { reason: 'test' }).expect(200);
      await expectInvalid(token, /does not work/);
      await app.api.platform.post(`/v1/organizations/${top.id}/activate`).expect(200);
      await preview(token).expect(200);
      await app.api.platform.delete(`/v1/organizations/${child.id}`).expect(204);
      await expectInvalid(token, /does not work/);
    });
  });

  describe('the chosen password', () => {
    const codesOf = async (token: string, password: string): Promise<string[]> => {
      const { body } = await accept(token, { password }).expect(422);
      expect(body.code).toBe('password_refused');
      return body.errors.map(({ pointer, code }: TestBody) => `${pointer} ${code}`);
    };

    it('must not be common or consist of names', async () => {
      const org = await newOrganization(app, { name: 'Wintermute' });
      const { token } = await invited(org, { firstName: 'Armitage' });
      expect(await codesOf(token, 'passwordpassword')).toEqual(['/password common_password']);
      expect(await codesOf(token, 'Wintermute-Armitage-1984')).toEqual(['/password made_of_names']);
      const named = { firstName: 'Bartholomew', password: 'bartholomew-2026!!' };
      expect((await accept(token, named).expect(422)).body.errors[0].code).toBe('made_of_names');
    });
  });
});

describe('an invitation email', () => {
  it('arrives through SMTP as text and HTML with a working link', async () => {
    const receiver = await startMailReceiver();
    const app = await startApp({ smtpUrl: receiver.url, mailFrom: 'Accounts <accounts@service.example>' });
    try {
      const name = 'Acme\r\nBcc: victim@example.com\r\n\r\n<script>x</script>';
      const branding = { primaryColor: '#ffd400', logo: 'https://cdn.acme.example/logo.png' };
      const org = (await app.api.platform.post('/v1/organizations', { name: 'Acme', branding }).expect(201)).body.data;
      // Previous versions accepted such a name.
      await app.database.query('UPDATE organizations SET name = $2 WHERE id = $1', [org.id, name]);
      const path = `/v1/organizations/${org.id}/users`;
      const invitee = { email: 'ada@example.com', firstName: 'Ada', sendInvitation: true };
      const user = (await app.api.platform.post(path, invitee).expect(201)).body.data;

      const [mail] = await receiver.waitFor(1, 20_000);
      expect(mail!.to).toEqual(['ada@example.com']);
      expect(mail!.headers['from']).toBe('Accounts <accounts@service.example>');
      expect(mail!.headers['subject']).toMatch(/^You're invited to join Acme Bcc: victim@example\.com/);
      expect(mail!.headers['bcc']).toBeUndefined();
      const text = mail!.parts['text/plain']!.body;
      const html = mail!.parts['text/html']!.body;
      expect(html).toContain('background:#ffd400');
      expect(html).toContain('<img src="https://cdn.acme.example/logo.png"');
      expect(html).not.toContain('<script');
      const link = new URL(/https?:\S+accept-invitation\S+/.exec(text)![0]);
      expect(html).toContain(link.href.replaceAll('&', '&amp;'));

      const token = link.searchParams.get('token');
      const { organization } = (await app.api.anonymous.post('/v1/auth/links/look', { token }).expect(200)).body.data;
      expect(organization).toEqual({ id: org.id, slug: org.slug, name, branding: { primaryColor: '#ffd400', hasLogo: true } });
      const done = await app.api.anonymous.post('/v1/auth/accept-invitation', { token, password: PASSWORD }).expect(200);
      expect(done.body.data).toEqual({ userId: user.id, status: 'active', organizationId: org.id });
      await app.api.anonymous.post('/v1/auth/accept-invitation', { token, password: `${PASSWORD}!` }).expect(400);
      expect((await app.api.anonymous.post('/v1/auth/links/look', { token }).expect(400)).body.detail).toContain(
        'already been accepted',
      );
      expect(receiver.mails).toHaveLength(1);
    } finally {
      await app.close();
      await receiver.stop();
    }
  });
});
