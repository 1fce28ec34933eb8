import { beforeEach, describe, expect, it } from '@jest/globals';
import { Clock, systemContext } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { unneeded } from '#directory/privileges';
import { codeOf } from '../support/authenticator-app.js';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { newOrganization } from '../support/organizations.js';
import { challenge, freshCode, moveClock, stopClock, userWithTotp, verify, type WithTotp } from '../support/second-factors.js';
import { testApp } from '../support/test-app.js';

const MINUTE_MS = 60_000;
const CONCURRENT = 4;

describe('an MFA challenge', () => {
  const app = testApp();
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
    expect((await verifyTotp(await start(), earlier).expect(401)).body.code).toBe('mfa_failed');
  });

  it('expires after ten minutes', async () => {
    const token = await start();
    moveClock(app, 10 * MINUTE_MS + 1);
    expect((await verifyTotp(token).expect(401)).body.code).toBe('mfa_challenge_invalid');
    expect((await verifyTotp('x'.repeat(43)).expect(401)).body.code).toBe('mfa_challenge_invalid');
  });

  it('becomes invalid when the password changes', async () => {
    const token = await start();
    moveClock(app, MINUTE_MS);
    const passwords = app.app.get(PasswordsService, { strict: false });
    await passwords.set(
      systemContext('test'),
      { tenantId: organization, id: user.id },
      'lantern orbit velvet quarry',
      'reset',
      unneeded<'sign_in'>('mailed_link'),
    );
    expect((await verifyTotp(token).expect(401)).body.code).toBe('mfa_challenge_invalid');
  });

  it('accepts each recovery code only once', async () => {
    const [code = '', other = ''] = user.recoveryCodes;
    expect(new Set(user.recoveryCodes).size).toBe(10);
    const { statuses, threats } = await verifyConcurrently('recovery_code', ` ${code.toUpperCase()}`, 'recovery_code_used');
    expect(statuses).toEqual([200, 401, 401, 401]);
    expect(threats).toMatchObject([{ signals: { userId: user.id, codesLeft: 9 } }]);
    const notices = (await mailsTo(app, user.email)).filter(({ subject }) => subject.startsWith('A recovery code was used'));
    expect(notices).toHaveLength(1);
    await verify(app, await start(), 'recovery_code', other).expect(200);
  });
});
