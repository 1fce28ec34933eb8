import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { TestClient } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { newAddress } from '../support/organizations.js';
import { AT_ONCE, eightTimes, LONG_TEST_MS, ROUNDS, rounds } from '../support/races.js';
import { challenge, freshCode, userWithTotp, verify } from '../support/second-factors.js';
import { activeUser, login, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const LONG = process.env['LONG'] !== undefined;
/** The number of rounds with password hashing. The long run uses cheap hashing. */
const HASHING_ROUNDS = LONG ? ROUNDS : 3;
const SIGN_IN_ROUNDS = LONG ? ROUNDS : AT_ONCE;
/** The increase of the delay before the suspension per round, in milliseconds. */
const SUSPENSION_STEP_MS = LONG ? 10 : 50;
/** An address receives at most this many emails within an hour. */
const EMAILS_MAX = 5;

jest.setTimeout(LONG_TEST_MS);

describe('a race of eight requests', () => {
  const app = testApp({ trustProxy: ['127.0.0.1'] });
  const users = '/v1/organizations/acme/users';
  beforeAll(async () => {
    // Each request has a different IP address. One address would exceed the rate limit.
    let address = 0;
    const nextAddress = () => ({ 'x-forwarded-for': `10.${(++address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}` });
    app.api.anonymous = new TestClient(app.url, undefined, nextAddress);
    await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
  });

  const accept = (token: string) => app.api.anonymous.post('/v1/auth/accept-invitation', { token, password: PASSWORD });

  it('leaves only one valid invitation link', async () => {
    const outcomes = await rounds(async () => {
      const email = newAddress();
      const { id } = (await app.api.platform.post(users, { email }).expect(201)).body.data;
      const sent = await eightTimes(() => app.api.platform.post(`${users}/${id}/invitation`));
      const links = (await mailsTo(app, email)).flatMap((mail) => mail.links);
      const tokens = new Set(links.map((link) => new URL(link).searchParams.get('token')!));
      const statuses: number[] = [];
      for (const token of tokens) statuses.push((await accept(token).whenServed()).status);
      return { sent: [...new Set(sent)], links: tokens.size, works: statuses.filter((status) => status === 200).length };
    }, HASHING_ROUNDS);
    expect(outcomes).toEqual({ [JSON.stringify({ sent: [200, 429], links: EMAILS_MAX, works: 1 })]: expect.any(Number) });
  });

  it.each(['totp', 'recovery_code'])('opens only one session with one code (%s)', async (method) => {
    const outcomes = await rounds(async () => {
      const { email, secret, recoveryCodes } = await userWithTotp(app, 'acme');
      const tokens = [await challenge(app, 'acme', email), await challenge(app, 'acme', email)];
      const code = method === 'totp' ? freshCode(app, secret) : recoveryCodes[0]!;
      let turn = 0;
      const statuses = await eightTimes(() => verify(app, tokens[turn++ % 2]!.challengeToken, method, code));
      return { opened: statuses.filter((status) => status === 200).length, failed: statuses.filter((status) => status >= 500) };
    }, HASHING_ROUNDS);
    expect(Object.keys(outcomes)).toEqual([JSON.stringify({ opened: 1, failed: [] })]);
  });

  it('leaves no valid session if one request suspends the user', async () => {
    const { id, email } = await activeUser(app, 'acme', { email: newAddress() });
    let opened = 0;
    const outcomes = await rounds(async (round) => {
      const signIns = Array.from({ length: AT_ONCE - 1 }, () => () => login(app, 'acme', email));
      // With different delays, the suspension runs before, during and after the hashing of the passwords.
      const suspend = async () => {
        await sleep((round % AT_ONCE) * SUSPENSION_STEP_MS);
        return app.api.platform.post(`${users}/${id}/suspend`, { reason: 'race' }).expect(200);
      };
      const requests = [...signIns, suspend];
      const responses = await Promise.all(requests.map((send) => send()));
      const tokens = responses.flatMap(({ body }) => (body.data?.sessionToken === undefined ? [] : [body.data.sessionToken]));
      opened += tokens.length;
      const sessionStatuses = await Promise.all(
        tokens.map(async (token) => (await app.api.as(token).get('/v1/auth/me').whenServed()).status),
      );
      await app.api.platform.post(`${users}/${id}/activate`).expect(200);
      return [...new Set(sessionStatuses)].filter((status) => status !== 401);
    }, SIGN_IN_ROUNDS);
    expect(Object.keys(outcomes)).toEqual(['[]']);
    expect(opened).toBeGreaterThan(0);
  });
});
