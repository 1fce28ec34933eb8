import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { TestClient } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { newAddress } from '../support/organizations.js';
import { AT_ONCE, eightTimes, LONG_TEST_MS, oneWins, ROUNDS, rounds } from '../support/races.js';
import { challenge, freshCode, userWithTotp, verify } from '../support/second-factors.js';
import { activeUser, login, mailedToken, PASSWORD } from '../support/sign-in.js';

const LONG = process.env['LONG'] !== undefined;
/** Fewer rounds in the short run, because each hashes passwords, which is slow. In the long run hashing is cheap. */
const FEWER = LONG ? ROUNDS : 3;
const SIGN_IN_ROUNDS = LONG ? ROUNDS : AT_ONCE;
/** Each round suspends the user who signs in this much later. */
const SUSPENSION_STEP_MS = LONG ? 10 : 50;
/** An address receives at most this many emails within an hour. */
const MAILS_MAX = 5;
const NEW_PASSWORD = 'marble thicket cobalt ferry';

/** What works once works once, also with concurrent requests. */
describe('eight concurrent requests', () => {
  let app: TestApp;
  const users = '/v1/organizations/acme/users';
  beforeAll(async () => {
    app = await startApp({ trustProxy: ['127.0.0.1'] });
    // One IP address would exceed the limit of attempts.
    let address = 0;
    const elsewhere = () => ({ 'x-forwarded-for': `10.${(++address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}` });
    app.api.anonymous = new TestClient(app.url, undefined, elsewhere);
    await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
  });
  afterAll(() => app.close());

  const accept = (token: string) => app.api.anonymous.post('/v1/auth/accept-invitation', { token, password: PASSWORD });

  it(
    'accept an invitation once',
    async () => {
      const outcomes = await rounds(async () => {
        const email = newAddress();
        await app.api.platform.post(users, { email, sendInvitation: true }).expect(201);
        const token = await mailedToken(app, email, 'invitation');
        return eightTimes(() => accept(token));
      }, FEWER);
      expect(Object.keys(outcomes)).toEqual([oneWins(200, 400)]);
    },
    LONG_TEST_MS,
  );

  it(
    'leave one valid link when each request sends an invitation',
    async () => {
      const outcomes = await rounds(async () => {
        const email = newAddress();
        const { id } = (await app.api.platform.post(users, { email }).expect(201)).body.data;
        const sent = await eightTimes(() => app.api.platform.post(`${users}/${id}/invitation`));
        const links = (await mailsTo(app, email)).flatMap((mail) => mail.links);
        const tokens = new Set(links.map((link) => new URL(link).searchParams.get('token')!));
        const statuses: number[] = [];
        for (const token of tokens) statuses.push((await accept(token).whenServed()).status);
        return { sent: [...new Set(sent)], links: tokens.size, works: statuses.filter((status) => status === 200).length };
      }, FEWER);
      expect(outcomes).toEqual({ [JSON.stringify({ sent: [200, 429], links: MAILS_MAX, works: 1 })]: expect.any(Number) });
    },
    LONG_TEST_MS,
  );

  it(
    'set a password once with a reset link',
    async () => {
      const outcomes = await rounds(async () => {
        const { email } = await activeUser(app, 'acme', { email: newAddress() });
        await app.api.anonymous.post('/v1/auth/forgot-password', { organization: 'acme', email }).expect(202);
        const token = await mailedToken(app, email, 'password_reset');
        return eightTimes(() => app.api.anonymous.post('/v1/auth/reset-password', { token, password: NEW_PASSWORD }));
      }, FEWER);
      expect(Object.keys(outcomes)).toEqual([oneWins(204, 400)]);
    },
    LONG_TEST_MS,
  );

  it(
    'open one session with a code of an authenticator app in two challenges',
    async () => {
      const outcomes = await rounds(async () => {
        const { email, secret } = await userWithTotp(app, 'acme');
        const tokens = [await challenge(app, 'acme', email), await challenge(app, 'acme', email)];
        const code = freshCode(app, secret);
        let turn = 0;
        const statuses = await eightTimes(() => verify(app, tokens[turn++ % 2]!.challengeToken, 'totp', code));
        return { opened: statuses.filter((status) => status === 200).length, failed: statuses.filter((status) => status >= 500) };
      }, FEWER);
      expect(Object.keys(outcomes)).toEqual([JSON.stringify({ opened: 1, failed: [] })]);
    },
    LONG_TEST_MS,
  );

  it(
    'open one session with a recovery code in two challenges',
    async () => {
      const outcomes = await rounds(async () => {
        const { email, recoveryCodes } = await userWithTotp(app, 'acme');
        const tokens = [await challenge(app, 'acme', email), await challenge(app, 'acme', email)];
        let turn = 0;
        const statuses = await eightTimes(() =>
          verify(app, tokens[turn++ % 2]!.challengeToken, 'recovery_code', recoveryCodes[0]!),
        );
        return { opened: statuses.filter((status) => status === 200).length, failed: statuses.filter((status) => status >= 500) };
      }, FEWER);
      expect(Object.keys(outcomes)).toEqual([JSON.stringify({ opened: 1, failed: [] })]);
    },
    LONG_TEST_MS,
  );

  it(
    'leave no valid session when one of the requests suspends the user',
    async () => {
      const { id, email } = await activeUser(app, 'acme', { email: newAddress() });
      let opened = 0;
      const outcomes = await rounds(async (round) => {
        const tries = Array.from({ length: AT_ONCE - 1 }, () => () => login(app, 'acme', email));
        // At different times, so that it runs before, during and after the hashing of the passwords.
        const suspend = async () => {
          await sleep((round % AT_ONCE) * SUSPENSION_STEP_MS);
          return app.api.platform.post(`${users}/${id}/suspend`, { reason: 'race' }).expect(200);
        };
        const asked = [...tries, suspend];
        const answers = await Promise.all(asked.map((ask) => ask()));
        const tokens = answers.flatMap(({ body }) => (body.data?.sessionToken === undefined ? [] : [body.data.sessionToken]));
        opened += tokens.length;
        const alive = await Promise.all(
          tokens.map(async (token) => (await app.api.as(token).get('/v1/auth/me').whenServed()).status),
        );
        await app.api.platform.post(`${users}/${id}/activate`).expect(200);
        return [...new Set(alive)].filter((status) => status !== 401);
      }, SIGN_IN_ROUNDS);
      expect(Object.keys(outcomes)).toEqual(['[]']);
      expect(opened).toBeGreaterThan(0);
    },
    LONG_TEST_MS,
  );
});
