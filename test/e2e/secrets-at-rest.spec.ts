import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { startApp, type TestApp } from '../support/app.js';
import { identityProvider } from '../support/oidc.js';
import { type RedisServer, startRedis } from '../support/redis.js';
import { challenge, userWithTotp } from '../support/second-factors.js';
import { login, mailedToken, PASSWORD } from '../support/sign-in.js';

const WEBHOOK_SECRET = 'whsec_knownToThisTestAlone0123456789abcdefghijk';
const HEADER_VALUE = 'Bearer known-to-this-test-alone';
const CLIENT_SECRET = 'client-secret-known-to-this-test-alone';
const WRONG_PASSWORD = 'wrong-but-perhaps-right-elsewhere';

/** A copy of the database or of Redis must not disclose these secrets. */
describe('a secret', () => {
  let app: TestApp;
  let redis: RedisServer;
  const secrets: Record<string, string> = {};
  let responses: string;

  beforeAll(async () => {
    redis = await startRedis();
    app = await startApp({ redisUrls: [redis.url] });
    responses = (await useSecrets()).join('\n');
  });
  afterAll(async () => {
    await app.close();
    await redis.stop();
  });

  /** Calls every operation with a secret. Returns the error responses. */
  async function useSecrets(): Promise<string[]> {
    const { platform, anonymous } = app.api;
    const { id } = (await platform.post('/v1/organizations', { name: 'Secretive' }).expect(201)).body.data;
    const at = `/v1/organizations/${id}`;
    const named = { headers: { 'idempotency-key': 'at-rest' } };
    const key = (await platform.post(`${at}/api-keys`, { name: 'k', scopes: ['users:read'] }, named).expect(201)).body.data.key;
    const url = 'https://127.0.0.1:9/';
    const webhook = { url, events: ['*'], secret: WEBHOOK_SECRET, headers: { Authorization: HEADER_VALUE } };
    await platform.post(`${at}/webhooks`, webhook).expect(201);
    await identityProvider(app, id, 'https://login.example.com', { clientSecret: CLIENT_SECRET });
    const user = await userWithTotp(app, id);
    const { challengeToken } = await challenge(app, id, user.email);
    await anonymous.post('/v1/auth/forgot-password', { organization: id, email: user.email }).expect(202);
    const mailed = await mailedToken(app, user.email, 'password_reset');
    const operator = (await platform.post('/v1/auth/operator-links', {}).expect(201)).body.data.url.split('token=')[1];
    const link = (await platform.post(`${at}/setup-links`, { steps: ['domain'] }).expect(201)).body.data.url.split('token=')[1];
    Object.assign(secrets, { link, key, mailed, operator, challengeToken, webhook: WEBHOOK_SECRET, header: HEADER_VALUE });
    Object.assign(secrets, { client: CLIENT_SECRET, password: PASSWORD, wrong: WRONG_PASSWORD, platform: app.platformKey });
    Object.assign(secrets, { session: user.token, seed: user.secret, recovery: user.recoveryCodes[0]! });
    const refusals = [
      await login(app, id, user.email, WRONG_PASSWORD),
      await app.api.as(user.token).post('/v1/auth/change-password', { currentPassword: WRONG_PASSWORD, newPassword: 'x' }),
      await platform.post(`${at}/webhooks`, { ...webhook, url: 'ftp://x' }),
      await app.api.as(`${key}x`).get(at),
    ];
    expect(refusals.map(({ status }) => status >= 400)).toEqual(refusals.map(() => true));
    return refusals.map(({ body }) => JSON.stringify(body));
  }

  /** Returns the names of the secrets that a text contains, plain, as hex or as base64. */
  const secretsIn = (text: string): string[] =>
    Object.entries(secrets).flatMap(([name, secret]) => {
      const bytes = Buffer.from(secret);
      const ways = [secret, bytes.toString('hex'), bytes.toString('base64').replace(/.?=*$/, '')];
      return ways.some((way) => text.includes(way)) ? [name] : [];
    });

  it('is in no database row', async () => {
    expect(Object.values(secrets).every((secret) => secret.length >= 12)).toBe(true);
    const tables = await app.database.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(30);
    let rowCount = 0;
    for (const { name } of tables) {
      const rows = await app.database.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      rowCount += rows.length;
      expect([name, secretsIn(rows.map(({ row }) => row).join('\n'))]).toEqual([name, []]);
    }
    expect(rowCount).toBeGreaterThan(50);
  });

  it('is in no key or value of Redis', async () => {
    const client = new Redis(redis.url);
    const keys = await client.keys('*');
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect([key, secretsIn(key + (await client.dumpBuffer(key))?.toString('latin1'))]).toEqual([key, []]);
    client.disconnect();
  });

  it('is in no error response', () => {
    expect(secretsIn(responses)).toEqual([]);
  });
});
