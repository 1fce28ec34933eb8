import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { MetricsService } from '#platform/observability';
import { startApp } from '../support/app.js';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody, TestClient } from '../support/http-client.js';
import { listenHttp } from '../support/local-receiver.js';
import { mailsTo } from '../support/mailbox.js';
import { at, made, newAddress, newOrganization, newUser, read } from '../support/organizations.js';
import { signedInUser } from '../support/second-factors.js';
import {
  activeUser,
  expectNoDisclosure,
  later,
  login,
  mailedToken,
  NEW_PASSWORD,
  PASSWORD,
  sessionToken,
} from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';
import { systemContext } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { TransactionRunner } from '#platform/database';
import { unneeded } from '#directory/privileges';

const STOLEN_PASSWORD = 'marmalade hinge outpost vapour';
const UNKNOWN_PASSWORD = 'gravel tulip harness monsoon';
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase();

const app = testApp();

describe('the account of the user', () => {
  async function person(org: TestBody) {
    const user = await activeUser(app, org.id, { email: newAddress() });
    const client = app.api.as(await sessionToken(app, org.id, user.email));
    const other = app.api.as(await sessionToken(app, org.id, user.email));
    const path = `/v1/organizations/${org.id}/users/${user.id}`;
    return { ...user, client, other, path };
  }
  const verify = (token: string): PendingResponse => app.api.anonymous.post('/v1/auth/verify-email', { token });
  const templates = async (email: string) => (await mailsTo(app, email)).map(({ template }) => template);
  const expectOtherSessionEnded = async ({ client, other }: { client: TestClient; other: TestClient }): Promise<void> => {
    await client.get('/v1/auth/me').expect(200);
    await other.get('/v1/auth/me').expect(401);
  };

  it('changes the password only with the current password, and ends all sessions except the current session', async () => {
    const org = await newOrganization(app);
    const user = await person(org);
    const change = (body: object) => user.client.post('/v1/auth/change-password', { newPassword: NEW_PASSWORD, ...body });
    await change({}).expect(403, 'current_password_required');
    await change({ currentPassword: 'wrong' }).expect(403, 'current_password_wrong');
    await user.other.get('/v1/auth/me').expect(200);
    expect(await eventsDuring(app, () => change({ currentPassword: PASSWORD }).expect(204))).toMatchObject([
      { type: 'user.password_changed', data: { userId: user.id, method: 'change' } },
      { type: 'security.session_revoked', data: { userId: user.id, reason: 'password_changed' } },
    ]);
    await expectOtherSessionEnded(user);
    expect((await templates(user.email))[0]).toBe('security_notice');
    await login(app, org.id, user.email, PASSWORD).expect(401);
    await login(app, org.id, user.email, NEW_PASSWORD).expect(200);
  });

  describe('the email change', () => {
    it('notifies the previous address and ends all sessions except the current session', async () => {
      const org = await newOrganization(app);
      const user = await person(org);
      const to = `New.${newAddress()}`;
      await app.api.anonymous.post('/v1/auth/forgot-password', { organization: org.id, email: user.email }).expect(202);
      const link = await mailedToken(app, user.email, 'password_reset');
      const requestEvents = await eventsDuring(app, () =>
        user.client.post('/v1/auth/me/email', { email: to, currentPassword: PASSWORD }).expect(202),
      );
      expect(requestEvents).toMatchObject([
        { type: 'user.email_change_requested', data: { userId: user.id, email: user.email, newEmail: to } },
      ]);
      expect((await read(app, user.path)).email).toBe(user.email);
      expect(await templates(to)).toEqual(['email_change']);
      const events = await eventsDuring(app, async () => {
        const { body } = await verify(await mailedToken(app, to, 'email_change')).expect(200);
        expect(body.data).toEqual({ userId: user.id, email: to, status: 'active' });
      });
      expect(events.map(({ type }) => type)).toEqual(['user.updated', 'security.session_revoked']);
      expect(events[0]!.data.changes).toEqual({ email: { from: user.email, to } });
      await expectOtherSessionEnded(user);
      expect((await templates(user.email))[0]).toBe('email_changed');
      expect(await templates(to)).toEqual(['email_changed', 'email_change']);
      await login(app, org.id, user.email).expect(401);
      await login(app, org.id, to).expect(200);
      await app.api.anonymous.post('/v1/auth/reset-password', { token: link, password: NEW_PASSWORD }).expect(400);
    });

    it('requires the password and an address at an allowed domain', async () => {
      const user = await person(await newOrganization(app, { settings: { allowedDomains: ['example.com'] } }));
      const changeEmail = (body: object): PendingResponse => user.client.post('/v1/auth/me/email', body);
      await changeEmail({ email: newAddress() }).expect(403, 'current_password_required');
      await changeEmail({ email: newAddress(), currentPassword: 'wrong' }).expect(403);
      await changeEmail({ email: user.email.toUpperCase(), currentPassword: PASSWORD }).expect(400);
      await changeEmail({ email: 'ada@other.example', currentPassword: PASSWORD }).expect(422, 'domain_not_allowed');
    });

    it('reveals that an address is taken only in the email to the address', async () => {
      const org = await newOrganization(app);
      const user = await person(org);
      const takenAddress = (await activeUser(app, org.id, { email: newAddress() })).email;
      const change = (email: string) => user.client.post('/v1/auth/me/email', { email, currentPassword: PASSWORD });
      await expectNoDisclosure([takenAddress, newAddress()].map((email) => [email, () => change(email)]));
      expect((await templates(takenAddress))[0]).toBe('account_exists');
    });

    it('accepts only the newest link', async () => {
      const org = await newOrganization(app);
      const user = await person(org);
      const [first, second] = [newAddress(), newAddress()];
      for (const email of [first, second])
        await user.client.post('/v1/auth/me/email', { email, currentPassword: PASSWORD }).expect(202);
      await verify(await mailedToken(app, first, 'email_change')).expect(400);
      await made(app, `/v1/organizations/${org.id}/users`, { email: second });
      await verify(await mailedToken(app, second, 'email_change')).expect(409, 'email_taken');
      expect((await read(app, user.path)).email).toBe(user.email);
    });
  });

  describe('the email verification', () => {
    it('succeeds with a link that the user requested', async () => {
      const org = await newOrganization(app);
      const user = await signedIn(app, org.id);
      const { body } = await user.client.post('/v1/auth/verify-email/send').expect(200);
      expect(body.data).toEqual({ email: user.email, alreadyVerified: false, expiresAt: expect.any(String) });
      const token = await mailedToken(app, user.email, 'email_verification');
      const events = await eventsDuring(app, () => verify(token).expect(200));
      const changes = { emailVerified: { from: false, to: true } };
      expect(events).toMatchObject([{ type: 'user.updated', data: { changes } }]);
      const again = await user.client.post('/v1/auth/verify-email/send').expect(200);
      expect(again.body.data).toEqual({ email: user.email, alreadyVerified: true });
    });

    it('accepts only the newest link and sends at most five links an hour', async () => {
      const user = await signedIn(app, (await newOrganization(app)).id);
      await user.client.post('/v1/auth/verify-email/send').expect(200);
      const first = await mailedToken(app, user.email, 'email_verification');
      for (let count = 0; count < 4; count++) await user.client.post('/v1/auth/verify-email/send').expect(200);
      await verify(first).expect(400);
      const { headers } = await user.client.post('/v1/auth/verify-email/send').expect(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500);
    });
  });

  it('requires the password for a new phone number, and for no other field of the profile', async () => {
    const user = await person(await newOrganization(app));
    const change = (body: object) => user.client.patch('/v1/auth/me', body);
    const changes = { firstName: { from: null, to: 'Ada' } };
    const events = await eventsDuring(app, () => change({ firstName: 'Ada', displayName: null }).expect(200));
    expect(events).toMatchObject([{ type: 'user.updated', data: { changes } }]);
    await user.other.get('/v1/auth/me').expect(200);
    const phoneNumber = '+49 30 123456';
    await change({ phoneNumber }).expect(403);
    await change({ phoneNumber, currentPassword: PASSWORD }).expect(200);
    await expectOtherSessionEnded(user);
    await change({ phoneNumber, firstName: 'Ada' }).expect(200);
    expect(await read(app, user.path)).toMatchObject({ phoneNumber, phoneVerified: false });
  });

  it('requires a recent sign-in if the user has no password', async () => {
    const org = await newOrganization(app);
    const user = await signedIn(app, org.id);
    const change = (): PendingResponse => user.client.post('/v1/auth/change-password', { newPassword: NEW_PASSWORD });
    await later(app, 11 * 60_000, async () => {
      await change().expect(401, 'reauthentication_required');
    });
    await change().expect(204);
    await login(app, org.id, user.email, NEW_PASSWORD).expect(200);
  });
});

