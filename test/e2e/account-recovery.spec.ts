import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/delivery-app.js';
import { eventsDuring } from '../support/events-during.js';
import { numberedEvents } from '../support/event-log.js';
import type { TestClient } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { at, newAddress, newOrganization, read } from '../support/organizations.js';
import { addTotp, challenge, freshCode, userWithTotp, verify } from '../support/second-factors.js';
import { activeUser, login, mailedToken, PASSWORD, sessionToken } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const NEW_PASSWORD = 'marble thicket cobalt ferry';

/** An attacker who knows the password prepares changes of the account. Each recovery step voids all prepared changes. */
describe('account recovery', () => {
  const app = testApp();

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

    const change = await app.api.anonymous.post('/v1/auth/verify-email', { token: account.change }).expect(400);
    expect(change.body.code).toBe('link_invalid');
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

    const response = await verify(app, challengeToken, 'totp', freshCode(app, secret)).expect(401);
    expect(response.body.code).toBe('mfa_challenge_invalid');
    expect(await app.database.query('SELECT FROM mfa_enrolments WHERE user_id = $1', [id])).toEqual([]);
  });

  it('notifies the current email address of a requested email change', async () => {
    const { org, email } = await prepareTakeover();
    const mail = (await mailsTo(app, email)).find(({ template }) => template === 'security_notice');
    expect(mail!.subject).toMatch(/^A change of your email address was requested/);
    expect(mail!.text).toMatch(/a change of the email address of your account at .* to \S+@\S+ was requested/);
    await login(app, org, email).expect(200);
  });

  it('cancels the email change and ends all sessions through the notice', async () => {
    const { id, email, path, change, client: attacker } = await prepareTakeover();
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
    const org = (await newOrganization(app)).id;
    const email = newAddress();
    const { id } = await activeUser(app, org, { email, roles: ['admin'] });
    const user = at(org, `/users/${id}`);
    const keys = at(org, '/api-keys');

    // The attacker, who knows the password, prepares several ways to regain access.
    const newEmail = newAddress();
    const { token } = await addTotp(app, await sessionToken(app, org, email));
    const attacker = app.api.as(token);
    await attacker.post('/v1/auth/me/email', { email: newEmail, currentPassword: PASSWORD }).expect(202);
    await app.api.anonymous.post('/v1/auth/forgot-password', { organization: org, email }).expect(202);
    const key = (await attacker.post(keys, { name: 'sync', scopes: ['users:*'] }).expect(201)).body.data;
    const links = [await mailedToken(app, newEmail, 'email_change'), await mailedToken(app, email, 'password_reset')];

    await app.api.platform.post(`${user}/suspend`, { reason: 'Account taken over', revokeActiveSessions: true }).expect(200);
    await app.api.platform.delete(`${user}/mfa`).expect(204);
    expect((await read(app, `${user}/identities`)).identities).toEqual([]);
    expect((await read(app, user)).email).toBe(email);
    await numberedEvents(app);
    const done = await read(app, at(org, `/events?actorId=${id}&type=security.api_key_created`));
    expect(done).toMatchObject([{ data: { id: key.id } }]);
    await app.api.platform.delete(`${keys}/${key.id}`).expect(204);
    await app.api.platform.post(`${user}/activate`).expect(200);
    await app.api.platform.post(`${user}/password-reset`).expect(200);
    const reset = { token: await mailedToken(app, email, 'password_reset'), password: NEW_PASSWORD };
    await app.api.anonymous.post('/v1/auth/reset-password', reset).expect(204);

    await attacker.get('/v1/auth/me').expect(401);
    for (const link of links) {
      await app.api.anonymous.post('/v1/auth/verify-email', { token: link }).expect(400);
      await app.api.anonymous.post('/v1/auth/reset-password', { token: link, password: PASSWORD }).expect(400);
    }
    await login(app, org, email, PASSWORD).expect(401);
    await eventually(async () => (await app.api.as(key.key).get(user)).status === 401, 5_000, 'the key is refused');
    const { data: owner } = (await login(app, org, email, NEW_PASSWORD).expect(200)).body;
    // The sign-in needs no second factor, because the factor of the attacker was removed.
    expect(owner).toMatchObject({ sessionToken: expect.any(String), user: { id, email } });
  });
});
