import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../support/authenticator-app.js';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
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
import { login, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const MINUTE_MS = 60_000;
const CONFIRMED = { currentPassword: PASSWORD };

describe('a second factor', () => {
  const app = testApp();
  let counter = 0;

  const organization = async (settings: object = {}, fields: object = {}): Promise<string> => {
    const name = `Accounts ${++counter}`;
    return (await app.api.platform.post('/v1/organizations', { name, settings, ...fields }).expect(201)).body.data.id;
  };
  const mfaOf = async (token: string): Promise<TestBody> => (await app.api.as(token).get('/v1/auth/mfa').expect(200)).body.data;
  const userOf = async (org: string, id: string): Promise<TestBody> =>
    (await app.api.platform.get(`/v1/organizations/${org}/users/${id}`).expect(200)).body.data;
  const noticesTo = async (email: string): Promise<string[]> =>
    (await mailsTo(app, email))
      .filter(({ template }) => template === 'security_notice')
      .map(({ subject, text }) => `${subject}\n${text}`);
  const isActive = async (token: string): Promise<boolean> => (await app.api.as(token).get('/v1/auth/me')).status === 200;

  describe('the enrollment', () => {
    it('returns recovery codes once and ends all sessions except the current session', async () => {
      const org = await organization();
      const { id, email, token } = await signedInUser(app, org);
      const other = (await login(app, org, email).expect(200)).body.data;
      expect(await mfaOf(token)).toEqual({
        enabled: false,
        required: false,
        factors: [],
        available: [
          { method: 'totp', restricted: false },
          { method: 'passkey', restricted: false },
        ],
        recoveryCodesLeft: 0,
      });

      const client = app.api.as(token);
      const setUp = (await client.post('/v1/auth/mfa/totp', {}).expect(200)).body.data;
      expect(setUp.uri).toBe(
        `otpauth://totp/Accounts%20${counter}:${encodeURIComponent(email)}?issuer=Accounts%20${counter}&secret=${setUp.secret}&algorithm=SHA1&digits=6&period=30`,
      );
      expect(await userOf(org, id)).toMatchObject({ mfaEnabled: false });
      await client.post('/v1/auth/mfa/totp/confirm', { code: '000000' }).expect(422);
      let added: TestBody;
      const events = await eventsDuring(app, async () => {
        added = (await client.post('/v1/auth/mfa/totp/confirm', { code: freshCode(app, setUp.secret) }).expect(200)).body.data;
      });
      expect(added).toEqual({ method: 'totp', recoveryCodes: expect.any(Array), sessionToken: expect.any(String) });
      expect(events).toEqual([
        expect.objectContaining({ type: 'user.mfa_enabled', data: { userId: id, method: 'totp', mfaMethods: ['totp'] } }),
        expect.objectContaining({
          type: 'security.session_revoked',
          data: expect.objectContaining({ sessionId: other.session.id, reason: 'mfa_changed' }),
        }),
      ]);
      expect(JSON.stringify(events)).not.toContain(setUp.secret);
      expect(await isActive(other.sessionToken)).toBe(false);
      expect(await isActive(token)).toBe(false);
      expect(await isActive(added.sessionToken)).toBe(true);
      expect(await userOf(org, id)).toMatchObject({ mfaEnabled: true, mfaMethods: ['totp'] });
      expect(await mfaOf(added.sessionToken)).toMatchObject({
        enabled: true,
        factors: [{ method: 'totp', restricted: false, allowed: true, createdAt: expect.any(String), lastUsedAt: null }],
        recoveryCodesLeft: 10,
      });
      const notices = await noticesTo(email);
      expect(notices).toHaveLength(1);
      expect(notices[0]).toContain(`New MFA factor added (Accounts ${counter})\n`);
      expect(notices[0]).toContain(`An authenticator app was added to your account at Accounts ${counter} on `);
    });

    it('requires the password if the sign-in was more than ten minutes ago', async () => {
      const { token } = await signedInUser(app, await organization());
      moveClock(app, 11 * MINUTE_MS);
      const startTotp = (body: object) => app.api.as(token).post('/v1/auth/mfa/totp', body);
      expect((await startTotp({}).expect(401)).body.code).toBe('reauthentication_required');
      expect((await startTotp({ currentPassword: 'wrong' }).expect(403)).body.code).toBe('current_password_wrong');
      await startTotp(CONFIRMED).expect(200);
    });

    it('limits guesses of the password in an open session', async () => {
      const { token } = await signedInUser(app, await organization());
      const startTotp = (body: object) => app.api.as(token).post('/v1/auth/mfa/totp', body);
      const codes = (await Promise.all(Array.from({ length: 12 }, () => startTotp({ currentPassword: 'wrong' })))).map(
        ({ body }) => body.code,
      );
      expect(codes.filter((code) => code === 'current_password_wrong')).toHaveLength(5);
      expect(codes.filter((code) => code === 'reauthentication_locked')).toHaveLength(7);
      expect((await startTotp(CONFIRMED).expect(429)).headers.get('retry-after')).toMatch(/^\d+$/);
      moveClock(app, 15 * MINUTE_MS);
      await startTotp(CONFIRMED).expect(200);
    });

    it('must be confirmed in the session within ten minutes and five attempts', async () => {
      const org = await organization();
      const { email, token } = await signedInUser(app, org);
      const startTotp = async (): Promise<string> =>
        (await app.api.as(token).post('/v1/auth/mfa/totp', CONFIRMED).expect(200)).body.data.secret;
      const confirm = (code: string, by = token) => app.api.as(by).post('/v1/auth/mfa/totp/confirm', { code });
      expect((await confirm('000000').expect(409)).body.code).toBe('mfa_enrolment_missing');

      let secret = await startTotp();
      const other = (await login(app, org, email).expect(200)).body.data.sessionToken;
      await confirm(freshCode(app, secret), other).expect(409);
      await Promise.all(Array.from({ length: 5 }, () => confirm('000000').expect(422)));
      await confirm(freshCode(app, secret)).expect(409);

      secret = await startTotp();
      moveClock(app, 10 * MINUTE_MS);
      await confirm(freshCode(app, secret)).expect(409);

      secret = await startTotp();
      const responses = await Promise.all(Array.from({ length: 4 }, () => confirm(codeOf(secret, new Date(Date.now() + 0)))));
      expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    });

    it('replaces the previous authenticator app when the new app is confirmed', async () => {
      const org = await organization();
      const { email, token, secret: older } = await userWithTotp(app, org);
      const { secret: newer } = (await app.api.as(token).post('/v1/auth/mfa/totp', CONFIRMED).expect(200)).body.data;
      await verify(app, (await challenge(app, org, email)).challengeToken, 'totp', freshCode(app, older)).expect(200);
      const added = await app.api
        .as(token)
        .post('/v1/auth/mfa/totp/confirm', { code: freshCode(app, newer) })
        .expect(200);
      expect(added.body.data).toEqual({ method: 'totp' });
      await verify(app, (await challenge(app, org, email)).challengeToken, 'totp', freshCode(app, older)).expect(401);
      await verify(app, (await challenge(app, org, email)).challengeToken, 'totp', freshCode(app, newer)).expect(200);
    });
  });

  describe('a restricted method', () => {
    it('can be added only if the organization allows the method', async () => {
      const strict = await signedInUser(app, await organization());
      const rejected = await app.api.as(strict.token).post('/v1/auth/mfa/email', {}).expect(422);
      expect(rejected.body).toMatchObject({ code: 'mfa_method_not_allowed', detail: expect.stringContaining('totp, passkey') });

      const org = await organization({ mfaMethods: ['totp', 'email', 'sms'] });
      const { token } = await signedInUser(app, org);
      expect((await mfaOf(token)).available).toEqual([{ method: 'totp', restricted: false }]);
      for (const [method, body] of [
        ['email', {}],
        ['sms', { phoneNumber: '+4915112345678' }],
      ] as const)
        expect((await app.api.as(token).post(`/v1/auth/mfa/${method}`, body).expect(422)).body.code).toBe(
          'stronger_factor_needed',
        );
      const { token: stronger } = await addTotp(app, token);
      expect((await mfaOf(stronger)).available).toEqual([
        { method: 'totp', restricted: false },
        { method: 'email', restricted: true },
        { method: 'sms', restricted: true },
      ]);
      await app.api.as(stronger).post('/v1/auth/mfa/email', {}).expect(200);
    });

    it('verifies the phone number that receives the codes', async () => {
      const org = await organization({ mfaMethods: ['sms'] });
      const { id, token, email } = await signedInUser(app, org);
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
      await app.api.platform.patch(`/v1/organizations/${org}/users/${id}`, { phoneNumber: '+4915100000000' }).expect(200);
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
      const org = await organization();
      const { id, email, token, secret, recoveryCodes } = await userWithTotp(app, org);
      const { challengeToken } = await challenge(app, org, email);
      const other = (await verify(app, challengeToken, 'totp', freshCode(app, secret)).expect(200)).body.data;
      const waiting = await challenge(app, org, email);
      const rejected = await remove(token, 'totp', {}).expect(401);
      expect([rejected.body.code, rejected.body.detail]).toEqual([
        'reauthentication_required',
        expect.stringMatching(/^For this operation, you must have confirmed your identity/),
      ]);
      expect((await remove(token, 'sms').expect(404)).body.code).toBe('mfa_factor_not_found');
      await remove(token, 'nonsense').expect(404);
      const events = await eventsDuring(app, () => remove(token, 'totp').expect(204));
      expect(events).toEqual([
        expect.objectContaining({ type: 'user.mfa_disabled', data: { userId: id, method: 'totp', mfaMethods: [] } }),
        expect.objectContaining({
          type: 'security.session_revoked',
          data: expect.objectContaining({ sessionId: other.session.id }),
        }),
      ]);
      expect([await isActive(token), await isActive(other.sessionToken)]).toEqual([true, false]);
      expect(await userOf(org, id)).toMatchObject({ mfaEnabled: false, mfaMethods: [] });
      expect(await mfaOf(token)).toMatchObject({ enabled: false, recoveryCodesLeft: 0 });
      expect((await noticesTo(email))[0]).toContain('An authenticator app was removed from your account');
      await verify(app, waiting.challengeToken, 'recovery_code', recoveryCodes[0]!).expect(401);
      expect((await login(app, org, email).expect(200)).body.data.mfaRequired).toBe(false);
    });

    it('is rejected for the last factor if the organization requires MFA', async () => {
      const org = await organization({ requireMfa: true, mfaMethods: ['totp', 'email'] });
      const { email, token } = await userWithTotp(app, org);
      expect((await remove(token, 'totp').expect(409)).body.code).toBe('mfa_factor_needed');
      await app.api.as(token).post('/v1/auth/mfa/email', {}).expect(200);
      await app.api
        .as(token)
        .post('/v1/auth/mfa/email/confirm', { code: await sentCode(app, email) })
        .expect(200);
      expect((await remove(token, 'totp').expect(409)).body.detail).toContain('only email or SMS codes');
      await remove(token, 'email').expect(204);
      await app.api.platform.patch(`/v1/organizations/${org}`, { settings: { requireMfa: false } }).expect(200);
      await remove(token, 'totp').expect(204);
    });
  });

  describe('a recovery code', () => {
    it('becomes invalid when the user renews the codes', async () => {
      const org = await organization();
      const without = await signedInUser(app, org);
      expect((await app.api.as(without.token).post('/v1/auth/mfa/recovery-codes', CONFIRMED).expect(409)).body.code).toBe(
        'mfa_not_enabled',
      );

      const { email, token, recoveryCodes } = await userWithTotp(app, org);
      await app.api.as(token).post('/v1/auth/mfa/recovery-codes', {}).expect(403);
      const { body } = await app.api.as(token).post('/v1/auth/mfa/recovery-codes', CONFIRMED).expect(200);
      expect(body.data.recoveryCodes).toHaveLength(10);
      const { challengeToken } = await challenge(app, org, email);
      await verify(app, challengeToken, 'recovery_code', recoveryCodes[0]!).expect(401);
      await verify(app, challengeToken, 'recovery_code', body.data.recoveryCodes[0]).expect(200);
      expect((await noticesTo(email)).join()).toContain('New recovery codes were generated');
    });
  });

  describe('the removal by an administrator', () => {
    const reset = (credential: string, org: string, id: string) =>
      app.api.as(credential).delete(`/v1/organizations/${org}/users/${id}/mfa`);
    const key = async (org: string, scopes: string[]): Promise<string> =>
      (await app.api.platform.post(`/v1/organizations/${org}/api-keys`, { name: 'Admin', scopes }).expect(201)).body.data.key;

    it('ends all sessions and notifies the user', async () => {
      const org = await organization({ mfaMethods: ['totp', 'email'] });
      const { id, email, token } = await userWithTotp(app, org);
      await app.api.as(token).post('/v1/auth/mfa/email', {}).expect(200);
      await app.api
        .as(token)
        .post('/v1/auth/mfa/email/confirm', { code: await sentCode(app, email) })
        .expect(200);
      const admin = await key(org, ['*']);
      const events = await eventsDuring(app, () => reset(admin, org, id).expect(204));
      expect(events.map(({ type, data }) => [type, data.method ?? data.reason, data.mfaMethods])).toEqual([
        ['user.mfa_disabled', 'totp', ['email']],
        ['user.mfa_disabled', 'email', []],
        ['security.session_revoked', 'mfa_reset', undefined],
      ]);
      expect(await isActive(token)).toBe(false);
      expect((await noticesTo(email))[0]).toContain('An administrator removed your MFA factors');
      expect((await login(app, org, email).expect(200)).body.data.mfaRequired).toBe(false);
      expect(await eventsDuring(app, () => reset(admin, org, id).expect(204))).toEqual([]);
    });

    it('is rejected if the caller has fewer permissions than the user', async () => {
      const org = await organization();
      const { id } = await userWithTotp(app, org);
      const otherKey = await key(await organization(), ['*']);
      await reset(otherKey, org, id).expect(404);
      await reset(await key(org, ['users:read']), org, id).expect(403);
      await app.api.platform.post(`/v1/organizations/${org}/users/${id}/roles`, { roleId: 'role_admin' }).expect(201);
      await reset(await key(org, ['users:write']), org, id).expect(403);
      expect(await userOf(org, id)).toMatchObject({ mfaEnabled: true });
      await reset(await key(org, ['*']), org, id).expect(204);
    });
  });

  it('works after deletion and restoration of the user', async () => {
    const org = await organization();
    const { id, email, secret } = await userWithTotp(app, org);
    const path = `/v1/organizations/${org}/users/${id}`;
    await app.api.platform.delete(path).expect(204);
    await app.api.platform.post(`${path}/restore`).expect(200);
    const { challengeToken } = await challenge(app, org, email);
    await verify(app, challengeToken, 'totp', freshCode(app, secret)).expect(200);

    await app.api.platform.delete(`${path}?permanent=true`).expect(204);
    for (const table of [
      'totp_factors',
      'code_factors',
      'passkeys',
      'recovery_code_sets',
      'mfa_challenges',
      'mfa_enrolments',
      'sent_code_counts',
    ])
      expect([table, await app.database.query(`SELECT FROM ${table} WHERE user_id = $1`, [id])]).toEqual([table, []]);
  });
});
