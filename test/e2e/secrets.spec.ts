import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { codeOf } from '../support/authenticator-app.js';
import { eventually } from '../support/delivery-app.js';
import { type TestBody, TestClient } from '../support/http-client.js';
import { openPool } from '../support/pool.js';
import { testReceiver } from '../support/receiver.js';
import { testRedis } from '../support/redis.js';
import { KEPT_CHARACTERS, type ServiceProcess, TestService } from '../support/service-process.js';

const EMAIL = 'ada.of.the.log@example.com';

/** The service logs at the most verbose level during every operation with a secret. */
const redis = testRedis();
const receiver = testReceiver(() => ({ status: 500, body: 'no' }));
let running: TestService;
let service: ServiceProcess;
let database: Pool;
const secrets: Record<string, string> = {
  webhook: 'whsec_knownToThisTestAlone0123456789abcdefghijk',
  header: 'Bearer known-to-this-test-alone',
  client: 'client-secret-known-to-this-test-alone',
  password: 'lantern orbit velvet quarry',
  wrong: 'wrong-but-perhaps-right-elsewhere',
  platform: randomBytes(24).toString('hex'),
  secretsKey: randomBytes(32).toString('base64'),
};
const refusals: TestBody[] = [];
const rejectedCallerIds: string[] = [];

beforeAll(async () => {
  running = await TestService.create({
    PLATFORM_API_KEY: secrets['platform']!,
    SECRETS_KEY: secrets['secretsKey']!,
    REDIS_URL: redis.url,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'trace',
  });
  service = await running.start();
  database = openPool(running.environment['DATABASE_URL'], 1);
  await useSecrets(running.url);
}, 300_000);
afterAll(async () => {
  await database?.end();
  await running?.stop();
});

async function useSecrets(url: string): Promise<void> {
  const [platform, anonymous] = [running.client, new TestClient(url)];
  const { password, wrong } = secrets;
  const made = async (path: string, body: object): Promise<TestBody> => (await platform.post(path, body).expect(201)).body.data;
  const mailed = async (): Promise<string> => {
    const { body } = await anonymous.get(`/dev/mailbox.json?to=${EMAIL}`).expect(200);
    return new URL(body.data[0].links[0]).searchParams.get('token') ?? '';
  };
  const linkToken = async (path: string, body: object): Promise<string> => (await made(path, body)).url.split('token=')[1];
  const { id } = await made('/v1/organizations', { name: 'Talkative' });
  const at = `/v1/organizations/${id}`;
  const webhook = { url: receiver.url, events: ['*'], secret: secrets['webhook'], headers: { Authorization: secrets['header'] } };
  await made(`${at}/webhooks`, webhook);
  const provider = { name: 'Login', issuer: 'https://127.0.0.1:9', clientId: 'c', clientSecret: secrets['client'] };
  const { id: providerId } = await made(`${at}/identity-providers`, provider);
  await anonymous.post('/v1/auth/oidc/start', { organization: id, provider: providerId });
  const named = { headers: { 'idempotency-key': 'at-rest' } };
  const created = await platform.post(`${at}/api-keys`, { name: 'k', scopes: ['users:read'] }, named).expect(201);
  const { key, id: keyId } = created.body.data;
  const limited = new TestClient(url, key);
  await limited.get(`${at}/webhooks`).expect(403);
  await limited.get('/v1/organizations/somebody-elses/users').expect(404);
  const { id: userId } = await made(`${at}/users`, { email: EMAIL, sendInvitation: true });
  const invitation = await mailed();
  await anonymous.post('/v1/auth/accept-invitation', { token: invitation, password }).expect(200);
  const login = async (): Promise<TestBody> =>
    (await anonymous.post('/v1/auth/login', { organization: id, email: EMAIL, password }).expect(200)).body.data;
  const first = new TestClient(url, (await login()).sessionToken);
  await first.get(`${at}/webhooks`).expect(403);
  rejectedCallerIds.push(keyId, userId);
  const seed = (await first.post('/v1/auth/mfa/totp', {}).expect(200)).body.data.secret;
  const factor = (await first.post('/v1/auth/mfa/totp/confirm', { code: codeOf(seed) }).expect(200)).body.data;
  const { challengeToken } = await login();
  await anonymous.post('/v1/auth/forgot-password', { organization: id, email: EMAIL }).expect(202);
  const reset = await mailed();
  await anonymous.get(`/reset-password?token=${reset}`);
  const operator = await linkToken('/v1/auth/operator-links', {});
  const setup = await linkToken(`${at}/setup-links`, { steps: ['domain'] });
  const [session, recovery] = [factor.sessionToken, factor.recoveryCodes[0]];
  Object.assign(secrets, { key, invitation, session, seed, recovery, challengeToken, reset, operator, setup });
  for (const refused of [
    anonymous.post('/v1/auth/login', { organization: id, email: EMAIL, password: wrong }).expect(401),
    new TestClient(url, session).post('/v1/auth/change-password', { currentPassword: wrong, newPassword: 'x' }).expect(403),
    platform.post(`${at}/webhooks`, { ...webhook, url: 'ftp://x' }).expect(400),
    new TestClient(url, `${key}x`).get(at).expect(401),
    anonymous.raw('POST', '/v1/auth/login', `{"password":"${wrong}`, { 'content-type': 'application/json' }).expect(400),
  ])
    refusals.push((await refused).body);
  await receiver.waitFor(1, 30_000);
  // The delivery attempt and the rejected requests are logged last.
  const logged = () =>
    /"deliveryId":"dlv_/.test(service.stdout) &&
    refusals.every(({ requestId }) => requestLines().some((line) => line.includes(`"requestId":"${requestId}"`)));
  await eventually(logged, 30_000, 'the log has the delivery attempt and the rejected requests');
}

