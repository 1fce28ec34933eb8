// Processor time: about 50 users, each with a password, several sign-ins and factors.
import { describe, expect, it } from '@jest/globals';
import { eventsDuring, withEvents } from '../support/events-during.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { at, newOrganization, read } from '../support/organizations.js';
import {
  addTotp,
  challenge,
  freshCode,
  moveClock,
  sentCode,
  signedInUser,
  userWithTotp,
  verify,
} from '../support/second-factors.js';
import { login, MINUTE_MS, PASSWORD } from '../support/sign-in.js';
import { SoftwarePasskey } from '../support/software-passkey.js';
import { testApp } from '../support/test-app.js';

const CONFIRMED = { currentPassword: PASSWORD };

const app = testApp();

const organization = async (settings: object = {}, name = 'Accounts'): Promise<string> =>
  (await newOrganization(app, { name, settings })).id;
const person = async (settings: object = {}, name?: string) => signedInUser(app, await organization(settings, name));
const withTotp = async (settings: object = {}) => userWithTotp(app, await organization(settings));

describe('a second factor', () => {
  const mfaOf = async (token: string): Promise<TestBody> => await read(app.api.as(token), '/v1/auth/mfa');
  const userOf = (org: string, id: string): Promise<TestBody> => read(app, at(org, `/users/${id}`));
  const totp = (token: string, body: object = CONFIRMED) => app.api.as(token).post('/v1/auth/mfa/totp', body);
  const confirmTotp = (token: string, code: string) => app.api.as(token).post('/v1/auth/mfa/totp/confirm', { code });
  const addEmailCodes = async (token: string, email: string): Promise<void> => {
    await app.api.as(token).post('/v1/auth/mfa/email', {}).expect(200);
    const code = await sentCode(app, email);
    await app.api.as(token).post('/v1/auth/mfa/email/confirm', { code }).expect(200);
  };
  const signIn = async (org: string, email: string, method: string, code: string) =>
    verify(app, (await challenge(app, org, email)).challengeToken, method, code);
  const noticesTo = async (email: string): Promise<string[]> =>
    (await mailsTo(app, email)).flatMap(({ template, text }) => (template === 'security_notice' ? [text] : []));
  const isActive = async (token: string): Promise<boolean> => (await app.api.as(token).get('/v1/auth/me')).status === 200;

  describe('the enrollment', () => {
    it('returns recovery codes once and ends all sessions except the current session', async () => {
      const { org, id, email, token } = await person({}, 'My accounts');
      const other = (await login(app, org, email).expect(200)).body.data;
      expect(await mfaOf(token)).toMatchObject({ enabled: false, required: false, factors: [], recoveryCodesLeft: 0 });

      const setUp = (await totp(token, {}).expect(200)).body.data;
      expect(setUp.uri).toBe(
        `otpauth://totp/My%20accounts:${encodeURIComponent(email)}?issuer=My%20accounts&secret=${setUp.secret}&algorithm=SHA1&digits=6&period=30`,
      );
      expect(await userOf(org, id)).toMatchObject({ mfaEnabled: false });
      await confirmTotp(token, '000000').expect(422);
      const [confirmed, events] = await withEvents(
        app,
        async () => (await confirmTotp(token, freshCode(app, setUp.secret)).expect(200)).body.data,
      );
      expect(confirmed).toEqual({ method: 'totp', recoveryCodes: expect.any(Array), sessionToken: expect.any(String) });
      expect(events).toMatchObject([
        { type: 'user.mfa_enabled', data: { userId: id, method: 'totp', mfaMethods: ['totp'] } },
        { type: 'security.session_revoked', data: { sessionId: other.session.id, reason: 'mfa_changed' } },
      ]);
      expect(JSON.stringify(events)).not.toContain(setUp.secret);
      const tokens = [other.sessionToken, token, confirmed.sessionToken];
      expect(await Promise.all(tokens.map(isActive))).toEqual([false, false, true]);
      expect(await userOf(org, id)).toMatchObject({ mfaEnabled: true, mfaMethods: ['totp'] });
      expect(await mfaOf(confirmed.sessionToken)).toMatchObject({
        enabled: true,
        factors: [{ method: 'totp', restricted: false, allowed: true, createdAt: expect.any(String), lastUsedAt: null }],
        recoveryCodesLeft: 10,
      });
      const added = 'An authenticator app was added to your account at My accounts on ';
      expect(await noticesTo(email)).toEqual([expect.stringContaining(added)]);
    });

    it('requires the password if the sign-in was more than ten minutes ago, and limits guesses in an open session', async () => {
      const { token } = await person();
      moveClock(app, 11 * MINUTE_MS);
      await totp(token, {}).expect(401, 'reauthentication_required');
      await totp(token, { currentPassword: 'wrong' }).expect(403, 'current_password_wrong');
      await totp(token).expect(200);
      const { token: guessed } = await person();
      const guesses = Array.from({ length: 12 }, () => totp(guessed, { currentPassword: 'wrong' }));
      const codes = (await Promise.all(guesses)).map(({ body }) => body.code);
      expect(codes.filter((code) => code === 'current_password_wrong')).toHaveLength(5);
      expect(codes.filter((code) => code === 'reauthentication_locked')).toHaveLength(7);
      expect((await totp(guessed).expect(429)).headers.get('retry-after')).toMatch(/^\d+$/);
      moveClock(app, 15 * MINUTE_MS);
      await totp(guessed).expect(200);
    });

    it('must be confirmed in the session within ten minutes and five attempts', async () => {
      const { org, email, token } = await person();
      const startTotp = async (): Promise<string> => (await totp(token).expect(200)).body.data.secret;
      await confirmTotp(token, '000000').expect(409, 'mfa_enrolment_missing');

      let secret = await startTotp();
      const other = (await login(app, org, email).expect(200)).body.data.sessionToken;
      await confirmTotp(other, freshCode(app, secret)).expect(409);
      await Promise.all(Array.from({ length: 5 }, () => confirmTotp(token, '000000').expect(422)));
      await confirmTotp(token, freshCode(app, secret)).expect(409);

      secret = await startTotp();
      moveClock(app, 10 * MINUTE_MS);
      await confirmTotp(token, freshCode(app, secret)).expect(409);

      const code = freshCode(app, await startTotp());
      const statuses = (await Promise.all(Array.from({ length: 4 }, () => confirmTotp(token, code)))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    });

    it('replaces the previous authenticator app when the new app is confirmed', async () => {
      const { org, email, token, secret: older } = await withTotp();
      const { secret: newer } = (await totp(token).expect(200)).body.data;
      const statusOf = async (secret: string) => (await signIn(org, email, 'totp', freshCode(app, secret))).status;
      expect(await statusOf(older)).toBe(200);
      expect((await confirmTotp(token, freshCode(app, newer)).expect(200)).body.data).toEqual({ method: 'totp' });
      expect([await statusOf(older), await statusOf(newer)]).toEqual([401, 200]);
    });
  });

  describe('a restricted method', () => {
    it('can be added only if the organization allows the method', async () => {
      const strict = await person();
      await app.api.as(strict.token).post('/v1/auth/mfa/email', {}).expect(422, 'mfa_method_not_allowed', 'totp, passkey');

      const { token } = await person({ mfaMethods: ['totp', 'email', 'sms'] });
      expect((await mfaOf(token)).available).toEqual([{ method: 'totp', restricted: false }]);
      for (const [method, body] of Object.entries({ email: {}, sms: { phoneNumber: '+4915112345678' } })) {
        await app.api.as(token).post(`/v1/auth/mfa/${method}`, body).expect(422, 'stronger_factor_needed');
      }
      const { token: stronger } = await addTotp(app, token);
      expect((await mfaOf(stronger)).available).toEqual([
        { method: 'totp', restricted: false },
        { method: 'email', restricted: true },
        { method: 'sms', restricted: true },
      ]);
      await app.api.as(stronger).post('/v1/auth/mfa/email', {}).expect(200);
    });

    it('verifies the phone number that receives the codes', async () => {
      const { org, id, token, email } = await person({ mfaMethods: ['sms'] });
      const phoneNumber = '+4915187654321';
      await app.api.as(token).post('/v1/auth/mfa/sms', { phoneNumber: '0151' }).expect(400);
      await app.api.as(token).post('/v1/auth/mfa/sms', { phoneNumber }).expect(200);
      expect(await userOf(org, id)).toMatchObject({ phoneVerified: false });
      const code = await sentCode(app, phoneNumber);
      const events = await eventsDuring(app, () => app.api.as(token).post('/v1/auth/mfa/sms/confirm', { code }).expect(200));
      expect(events.map(({ type }) => type)).toEqual(['user.updated', 'user.mfa_enabled']);
      expect(events[0]!.data.changes).toEqual({
        phoneNumber: { from: null, to: phoneNumber },
        phoneVerified: { from: false, to: true },
      });
      expect(await userOf(org, id)).toMatchObject({ phoneNumber, phoneVerified: true, mfaEnabled: true, mfaMethods: ['sms'] });
      // Codes go to the verified number, even after an administrator changes the phone number.
      await app.api.platform.patch(at(org, `/users/${id}`), { phoneNumber: '+4915100000000' }).expect(200);
      moveClock(app, MINUTE_MS);
      const { challengeToken } = await challenge(app, org, email);
      const sent = await app.api.anonymous.post('/v1/auth/mfa/challenge', { challengeToken, method: 'sms' }).expect(200);
      expect(sent.body.data.destination).toBe('+49•••••321');
    });
  });

  describe('the removal of a factor', () => {
    const remove = (token: string, method: string, body: object = CONFIRMED) =>
      app.api.as(token).delete(`/v1/auth/mfa/${method}`, body);

    it('requires the password and ends all sessions except the current session', async () => {
      const { org, id, email, token, secret, recoveryCodes } = await withTotp();
      const other = (await signIn(org, email, 'totp', freshCode(app, secret))).body.data;
      const waiting = await challenge(app, org, email);
      await remove(token, 'totp', {}).expect(
        401,
        'reauthentication_required',
        /^For this operation, you must have confirmed your identity/,
      );
      await remove(token, 'sms').expect(404, 'mfa_factor_not_found');
      await remove(token, 'nonsense').expect(404);
      const events = await eventsDuring(app, () => remove(token, 'totp').expect(204));
      expect(events).toMatchObject([
        { type: 'user.mfa_disabled', data: { userId: id, method: 'totp', mfaMethods: [] } },
        { type: 'security.session_revoked', data: { sessionId: other.session.id } },
      ]);
      expect([await isActive(token), await isActive(other.sessionToken)]).toEqual([true, false]);
      expect(await userOf(org, id)).toMatchObject({ mfaEnabled: false, mfaMethods: [] });
      expect(await mfaOf(token)).toMatchObject({ enabled: false, recoveryCodesLeft: 0 });
      expect((await noticesTo(email))[0]).toContain('An authenticator app was removed from your account');
      await verify(app, waiting.challengeToken, 'recovery_code', recoveryCodes[0]!).expect(401);
      expect((await login(app, org, email).expect(200)).body.data.mfaRequired).toBe(false);
    });

    it('is rejected for the last factor if the organization requires MFA', async () => {
      const { org, email, token } = await withTotp({ requireMfa: true, mfaMethods: ['totp', 'email'] });
      await remove(token, 'totp').expect(409, 'mfa_factor_needed');
      await addEmailCodes(token, email);
      expect((await remove(token, 'totp').expect(409)).body.detail).toContain('only email or SMS codes');
      await remove(token, 'email').expect(204);
      await app.api.platform.patch(at(org), { settings: { requireMfa: false } }).expect(200);
      await remove(token, 'totp').expect(204);
    });
  });

  it('has recovery codes, which become invalid when the user renews the codes', async () => {
    const org = await organization();
    const without = app.api.as((await signedInUser(app, org)).token);
    await without.post('/v1/auth/mfa/recovery-codes', CONFIRMED).expect(409, 'mfa_not_enabled');

    const { email, token, recoveryCodes } = await userWithTotp(app, org);
    await app.api.as(token).post('/v1/auth/mfa/recovery-codes', {}).expect(403);
    const { body } = await app.api.as(token).post('/v1/auth/mfa/recovery-codes', CONFIRMED).expect(200);
    expect(body.data.recoveryCodes).toHaveLength(10);
    expect((await signIn(org, email, 'recovery_code', recoveryCodes[0]!)).status).toBe(401);
    expect((await signIn(org, email, 'recovery_code', body.data.recoveryCodes[0])).status).toBe(200);
    expect((await noticesTo(email)).join()).toContain('New recovery codes were generated');
  });

  it('the removal by an administrator ends all sessions and notifies the user', async () => {
    const { org, id, email, token } = await withTotp({ mfaMethods: ['totp', 'email'] });
    await addEmailCodes(token, email);
    const reset = () => eventsDuring(app, () => app.api.platform.delete(at(org, `/users/${id}/mfa`)).expect(204));
    const events = await reset();
    expect(events.map(({ type, data }) => [type, data.method ?? data.reason, data.mfaMethods])).toEqual([
      ['user.mfa_disabled', 'totp', ['email']],
      ['user.mfa_disabled', 'email', []],
      ['security.session_revoked', 'mfa_reset', undefined],
    ]);
    expect(await isActive(token)).toBe(false);
    expect((await noticesTo(email))[0]).toContain('An administrator removed your MFA factors');
    expect((await login(app, org, email).expect(200)).body.data.mfaRequired).toBe(false);
    expect(await reset()).toEqual([]);
  });

  it('works after deletion and restoration of the user, until the user is deleted permanently', async () => {
    const { org, id, email, token: before, secret } = await withTotp({ mfaMethods: ['totp', 'email'] });
    await addEmailCodes(before, email);
    const path = at(org, `/users/${id}`);
    await app.api.platform.delete(path).expect(204);
    await app.api.platform.post(`${path}/restore`).expect(200);
    const { body } = await signIn(org, email, 'totp', freshCode(app, secret));
    await totp(body.data.sessionToken).expect(200);
    await challenge(app, org, email);
    const tables = ['totp_factors', 'code_factors', 'recovery_code_sets', 'mfa_challenges', 'mfa_enrolments', 'sent_code_counts'];
    const filled = async () => {
      const rows = await Promise.all(tables.map((table) => app.database.query(`SELECT FROM ${table} WHERE user_id = $1`, [id])));
      return tables.filter((_, index) => rows[index]!.length > 0);
    };
    expect(await filled()).toEqual(tables);
    await app.api.platform.delete(`${path}?permanent=true`).expect(204);
    expect(await filled()).toEqual([]);
  });
});

/** test/web/sign-in.spec.ts adds and uses a passkey in a browser. */
describe('a passkey', () => {
  const creationOptions = async (token: string): Promise<TestBody> =>
    (await app.api.as(token).post('/v1/auth/mfa/passkeys/options', {}).expect(200)).body.data.publicKey;
  const newPasskey = (): SoftwarePasskey => new SoftwarePasskey(app.config.baseUrl);

  async function register(token: string, name?: string): Promise<{ device: SoftwarePasskey; added: TestBody }> {
    const device = newPasskey();
    const credential = device.registration((await creationOptions(token)).challenge);
    const { body } = await app.api.as(token).post('/v1/auth/mfa/passkeys', { credential, name }).expect(201);
    return { device, added: body.data };
  }
  const loginChallenge = async (org: string): Promise<string> => (await loginOptions(org)).challenge;
  const loginOptions = async (org: string): Promise<TestBody> =>
    (await app.api.anonymous.post('/v1/auth/passkey/options', { organization: org }).expect(200)).body.data.publicKey;
  const loginWith = (org: string, credential: object): PendingResponse =>
    app.api.anonymous.post('/v1/auth/passkey', { organization: org, credential });
  const passkeyLogin = async (device: SoftwarePasskey, org: string, status: number): Promise<TestBody> =>
    (await loginWith(org, device.assertion(await loginChallenge(org))).expect(status)).body;

  it('can be added, renamed and removed', async () => {
    const { org, id, email, token } = await person();
    const [{ added }, events] = await withEvents(app, () => register(token, 'Laptop'));
    const passkey = { id: expect.stringMatching(/^pky_/), name: 'Laptop', backedUp: false, lastUsedAt: null };
    const codes = { recoveryCodes: expect.any(Array), sessionToken: expect.any(String) };
    expect(added).toMatchObject({ method: 'passkey', ...codes, passkey });
    const data = { userId: id, method: 'passkey', mfaMethods: ['passkey'] };
    expect(events).toMatchObject([{ type: 'user.mfa_enabled', data }]);
    const client = app.api.as(added.sessionToken);
    const path = `/v1/auth/mfa/passkeys/${added.passkey.id}`;
    expect((await client.patch(path, { name: 'Old laptop' }).expect(200)).body.data.name).toBe('Old laptop');
    const { factors } = await read(client, '/v1/auth/mfa');
    expect(factors).toMatchObject([{ method: 'passkey', id: added.passkey.id, name: 'Old laptop', restricted: false }]);
    const other = await signedInUser(app, org);
    await app.api.as(other.token).patch(path, { name: 'Mine' }).expect(404);
    await app.api.as(other.token).delete(path, { currentPassword: PASSWORD }).expect(404);

    await client.delete(path).expect(401);
    await client.delete(path, { currentPassword: PASSWORD }).expect(204);
    expect((await mailsTo(app, email))[0]!.text).toContain('A passkey was removed from your account');
    expect((await login(app, org, email).expect(200)).body.data.mfaRequired).toBe(false);
  });

  it('completes a sign-in after the password', async () => {
    const { org, email, token } = await person();
    const { device } = await register(token);
    const { challengeToken, methods } = await challenge(app, org, email);
    expect(methods).toEqual(['passkey', 'recovery_code']);
    const prepare = async (): Promise<object> => {
      const { body } = await app.api.anonymous.post('/v1/auth/mfa/challenge', { challengeToken, method: 'passkey' }).expect(200);
      return device.assertion(body.data.publicKey.challenge);
    };
    const send = (credential: object) =>
      app.api.anonymous.post('/v1/auth/mfa/verify', { challengeToken, method: 'passkey', credential });

    const older = await prepare();
    const newer = await prepare();
    await send(older).expect(401);
    // The wrong response invalidated the challenge.
    await send(newer).expect(401);
    const right = await prepare();
    const { session } = (await send(right).expect(200)).body.data;
    expect(session.authenticationMethods).toEqual(['password', 'passkey']);
    await send(right).expect(401);
  });

  it('counts as two factors if the authenticator verifies the person', async () => {
    const { org, email, id, token } = await person({ requireMfa: true });
    const { device } = await register(token);
    const [signIn, events] = await withEvents(app, async () => (await passkeyLogin(device, org, 200)).data);
    expect(signIn).toMatchObject({ mfaRequired: false, mfaEnrolmentRequired: false, user: { id, email } });
    expect(events).toMatchObject([{ type: 'user.login', data: { userId: id, method: 'passkey', mfaMethod: null } }]);
    await app.api.as(signIn.sessionToken).post('/v1/auth/mfa/recovery-codes', { currentPassword: PASSWORD }).expect(200);
  });

  it('opens no session if the authenticator does not verify the person, and only one for each challenge', async () => {
    const org = await organization();
    const { device } = await register((await signedInUser(app, org)).token);
    const credential = device.assertion(await loginChallenge(org), { isUserVerified: false });
    await loginWith(org, credential).expect(401, 'passkey_refused');
    const verified = device.assertion(await loginChallenge(org));
    await loginWith(await organization(), verified).expect(401);
    const responses = await Promise.all(Array.from({ length: 6 }, () => loginWith(org, verified)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    const late = device.assertion(await loginChallenge(org));
    moveClock(app, 5 * MINUTE_MS);
    await loginWith(org, late).expect(401);
    const changed = device.assertion(await loginChallenge(org));
    await loginWith(org, { ...changed, response: { ...changed.response, signature: 'AAAA' } }).expect(401);
  });

  it('is rejected as a possible copy if the counter decreases', async () => {
    const { org, id, token } = await person();
    const { device } = await register(token);
    const attempt = async (counter: number) => loginWith(org, device.assertion(await loginChallenge(org), { counter }));
    expect((await attempt(2)).status).toBe(200);
    const events = await eventsDuring(app, async () => expect((await attempt(1)).body.code).toBe('passkey_refused'));
    expect(events.map(({ type, data }) => [type, data.rule ?? data.reason])).toEqual([
      ['security.suspicious_activity', 'passkey_counter'],
      ['user.login_failed', 'passkey_counter'],
    ]);
    expect(events[0]!.data).toMatchObject({ riskLevel: 'high', action: 'refused', signals: { userId: id } });
  });

  it('can’t be added with the challenge of another session', async () => {
    const { org, email, token } = await person();
    const device = newPasskey();
    await creationOptions(token);
    const wrong = device.registration(Buffer.alloc(32).toString('base64url'));
    const send = (by: string, credential: object) => app.api.as(by).post('/v1/auth/mfa/passkeys', { credential });
    await send(token, wrong).expect(422, 'mfa_not_confirmed');
    const credential = device.registration((await creationOptions(token)).challenge);
    await send((await login(app, org, email).expect(200)).body.data.sessionToken, credential).expect(409);
    await send((await signedInUser(app, org)).token, credential).expect(409);
    const { sessionToken } = (await send(token, credential).expect(201)).body.data;
    await send(sessionToken, credential).expect(409);
    expect((await creationOptions(sessionToken)).excludeCredentials).toHaveLength(1);

    await app.api.platform.patch(`/v1/organizations/${org}`, { settings: { mfaMethods: ['totp'] } }).expect(200);
    await app.api.as(sessionToken).post('/v1/auth/mfa/passkeys/options', {}).expect(422);
    await passkeyLogin(device, org, 401);
  });

  it('has sign-in options that do not reveal whether the organization exists', async () => {
    const optionsOfNonexistent = await loginOptions('no-such-organization');
    const org = await organization();
    expect(Object.keys(optionsOfNonexistent).sort()).toEqual(Object.keys(await loginOptions(org)).sort());
    const { id, token } = await signedInUser(app, org);
    const { device } = await register(token);
    await loginWith('no-such-organization', device.assertion(optionsOfNonexistent.challenge)).expect(401);
    await app.api.platform.post(`/v1/organizations/${org}/users/${id}/suspend`, {}).expect(200);
    await passkeyLogin(device, org, 401);
  });

  it('can’t be removed as the last factor if the organization requires MFA', async () => {
    const { token } = await withTotp({ requireMfa: true });
    const { passkey, ...rest } = (await register(token)).added;
    expect(rest).toEqual({ method: 'passkey' });
    const client = app.api.as(token);
    await client.delete('/v1/auth/mfa/totp', { currentPassword: PASSWORD }).expect(204);
    const removal = client.delete(`/v1/auth/mfa/passkeys/${passkey.id}`, { currentPassword: PASSWORD });
    await removal.expect(409, 'mfa_factor_needed');
  });
});