describe('the pwned passwords check', () => {
  let respond: RequestListener;
  let requests: { url: string | undefined; padding: unknown }[];

  const list = testServer(() =>
    listenHttp((request, response) => {
      requests.push({ url: request.url, padding: request.headers['add-padding'] });
      respond(request, response);
    }),
  );
  const app = testServer(() => startApp({ pwnedPasswordsUrl: `http://127.0.0.1:${list.port}/range` }));
  beforeEach(() => {
    requests = [];
    respond = (request, response) => {
      const suffix = sha1(STOLEN_PASSWORD).slice(5);
      const padding = `${sha1(UNKNOWN_PASSWORD).slice(5)}:0`;
      // The final response can follow informational responses.
      response.writeContinue();
      const isAskedForStolen = request.url === `/range/${sha1(STOLEN_PASSWORD).slice(0, 5)}`;
      response.end(
        [padding, '0018A45C4D1DEF81644B54AB7F969B88D65:3', ...(isAskedForStolen ? [`${suffix}:42`] : [])].join('\r\n'),
      );
    };
  });

  const change = async (newPassword: string) => {
    const { token } = await signedInUser(app, (await newOrganization(app)).id);
    requests = [];
    return app.api.as(token).post('/v1/auth/change-password', { currentPassword: PASSWORD, newPassword });
  };
  const checks = async (): Promise<Record<string, number>> => {
    const { values } = await app.app.get(MetricsService).registry.getSingleMetric('pwned_password_checks_total')!.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels['outcome'], value]));
  };

  it('rejects a password that is in the list, but not only as padding', async () => {
    const { status, body } = await change(STOLEN_PASSWORD);
    const error = { pointer: '/newPassword', code: 'pwned_password', message: expect.stringContaining('leaked passwords') };
    expect([status, body]).toMatchObject([422, { code: 'password_refused', errors: [error] }]);
    expect(requests).toEqual([{ url: `/range/${sha1(STOLEN_PASSWORD).slice(0, 5)}`, padding: 'true' }]);
    expect((await change(UNKNOWN_PASSWORD)).status).toBe(204);
  });

  it.each<[string, RequestListener]>([
    ['responds with 500', (_request, response) => response.writeHead(500).end()],
    ['closes the connection', (request) => request.socket.destroy()],
    ['redirects', (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['does not respond in time', () => undefined],
  ])('accepts the password if the list server %s', async (_name, broken) => {
    respond = broken;
    const before = (await checks())['failed'] ?? 0;
    expect((await change(STOLEN_PASSWORD)).status).toBe(204);
    expect((await checks())['failed']).toBeGreaterThan(before);
  });
});