/** Returns the names of the secrets that a text contains, plain, as hex or as base64. */
const secretsIn = (text: string): string[] =>
  Object.entries(secrets).flatMap(([name, secret]) => {
    const bytes = Buffer.from(secret);
    const ways = [secret, bytes.toString('hex'), bytes.toString('base64').replace(/.?=*$/, '')];
    return ways.some((way) => text.includes(way)) ? [name] : [];
  });
const requestLines = (): string[] => service.stdout.split('\n').filter((line) => line.includes('"msg":"request"'));

/** A copy of the database or of Redis must not disclose these secrets. */
describe('a secret', () => {
  it('is in no database row', async () => {
    expect(Object.keys(secrets)).toHaveLength(16);
    expect(Object.values(secrets).filter((secret) => secret.length < 12)).toEqual([]);
    const tables = await database.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(tables.rows.length).toBeGreaterThan(30);
    let rowCount = 0;
    for (const { name } of tables.rows) {
      const { rows } = await database.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
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

  it('is in no error response', () => expect(secretsIn(JSON.stringify(refusals))).toEqual([]));
});

describe('the log at level trace', () => {
  it('contains no secrets and no email addresses', () => {
    const log = service.stdout + service.stderr;
    // The oldest lines of a longer log would be missing.
    expect(service.stdout.length).toBeLessThan(KEPT_CHARACTERS);
    expect(log).toMatch(/"route":"\/v1\/auth\/login"/);
    expect([secretsIn(log), log.includes(EMAIL)]).toEqual([[], false]);
  });

  it('names the caller of a rejected request by id', () => {
    const lines = requestLines().map((line) => JSON.parse(line) as { status: number; callerId?: string });
    const [keyId, userId] = rejectedCallerIds;
    const rejected = lines.filter(({ status }) => status === 403 || status === 404);
    expect(rejected.map(({ status, callerId }) => `${status} ${callerId}`)).toEqual([
      `403 ${keyId}`,
      `404 ${keyId}`,
      `403 ${userId}`,
      `403 ${userId}`,
    ]);
    expect(lines.filter(({ status, callerId }) => status === 401 && callerId)).toEqual([]);
  });
});
