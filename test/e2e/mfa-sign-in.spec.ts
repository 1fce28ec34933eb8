import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { unneeded } from '#directory/privileges';
import { PasswordsService } from '#identity/credentials';
import { LiveChallengesService } from '#identity/mfa';
import { Clock, systemContext } from '#platform/common';
import { codeOf } from '../support/authenticator-app.js';
import { eventsDuring, withEvents } from '../support/events-during.js';
import type { PendingResponse } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { at, newAddress, newOrganization } from '../support/organizations.js';
import {
  addTotp,
  challenge,
  freshCode,
  moveClock,
  sentCode,
  signedInUser,
  stopClock,
  userWithTotp,
  verify,
  type WithTotp,
} from '../support/second-factors.js';
import { activeUser, login, MINUTE_MS, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const WRONG = '000000';
const CONCURRENT = 4;

const app = testApp();

describe('sign-in with a second factor', () => {
  const organization = async (settings: object = {}): Promise<string> => (await newOrganization(app, { settings })).id;
  const person = async (settings: object = {}) => signedInUser(app, await organization(settings));
  const withTotp = async (settings: object = {}) => userWithTotp(app, await organization(settings));
  const me = (token: string) => app.api.as(token).get('/v1/auth/me');

  /**
   * Delays each attempt until `count` attempts have found the challenge. Without the delay, an attempt that starts after the fifth
   * verification would find no challenge and fail with `mfa_challenge_invalid`.
   */
  function waitForAllToFindTheirChallenge(count: number) {
    const liveChallenges = app.app.get(LiveChallengesService, { strict: false });
    const findSignIn = liveChallenges.findSignIn.bind(liveChallenges);
    let foundCount = 0;
    let release: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    return jest.spyOn(liveChallenges, 'findSignIn').mockImplementation(async (...parameters) => {
      const signIn = await findSignIn(...parameters);
      if (++foundCount === count) release();
      await released;
      return signIn;
    });
  }

  it('opens a session only after verifying the factor', async () => {
    const { org, email, id, secret } = await withTotp();

    const first = (await login(app, org, email).expect(200)).body.data;
    expect(first).toEqual({
      mfaRequired: true,
      challengeToken: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['totp', 'recovery_code'],
      challengeExpiresAt: expect.any(String),
    });
    await me(first.challengeToken).expect(401);

    const [second, events] = await withEvents(
      app,
      async () => (await verify(app, first.challengeToken, 'totp', freshCode(app, secret)).expect(200)).body.data,
    );
    expect(second).toMatchObject({
      mfaRequired: false,
      mfaEnrolmentRequired: false,
      session: { organizationId: org, authenticationMethods: ['password', 'totp'] },
      user: { id, email },
    });
    await me(second.sessionToken).expect(200);
    const data = { userId: id, sessionId: second.session.id, method: 'password', mfaMethod: 'totp' };
    expect(events).toMatchObject([{ type: 'user.login', data }]);
    await verify(app, first.challengeToken, 'totp', freshCode(app, secret)).expect(401, 'mfa_challenge_invalid');
  });

  it('counts wrong codes as failed sign-ins', async () => {
    const { org, email, id, secret } = await withTotp();
    const events = await eventsDuring(app, async () => {
      for (let round = 0; round < 5; round++)
        await verify(app, (await challenge(app, org, email)).challengeToken, 'totp', WRONG).expect(401);
    });
    expect(events.map(({ type }) => type)).toEqual([...Array(5).fill('user.login_failed'), 'security.suspicious_activity']);
    expect(events[4]!.data).toEqual({ userId: id, email, method: 'password', reason: 'wrong_code', failedAttempts: 5 });
    expect(events[5]!.data).toMatchObject({ rule: 'many_failures', action: 'locked' });

    await login(app, org, email).expect(429, 'sign_in_locked');
    moveClock(app, 2 * MINUTE_MS);
    const { challengeToken } = await challenge(app, org, email);
    await verify(app, challengeToken, 'totp', freshCode(app, secret)).expect(200);
    await challenge(app, org, email);
  });

  it('rejects codes for a pending challenge while the account is locked', async () => {
    const { org, email, secret } = await withTotp();
    const { challengeToken } = await challenge(app, org, email);
    for (let round = 0; round < 5; round++) await login(app, org, email, 'not the right password').expect(401);
    const response = await verify(app, challengeToken, 'totp', freshCode(app, secret)).expect(429, 'sign_in_locked');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('invalidates the challenge and locks the account at the fifth wrong code', async () => {
    const { org, email, secret } = await withTotp();
    const { challengeToken } = await challenge(app, org, email);
    for (let attempt = 0; attempt < 5; attempt++) await verify(app, challengeToken, 'totp', WRONG).expect(401, 'mfa_failed');
    await verify(app, challengeToken, 'totp', freshCode(app, secret)).expect(401, 'mfa_challenge_invalid');
    await login(app, org, email).expect(429, 'sign_in_locked');
  });

  it('verifies at most five of fifty concurrent guesses', async () => {
    const { org, email } = await withTotp();
    const { challengeToken } = await challenge(app, org, email);
    const guesses = 50;
    const allFound = waitForAllToFindTheirChallenge(guesses);
    try {
      const responses = await Promise.all(
        Array.from({ length: guesses }, (_, index) => verify(app, challengeToken, 'totp', `${100_000 + index}`).whenServed()),
      );
      const codes = responses.map(({ body }) => body.code as string).sort();
      expect(codes).toEqual([...Array(5).fill('mfa_failed'), ...Array(guesses - 5).fill('sign_in_locked')]);
    } finally {
      allFound.mockRestore();
    }
  });

  it('sends a code by email or SMS and invalidates the previous code', async () => {
    const { org, email, token } = await withTotp({ mfaMethods: ['totp', 'email', 'sms'] });
    const client = app.api.as(token);
    const phoneNumber = '+4915112345678';
    await client.post('/v1/auth/mfa/email', {}).expect(200);
    await client.post('/v1/auth/mfa/email/confirm', { code: await sentCode(app, email) }).expect(200);
    const sent = await client.post('/v1/auth/mfa/sms', { phoneNumber }).expect(200);
    expect(sent.body.data.destination).toBe('+49•••••678');
    await client.post('/v1/auth/mfa/sms/confirm', { code: await sentCode(app, phoneNumber) }).expect(200);

    for (const [method, to] of [
      ['email', email],
      ['sms', phoneNumber],
    ] as const) {
      moveClock(app, MINUTE_MS);
      const { challengeToken, methods } = await challenge(app, org, email);
      expect(methods).toEqual(['totp', 'email', 'sms', 'recovery_code']);
      const ask = () => app.api.anonymous.post('/v1/auth/mfa/challenge', { challengeToken, method });
      await verify(app, challengeToken, method, await sentCode(app, to)).expect(401);
      stopClock(app);
      await ask().expect(200);
      const older = await sentCode(app, to);
      const tooSoon = await ask().expect(429);
      expect([tooSoon.body.code, tooSoon.headers.get('retry-after')]).toEqual(['mfa_code_limit', '30']);
      moveClock(app, 31_000);
      await ask().expect(200);
      const newer = await sentCode(app, to);
      if (older !== newer) await verify(app, challengeToken, method, older).expect(401);
      await verify(app, challengeToken, 'totp', newer).expect(401);
      const { session } = (await verify(app, challengeToken, method, newer).expect(200)).body.data;
      expect(session.authenticationMethods).toEqual(['password', method]);
    }
  });

  it('sends at most ten codes an hour', async () => {
    const { token } = await person({ mfaMethods: ['email'] });
    const startEmailCodes = () => app.api.as(token).post('/v1/auth/mfa/email', { currentPassword: PASSWORD });
    for (let sent = 0; sent < 10; sent++) {
      await startEmailCodes().expect(200);
      moveClock(app, 31_000);
    }
    const rejected = await startEmailCodes().expect(429);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(40 * 60);
    moveClock(app, 60 * MINUTE_MS);
    await startEmailCodes().expect(200);
  });

  describe('an organization that requires MFA', () => {
    it('limits a session without MFA to adding a factor', async () => {
      const org = await organization({ requireMfa: true });
      const email = newAddress();
      await activeUser(app, org, { email });
      const first = (await login(app, org, email).expect(200)).body.data;
      expect(first).toMatchObject({ mfaRequired: false, mfaEnrolmentRequired: true });
      const renewCodes = (token: string) => app.api.as(token).post('/v1/auth/mfa/recovery-codes', { currentPassword: PASSWORD });
      await renewCodes(first.sessionToken).expect(403, 'mfa_enrolment_required');
      await app.api.as(first.sessionToken).get('/v1/auth/mfa').expect(200);

      const { token, recoveryCodes } = await addTotp(app, first.sessionToken);
      expect(token).not.toBe(first.sessionToken);
      expect(recoveryCodes).toHaveLength(10);
      await me(first.sessionToken).expect(401);
      await me(token).expect(200);
      await renewCodes(token).expect(200);
    });

    it('limits the session of a user whose factor is no longer allowed', async () => {
      const { org, email, secret } = await withTotp({ requireMfa: true });
      await app.api.platform.patch(at(org), { settings: { mfaMethods: ['passkey'] } }).expect(200);
      const { challengeToken, methods } = await challenge(app, org, email);
      expect(methods).toEqual(['totp', 'recovery_code']);
      const { mfaEnrolmentRequired } = (await verify(app, challengeToken, 'totp', freshCode(app, secret)).expect(200)).body.data;
      expect(mfaEnrolmentRequired).toBe(true);
    });
  });

  it('opens no session if the user is suspended after the password step', async () => {
    const { org, email, id, secret } = await withTotp();
    const first = await challenge(app, org, email);
    await app.api.platform.post(at(org, `/users/${id}/suspend`), {}).expect(200);
    await verify(app, first.challengeToken, 'totp', freshCode(app, secret)).expect(401);
    await app.api.platform.post(at(org, `/users/${id}/activate`)).expect(200);
    const second = await challenge(app, org, email);
    await app.api.platform.post(at(org, '/suspend'), { reason: 'test' }).expect(200);
    await verify(app, second.challengeToken, 'totp', freshCode(app, secret)).expect(409);
  });
});

describe('an MFA challenge', () => {
  let organization: string;
  let user: WithTotp;
  beforeEach(async () => {
    organization = (await newOrganization(app)).id;
    user = await userWithTotp(app, organization);
  });

  const start = async (): Promise<string> => (await challenge(app, organization, user.email)).challengeToken;
  const codeNow = (): string => codeOf(user.secret, app.app.get(Clock).now());
  const verifyTotp = (token: string, code = codeNow()): PendingResponse => verify(app, token, 'totp', code);

  /** Sends the code in concurrent challenges. Returns the statuses and the events of the rule. */
  async function verifyConcurrently(method: string, code: string, rule: string) {
    const tokens = await Promise.all(Array.from({ length: CONCURRENT }, start));
    let statuses: number[] = [];
    const events = await eventsDuring(app, async () => {
      const responses = await Promise.all(tokens.map(async (token) => verify(app, token, method, code)));
      statuses = responses.map(({ status }) => status).toSorted();
    });
    const threats = events.filter(({ type, data }) => type === 'security.suspicious_activity' && data.rule === rule);
    return { statuses, threats: threats.map(({ data }) => data) };
  }

  it('rejects a code that a concurrent challenge accepted', async () => {
    stopClock(app);
    const { statuses, threats } = await verifyConcurrently('totp', freshCode(app, user.secret), 'totp_reused');
    expect(statuses).toEqual([200, 401, 401, 401]);
    expect(threats).toMatchObject([
      { riskLevel: 'high', action: 'refused', signals: { userId: user.id, ipAddress: '127.0.0.1' } },
    ]);
    // A code of an earlier time step is rejected.
    const earlier = codeOf(user.secret, app.app.get(Clock).now(), -1);
    await verifyTotp(await start(), earlier).expect(401, 'mfa_failed');
  });

  it('expires after ten minutes, and when the password changes', async () => {
    const token = await start();
    moveClock(app, 10 * MINUTE_MS + 1);
    await verifyTotp(token).expect(401, 'mfa_challenge_invalid');
    await verifyTotp('x'.repeat(43)).expect(401, 'mfa_challenge_invalid');
    const other = await start();
    moveClock(app, MINUTE_MS);
    const passwords = app.app.get(PasswordsService, { strict: false });
    await passwords.set(
      systemContext('test'),
      { tenantId: organization, id: user.id },
      'lantern orbit velvet quarry',
      'reset',
      unneeded<'sign_in'>('mailed_link'),
    );
    await verifyTotp(other).expect(401, 'mfa_challenge_invalid');
  });

  it('accepts each recovery code only once', async () => {
    const [code = '', other = ''] = user.recoveryCodes;
    expect(new Set(user.recoveryCodes).size).toBe(10);
    const { statuses, threats } = await verifyConcurrently('recovery_code', ` ${code.toUpperCase()}`, 'recovery_code_used');
    expect(statuses).toEqual([200, 401, 401, 401]);
    expect(threats).toMatchObject([{ signals: { userId: user.id, codesLeft: 9 } }]);
    const notices = (await mailsTo(app, user.email)).filter(({ subject }) => subject.startsWith('A recovery code was used'));
    expect(notices).toEqual([expect.objectContaining({ text: expect.stringContaining('9 recovery codes are left.') })]);
    expect(notices[0]!.text).not.toContain(code);
    const { session } = (await verify(app, await start(), 'recovery_code', other).expect(200)).body.data;
    expect(session.authenticationMethods).toEqual(['password', 'recovery_code']);
  });
});
