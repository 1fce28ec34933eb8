// Processor time: the tests start several instances of the service, with other keys.
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
import { buildServer, failedStart, KEPT_CHARACTERS, type ServiceProcess, TestService } from '../support/service-process.js';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newId } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { openDataSource, TransactionRunner } from '#platform/database';
import { decodeProtectedHeader } from 'jose';
import type { DataSource } from 'typeorm';
import { assertKeysComplete } from '../../apps/server/src/resealing/assert-keys-complete.js';
import { ResealingQuery } from '../../apps/server/src/resealing/resealing.query.js';
import { SecretResealer } from '../../apps/server/src/resealing/secret-resealer.js';
import { SEALED_COLUMNS } from '../../apps/server/src/resealing/sealed-columns.js';
import { startApp, type TestApp } from '../support/app.js';
import { mailsTo } from '../support/mailbox.js';
import { callbackPathOf, completeSignIn, identityProvider, type StartedSignIn, startSignIn } from '../support/oidc.js';
import { made, newOrganization, read } from '../support/organizations.js';
import { missingInOutput } from '../packages/samples/shown-output.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { sized } from '../support/test-size.js';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-identity-provider.js';
import { challenge, freshCode, moveClock, sentCode, signedInUser, userWithTotp, verify } from '../support/second-factors.js';

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

const SERVER = join(import.meta.dirname, '../../dist/server/main.js');
/** More rows than two batches. */
const ROWS = sized(1_200, 10_000, 10_000);
const READERS = 8;
const HEADER = 'Bearer in-a-header';

