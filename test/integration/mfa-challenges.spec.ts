import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Clock, type RequestContext, systemContext } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { ChallengeVerificationService, MfaChallengesService } from '#identity/mfa';
import { SessionService, type UserKey } from '#directory/sessions';
import { TotpEnrolmentService } from '../../libs/identity/mfa/src/totp/totp-enrolment.service.js';
import { codeOf } from '../support/authenticator-app.js';
import { eventsDuring } from '../support/events-during.js';
import { mailsTo } from '../support/mailbox.js';
import { testApp } from '../support/test-app.js';

const MINUTE_MS = 60_000;
const anonymous = { ...systemContext('test'), ipAddress: '203.0.113.7' };

describe('an MFA challenge', () => {
  const app = testApp();
  let challenges: MfaChallengesService;
  let verification: ChallengeVerificationService;
  let organizationId: string;
  let user: UserKey;
  let email: string;
  let now: Date;
  let counter = 0;
  beforeAll(async () => {
    challenges = app.app.get(MfaChallengesService, { strict: false });
    verification = app.app.get(ChallengeVerificationService, { strict: false });
    app.app.get(Clock).now = () => now;
  });
  beforeEach(async () => {
    now = new Date();
    const settings = { mfaMethods: ['totp', 'passkey', 'email', 'sms'] };
    const made = await app.api.platform.post('/v1/organizations', { name: `Challenges ${++counter}`, settings }).expect(201);
    organizationId = made.body.data.id;
    email = `person-${counter}@example.com`;
    const created = await app.api.platform.post(`/v1/organizations/${organizationId}/users`, { email }).expect(201);
    user = { tenantId: organizationId, id: created.body.data.id };
    await app.api.platform.post(`/v1/organizations/${organizationId}/users/${user.id}/activate`).expect(200);
  });

  /** Returns the context of the user in a new session. */
  async function signedIn(): Promise<RequestContext> {
    const opened = await app.app
      .get(SessionService, { strict: false })
      .create(anonymous, { user, organizationId, authenticationMethods: ['password'] });
    const { id, authenticationMethods, createdAt, authenticatedAt, expiresAt, enrolmentOnly } = opened.session;
    const caller = { kind: 'user', ...user, permissions: [] } as const;
    return {
      ...anonymous,
      caller,
      actor: { type: 'user', id: user.id },
      session: {
        id,
        organizationId,
        authenticationMethods,
        createdAt,
        authenticatedAt,
        expiresAt,
        enrolmentOnly,
        allowedNetworks: [],
      },
    };
  }

  async function withTotp(): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
    const enrolment = app.app.get(TotpEnrolmentService, { strict: false });
    const ctx = await signedIn();
    const { secret } = await enrolment.start(ctx, undefined);
    const { recoveryCodes } = await enrolment.confirm(ctx, codeOf(secret, now, -1));
    return { secret, recoveryCodes: recoveryCodes! };
  }

  const start = () => challenges.startForSignIn(anonymous, { user, organizationId, firstMethod: 'password' });
  const verify = (challengeToken: string, code: string, method: 'totp' | 'recovery_code' | 'email' = 'totp') =>
    verification.verify(anonymous, { challengeToken, method, code });
  const outcomes = async (attempts: Promise<unknown>[]): Promise<string[]> =>
    (await Promise.allSettled(attempts)).map((each) =>
      each.status === 'fulfilled' ? 'passed' : (each.reason as { code: string }).code,
    );
  const counted = (list: string[]) =>
    Object.fromEntries([...new Set(list)].sort().map((each) => [each, list.filter((one) => one === each).length]));
  const threatsDuring = async (rule: string, run: () => Promise<unknown>) =>
    (await eventsDuring(app, run)).filter(({ type, data }) => type === 'security.suspicious_activity' && data.rule === rule);

  it('rejects a code that a concurrent challenge accepted', async () => {
    const { secret } = await withTotp();
    const code = codeOf(secret, now);
    const started = await Promise.all(Array.from({ length: 8 }, start));
    let results: string[] = [];
    const threats = await threatsDuring('totp_reused', async () => {
      results = await outcomes(started.map(({ challengeToken }) => verify(challengeToken, code)));
    });
    expect(counted(results)).toEqual({ passed: 1, mfa_failed: 7 });
    expect(threats).toHaveLength(1);
    expect(threats[0]!.data).toMatchObject({
      riskLevel: 'high',
      action: 'refused',
      signals: { userId: user.id, ipAddress: '203.0.113.7' },
    });
    // A code of an earlier time step is rejected.
    await expect(verify((await start()).challengeToken, codeOf(secret, now, -1))).rejects.toMatchObject({
      reason: 'totp_reused',
    });
  });

  it('expires after ten minutes', async () => {
    const { secret } = await withTotp();
    const { challengeToken } = await start();
    now = new Date(now.getTime() + 10 * MINUTE_MS + 1);
    await expect(verify(challengeToken, codeOf(secret, now))).rejects.toMatchObject({ code: 'mfa_challenge_invalid' });
    await expect(verify('x'.repeat(43), '000000')).rejects.toMatchObject({ code: 'mfa_challenge_invalid' });
  });

  it('becomes invalid when the password changes', async () => {
    const { secret } = await withTotp();
    const { challengeToken } = await start();
    now = new Date(now.getTime() + 1_000);
    await app.app.get(PasswordsService, { strict: false }).set(anonymous, user, 'lantern orbit velvet quarry', 'reset');
    await expect(verify(challengeToken, codeOf(secret, now))).rejects.toMatchObject({ code: 'mfa_challenge_invalid' });
    await verify((await start()).challengeToken, codeOf(secret, now));
  });

  it('accepts each recovery code only once', async () => {
    const { recoveryCodes } = await withTotp();
    expect(new Set(recoveryCodes).size).toBe(10);
    const started = await Promise.all(Array.from({ length: 4 }, start));
    let results: string[] = [];
    const threats = await threatsDuring('recovery_code_used', async () => {
      results = await outcomes(
        started.map(({ challengeToken }) => verify(challengeToken, ` ${recoveryCodes[3]!.toUpperCase()}`, 'recovery_code')),
      );
    });
    expect(counted(results)).toEqual({ passed: 1, mfa_failed: 3 });
    expect(threats).toHaveLength(1);
    expect(threats[0]!.data.signals).toMatchObject({ userId: user.id, codesLeft: 9 });
    expect((await mailsTo(app, email)).filter(({ subject }) => subject.startsWith('A recovery code was used'))).toHaveLength(1);
    expect(await outcomes([verify((await start()).challengeToken, recoveryCodes[4]!, 'recovery_code')])).toEqual(['passed']);
  });
});
