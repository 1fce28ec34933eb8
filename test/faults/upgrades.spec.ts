import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MIGRATIONS } from '#platform/database';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { startApp } from '../support/app.js';
import { findFreePort } from '../support/free-port.js';
import { TestClient } from '../support/http-client.js';
import { TestService } from '../support/service-process.js';
import { testServer } from '../support/test-server.js';

const ROOT = join(import.meta.dirname, '../..');
const USERS = process.env['LONG'] === '1' ? 100_000 : 2_000;
const REPLICAS = 3;
const LIMIT_MS = 900_000;

/** The columns of the first migration. Every later migration must keep the values. */
const KEPT = {
  users: 'id, email, status, created_at',
  organizations: 'id, slug, parent_id, created_at',
  memberships: 'organization_id, user_id, role_id',
  roles: 'id, name, permissions',
  webhooks: 'id, url, secret_sealed',
  events: 'id, seq, payload',
  api_keys: 'id, name, scopes',
};

jest.setTimeout(LIMIT_MS);

describe(`a database with ${USERS} users`, () => {
  const service = testServer(() => TestService.create({ DATABASE_POOL_SIZE: '5' }));
  let databaseUrl: string;
  let dataSource: DataSource;

  beforeAll(async () => {
    databaseUrl = service.environment['DATABASE_URL']!;
    dataSource = await new DataSource({ ...dataSourceOptions({ databaseUrl, databasePoolSize: 2 }), extra: {} }).initialize();
    const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: databaseUrl };
    execFileSync(process.execPath, ['scripts/seed.mjs', '--users', String(USERS), '--organizations', '50'], {
      cwd: ROOT,
      env,
      stdio: 'ignore',
    });
    await createFurtherRows();
  });
  afterAll(() => dataSource.destroy());

  /** Creates rows in tables that the seed does not fill. */
  async function createFurtherRows(): Promise<void> {
    const { PLATFORM_API_KEY: platformApiKey, SECRETS_KEY: secretsKey } = service.environment;
    const app = await startApp({ databaseUrl, platformApiKey, secretsKeys: [Buffer.from(secretsKey!, 'base64')] });
    try {
      const { platform } = app.api;
      const { id } = (await platform.post('/v1/organizations', { name: 'Lived', slug: 'lived' }).expect(201)).body.data;
      const at = `/v1/organizations/${id}`;
      await platform.post(`${at}/webhooks`, { url: 'https://example.com/', events: ['*'], rateLimit: 5 }).expect(201);
      await platform.post(`${at}/users`, { email: 'ada@example.com', externalId: 'a1' }).expect(201);
      await platform.post(`${at}/roles`, { name: 'auditor', permissions: ['events:read'] }).expect(201);
      await platform.post(`${at}/api-keys`, { name: 'k', scopes: ['users:read'] }).expect(201);
    } finally {
      await app.close();
    }
  }

  const digests = async (): Promise<Record<string, unknown>> => {
    const each = Object.entries(KEPT).map(async ([table, columns]) => {
      const [row] = await dataSource.query<{ count: number; digest: string }[]>(
        `SELECT count(*)::int AS count, md5(string_agg(r::text, E'\\n' ORDER BY r::text COLLATE "C")) AS digest
         FROM (SELECT ${columns} FROM ${table}) r`,
      );
      return [table, row] as const;
    });
    return Object.fromEntries(await Promise.all(each));
  };

  it('keeps all rows after a migration down and a concurrent migration up', async () => {
    const before = await digests();
    expect(before).toMatchObject({ users: { count: USERS + 1 } });
    const startedAt = performance.now();
    for (let count = MIGRATIONS.length; count > 1; count--) await dataSource.undoLastMigration({ transaction: 'each' });
    const downMs = performance.now() - startedAt;
    expect(await digests()).toEqual(before);

    const ports = await Promise.all(Array.from({ length: REPLICAS }, () => findFreePort()));
    const startedTogetherAt = performance.now();
    await Promise.all(ports.map((port) => service.start({ PORT: String(port) })));
    const upMs = performance.now() - startedTogetherAt;
    process.stdout.write(
      `${USERS} users: ${MIGRATIONS.length - 1} migrations down in ${(downMs / 1_000).toFixed(1)} s, ` +
        `${REPLICAS} processes ready on them ${(upMs / 1_000).toFixed(1)} s after their start\n`,
    );

    const applied = await dataSource.query<{ name: string; count: number }[]>(
      'SELECT name, count(*)::int AS count FROM migrations GROUP BY name',
    );
    expect(applied).toHaveLength(MIGRATIONS.length);
    expect(applied.filter(({ count }) => count !== 1)).toEqual([]);
    for (const port of ports) {
      const client = new TestClient(`http://127.0.0.1:${port}`, service.environment['PLATFORM_API_KEY']);
      expect((await client.get('/health/ready').expect(200)).body.checks.migrations).toBe('ok');
      const { body } = await client.get('/v1/organizations/lived/users?search=ada').expect(200);
      expect(body.data.map(({ email }: { email: string }) => email)).toEqual(['ada@example.com']);
      await client.post('/v1/organizations/lived/users', { email: `of-${port}@example.com` }).expect(201);
    }
  });
});