describe('the rotation of SECRETS_KEY', () => {
  const oldKey = randomBytes(32);
  const newKey = randomBytes(32);
  const rotating = new SecretSealer([newKey, oldKey]);
  let database: TestDatabase;
  let pool: Pool;
  let provider: ScriptedProvider;
  /** The service with only the old key (before the rotation), with both keys (during), and with only the new key (after). */
  let before: TestApp;
  let during: TestApp;
  let after: TestApp;
  let at: string;
  let state: Awaited<ReturnType<typeof useEveryColumn>>;
  let webhooks: { path: string; secret: string }[];
  let rowsOfOldKey: Record<string, number>;
  let resealed: Awaited<ReturnType<typeof resealWhileInUse>>;

  const platformApiKey = `test-platform-${randomBytes(24).toString('hex')}`;
  const start = (...secretsKeys: Buffer[]): Promise<TestApp> =>
    startApp({ databaseUrl: database.url, platformApiKey, secretsKeys });
  beforeAll(async () => {
    buildServer();
    database = await createTestDatabase();
    pool = openPool(database.url, 4);
    provider = await startScriptedProvider();
    before = await start(oldKey);
    during = await start(newKey, oldKey);
    after = await start(newKey);
    // The service rejects an authenticator code that was used before.
    moveClock(after, 90_000);
    state = await useEveryColumn(before);
    webhooks = await insertWebhooks();
    rowsOfOldKey = await rowsUnder(oldKey);
    resealed = await resealWhileInUse();
  }, 300_000);
  afterAll(async () => {
    await Promise.all([before, during, after].map((app) => app.close()));
    await provider.stop();
    await pool.end();
    await database.drop();
  });

  const rowsUnder = async (key: Buffer): Promise<Record<string, number>> => {
    const id = new SecretSealer([key]).sealingKeyId;
    const counts = SEALED_COLUMNS.map(async ({ table, column }) => {
      const { rows } = await pool.query(
        `SELECT count(*)::int AS count FROM ${table} WHERE split_part(${column}, '.', 2) = '${id}'`,
      );
      return [`${table}.${column}`, rows[0].count] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  };

  /** Writes a row for every encrypted column. */
  async function useEveryColumn(app: TestApp) {
    const { platform, anonymous } = app.api;
    const { id } = await newOrganization(app, { settings: { mfaMethods: ['totp', 'email'] } });
    at = `/v1/organizations/${id}`;
    const fields = { url: 'https://127.0.0.1:9/', events: ['*'], headers: { Authorization: HEADER } };
    const named = { headers: { 'idempotency-key': 'before' } };
    const webhook = (await platform.post(`${at}/webhooks`, fields, named).expect(201)).body.data;
    await platform.post(`${at}/webhooks/${webhook.id}/rotate-secret`, { activateInSeconds: 3_600 }).expect(200);
    const secrets = await read(app, `${at}/webhooks/${webhook.id}/secret`);
    const apiKey = await made(app, `${at}/api-keys`, { name: 'Receiver', scopes: ['ssf_streams:*'] });
    const delivery = { method: 'urn:ietf:rfc:8935', endpoint_url: fields.url, authorization_header: HEADER };
    await app.api.as(apiKey.key).post('/ssf/streams', { delivery }).expect(201);
    const idp = await identityProvider(app, id, provider.issuer, { trustedDomains: ['corp.example'] });
    const oidc: StartedSignIn = await startSignIn(app, id, idp.id);
    const user = await userWithTotp(app, id);
    const client = app.api.as(user.token);
    await client.post('/v1/auth/mfa/email', {}).expect(200);
    await client.post('/v1/auth/mfa/email/confirm', { code: await sentCode(app, user.email) }).expect(200);
    moveClock(app, 60_000);
    const migration = { url: 'https://auth.example.com/verify', endsAt: new Date(Date.now() + 3_600_000).toISOString() };
    await platform.patch(`/v1/organizations/${id}/password-migration`, migration).expect(200);
    const { challengeToken } = await challenge(app, id, user.email);
    await anonymous.post('/v1/auth/mfa/challenge', { challengeToken, method: 'email' }).expect(200);
    const code = await sentCode(app, user.email);
    const enrolling = await signedInUser(app, id);
    const enrollee = app.api.as(enrolling.token);
    const enrolment = (await enrollee.post('/v1/auth/mfa/totp', {}).expect(200)).body.data.secret as string;
    const accessToken = (await enrollee.post('/v1/auth/token', { audience: 'https://app.example.com' }).expect(201)).body.data
      .accessToken;
    return { id, fields, named, webhook, secrets, idp, oidc, user, challengeToken, code, enrolling, enrolment, accessToken };
  }

  /** Inserts more webhooks than the API allows, each with its own secret. */
  async function insertWebhooks(): Promise<typeof webhooks> {
    const old = new SecretSealer([oldKey]);
    const rows = Array.from({ length: ROWS }, () => ({ id: newId('webhook'), secret: randomBytes(24).toString('base64url') }));
    await pool.query(
      `INSERT INTO webhooks (tenant_id, id, organization_id, name, url, events, secret_sealed, enabled, created_at, updated_at)
       SELECT $1, id, $1, 'n', 'https://example.com/', '{role.created}', sealed, false, now(), now()
       FROM unnest($2::text[], $3::text[]) r (id, sealed)`,
      [state.id, rows.map(({ id }) => id), rows.map(({ id, secret }) => old.seal(secret, `webhooks|secret|${id}`))],
    );
    return rows.map(({ id, secret }) => ({ path: `${at}/webhooks/${id}`, secret }));
  }

  const connect = (): Promise<DataSource> => openDataSource(database.url, 'resealing');
  const resealAll = (source: DataSource) =>
    new SecretResealer(new ResealingQuery(source), new TransactionRunner(source), rotating).resealAll();

  /** Re-encrypts everything in two concurrent runs, and interrupts a third run, while requests read and write. */
  async function resealWhileInUse() {
    const stopping = new AbortController();
    const failures: unknown[] = [];
    let reads = 0;
    const readers = Array.from({ length: READERS }, async (_, reader) => {
      for (let index = reader; !stopping.signal.aborted; index = (index + READERS * 7) % ROWS) {
        const { path, secret } = webhooks[index]!;
        const { status, body } = await during.api.platform.get(`${path}/secret`);
        if (status !== 200 || body.data.secret !== secret) failures.push([path, status, body]);
        reads++;
      }
    });
    const writer = (async () => {
      for (let index = 0; !stopping.signal.aborted; index = (index + 1) % ROWS) {
        const change = { name: `n${index}`, headers: { A: HEADER } };
        const { status, body } = await during.api.platform.patch(webhooks[index]!.path, change);
        if (status !== 200) failures.push([status, body]);
      }
    })();
    const [interruptedSource, ...others] = await Promise.all([connect(), connect(), connect()]);
    const [{ pid }] = await interruptedSource.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
    const interruption = expect(resealAll(interruptedSource)).rejects.toThrow();
    await pool.query('SELECT pg_terminate_backend($1::int)', [pid]);
    const results = await Promise.all(others.map(resealAll));
    await interruption;
    stopping.abort();
    await Promise.all([...readers, writer]);
    await Promise.all([interruptedSource, ...others].map((source) => source.destroy()));
    return { failures, reads, results, left: await rowsUnder(oldKey) };
  }

  it('covers every encrypted column', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name LIKE '%sealed%' ORDER BY 1`,
    );
    expect(Object.keys(rowsOfOldKey).toSorted()).toEqual(rows.map(({ name }) => name));
    expect(Object.entries(rowsOfOldKey).filter(([, count]) => count === 0)).toEqual([]);
  });

  it(`re-encrypts ${ROWS} rows without a failed read`, () => {
    const { failures, reads, results, left } = resealed;
    expect(failures).toEqual([]);
    expect(reads).toBeGreaterThan(READERS);
    for (const result of results)
      for (const { name, remaining, unreadable } of result) expect([name, remaining, [...unreadable]]).toEqual([name, {}, []]);
    expect(Object.entries(left).filter(([, count]) => count !== 0)).toEqual([]);
  });

  it('completes operations that began with the previous key', async () => {
    const { platform, anonymous } = after.api;
    const sealer = new SecretSealer([newKey]);
    const { rows } = await pool.query<{ id: string; sealed: string }>('SELECT id, secret_sealed AS sealed FROM webhooks');
    const opened = new Map(rows.map(({ id, sealed }) => [id, sealer.open(sealed, `webhooks|secret|${id}`)]));
    expect(webhooks.filter(({ path, secret }) => opened.get(path.split('/').at(-1)!) !== secret)).toEqual([]);

    const { id, fields, named, webhook, secrets, oidc, user, enrolling } = state;
    expect(await read(after, `${at}/webhooks/${webhook.id}/secret`)).toEqual(secrets);
    const replayed = await platform.post(`${at}/webhooks`, fields, named).expect(201);
    expect([replayed.headers.get('idempotent-replayed'), replayed.body.data]).toEqual(['true', webhook]);
    expect((await mailsTo(after, user.email)).length).toBeGreaterThan(0);
    provider.script = { claims: { sub: 'rotated', email: 'rotated@corp.example', email_verified: true } };
    await completeSignIn(after, await callbackPathOf(oidc), oidc).expect(200);
    await verify(after, state.challengeToken, 'email', state.code).expect(200);
    const { challengeToken } = await challenge(after, id, user.email);
    await verify(after, challengeToken, 'totp', freshCode(after, user.secret)).expect(200);
    const code = freshCode(after, state.enrolment);
    const added = await after.api.as(enrolling.token).post('/v1/auth/mfa/totp/confirm', { code }).expect(200);
    const { keys } = (await anonymous.get('/.well-known/jwks.json').expect(200)).body;
    expect(keys.map((key: { kid: string }) => key.kid)).toContain(decodeProtectedHeader(state.accessToken).kid);
    await after.api.as(added.body.data.sessionToken).post('/v1/auth/token', { audience: 'https://app.example.com' }).expect(201);
  });

  describe('the reseal-secrets command', () => {
    const run = (keys: Buffer[], ...parameters: string[]): Promise<{ code: number; stdout: string }> => {
      const secretsKey = keys.map((key) => key.toString('base64')).join(',');
      const env = { ...process.env, DATABASE_URL: database.url, SECRETS_KEY: secretsKey };
      return promisify(execFile)(process.execPath, [SERVER, 'reseal-secrets', ...parameters], { env }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
      );
    };
    const oldId = new SecretSealer([oldKey]).sealingKeyId;
    const newId = rotating.sealingKeyId;

    const createWebhookWithOldKey = async (): Promise<{ id: string; secretPath: string }> => {
      const path = `/v1/organizations/${(await newOrganization(before)).id}/webhooks`;
      const { id } = await made(before, path, state.fields);
      return { id, secretPath: `${path}/${id}/secret` };
    };

    it('reports which keys can be removed', async () => {
      const { secretPath } = await createWebhookWithOldKey();
      const remaining = `Remaining: 1 in webhooks.secret_sealed under key ${oldId}, which is not in SECRETS_KEY`;
      expect(await run([newKey])).toEqual({ code: 1, stdout: expect.stringContaining(remaining) });
      const { code, stdout } = await run([newKey, oldKey]);
      expect(stdout).toContain('Encrypted again: 1 in webhooks.secret_sealed.\nEncrypted again: 1 in webhooks.headers_sealed.\n');
      expect(stdout).toContain(
        `Everything is encrypted with key ${newId}. You can remove the older keys from SECRETS_KEY: ${oldId}.`,
      );
      expect(code).toBe(0);
      expect(missingInOutput('docs/operations.md', 'npm run reseal-secrets', stdout)).toEqual([]);
      await after.api.platform.get(secretPath).expect(200);
    });

    it('discards what only a lost key can decrypt, without which the service does not start', async () => {
      const { secretPath } = await createWebhookWithOldKey();
      const { lines } = await failedStart({ DATABASE_URL: database.url, SECRETS_KEY: newKey.toString('base64') });
      expect(lines).toEqual([
        expect.stringContaining(
          `SECRETS_KEY lacks keys of secrets in this database: ${oldId} (webhooks.secret_sealed, webhooks.headers_sealed). It has ${newId}.`,
        ),
      ]);
      await after.api.platform.get(secretPath).expect(500);
      const discarded = 'Discarded: 1 in webhooks.secret_sealed.\nDiscarded: 1 in webhooks.headers_sealed.\n';
      expect(await run([newKey], 'discard', newId)).toEqual({ code: 1, stdout: '' });
      expect(await run([newKey], 'discard', oldId)).toEqual({ code: 0, stdout: expect.stringContaining(discarded) });
      await after.api.platform.get(secretPath).expect(200);
      await assertKeysComplete(database.url, [newKey], 'SECRETS_KEY');
    });

    it('reports ciphertexts that fail to decrypt', async () => {
      const { id } = await createWebhookWithOldKey();
      await pool.query(`UPDATE webhooks SET headers_sealed = secret_sealed WHERE id = $1`, [id]);
      try {
        const { code, stdout } = await run([newKey, oldKey]);
        expect(stdout).toContain(`Can't be decrypted, although its key is known: webhooks|headers|${id}.`);
        expect([code, stdout.includes('You can remove')]).toEqual([1, false]);
      } finally {
        await pool.query('UPDATE webhooks SET headers_sealed = NULL WHERE id = $1', [id]);
      }
    });
  });
});