const OWN = unneeded<'sign_in'>('own_account');
const ctx = systemContext('passwords');
const numbered = (number: number): string => `lantern orbit velvet quarry ${number}`;

describe('a password', () => {
  let passwords: PasswordsService;
  let organization: string;
  let user: { tenantId: string; id: string };
  beforeEach(async () => {
    passwords = app.app.get(PasswordsService, { strict: false });
    organization = (await newOrganization(app)).id;
    const { id } = await newUser(app, organization);
    user = { tenantId: organization, id };
  });

  const preventReuse = (count: number) =>
    app.api.platform.patch(at(organization), { settings: { passwordPolicy: { preventReuse: count } } }).expect(200);
  const set = (number: number) => passwords.set(ctx, user, numbered(number), 'change', OWN);
  const history = () =>
    app.database.query('SELECT FROM password_history WHERE tenant_id = $1 AND user_id = $2', [user.tenantId, user.id]);

  it('is kept after a change only while the policy prevents reuse', async () => {
    await set(1);
    await set(2);
    await set(2);
    expect(await history()).toEqual([]);

    await preventReuse(3);
    await set(3);
    await set(4);
    // The last three passwords are 2, 3 and 4.
    for (const number of [2, 3, 4])
      await expect(set(number)).rejects.toMatchObject({ code: 'password_refused', errors: [{ code: 'password_reused' }] });
    expect(await history()).toHaveLength(2);
    await set(5);
    await set(2);
    expect(await history()).toHaveLength(2);

    await preventReuse(1);
    await expect(set(2)).rejects.toMatchObject({ code: 'password_refused' });
    await set(5);
    expect(await history()).toEqual([]);
  });

  it('is never hashed inside a transaction', async () => {
    const transactions = app.app.get(TransactionRunner, { strict: false });
    await expect(transactions.run(ctx, (ctx) => passwords.set(ctx, user, numbered(1), 'change', OWN))).rejects.toThrow(
      'before the transaction',
    );
  });
});
