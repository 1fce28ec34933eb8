import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACCESS_CHANGED_CHANNEL, PlatformKeysService } from '#identity/auth';
import { Notifications } from '#platform/database';
import { startApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/delivery-app.js';
import { at, made, newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

describe('a platform key', () => {
  const first = `first-${'a'.repeat(40)}`;
  const second = `second-${'b'.repeat(40)}`;
  const app = testApp({ platformApiKey: first });
  const instances: TestApp[] = [];
  const start = async (platformApiKey: string | undefined): Promise<TestApp> => {
    const instance = await startApp({ ...app.config, platformApiKey });
    instances.push(instance);
    return instance;
  };
  afterAll(async () => {
    for (const instance of instances) await instance.close();
  });

  it('is replaced on every instance when PLATFORM_API_KEY changes', async () => {
    await app.api.as(first).get('/v1/organizations').expect(200);
    const next = await start(second);
    await next.api.as(second).get('/v1/organizations').expect(200);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await app.api.as(first).get('/v1/organizations').expect(401)).body.detail).toMatch(/revoked/);

    const back = await start(first);
    await back.api.as(first).get('/v1/organizations').expect(200);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await next.api.as(second).get('/v1/organizations').expect(401);
    const rows = await app.database.query(
      `SELECT source, revoked_at IS NULL AS live FROM api_keys WHERE tenant_id = 'platform' ORDER BY id`,
    );
    expect(rows).toEqual([
      { source: 'environment', live: true },
      { source: 'environment', live: false },
    ]);
  });

  it('is created only if no platform key exists', async () => {
    expect((await start(undefined)).platformKey).toBe('');
  });

  it('can’t be the API key of an organization', async () => {
    const { id } = await newOrganization(app);
    const { key } = await made(app, at(id, '/api-keys'), { name: 'x', scopes: ['*'] });
    await expect(startApp({ ...app.config, platformApiKey: key })).rejects.toThrow(/key of an organization/);
  });
});

describe('the first startup', () => {
  const app = testApp({ platformApiKey: undefined });

  it('creates only one platform key if several processes start together', async () => {
    expect(app.platformKey).toMatch(/^service_sk_/);
    await app.api.platform.get('/v1/organizations').expect(200);
    for (const table of ['token_hashes', 'api_keys'])
      await app.database.query(`DELETE FROM ${table} WHERE tenant_id = 'platform'`);

    const keys = await Promise.all(Array.from({ length: 5 }, () => app.app.get(PlatformKeysService).ensure()));

    expect(keys.filter((key) => key !== undefined)).toHaveLength(1);
    const stored = await app.database.query(`SELECT source FROM api_keys WHERE tenant_id = 'platform'`);
    expect(stored).toEqual([{ source: 'first_start' }]);
  });
});

describe('a revoked API key', () => {
  const first = testApp();
  let second: TestApp;
  let reconnections = 0;
  const path = '/v1/organizations/acme/api-keys';

  beforeAll(async () => {
    second = await startApp({ ...first.config });
    second.app.get(Notifications).onReconnect(() => (reconnections += 1));
    await newOrganization(first, { slug: 'acme' });
  });
  afterAll(() => second.close());

  const makeKey = () => made(first, path, { name: 'x', scopes: ['api_keys:read'] });

  /** Resolves when both instances receive notifications: a notification during a reconnect is lost. */
  const bothListen = () =>
    eventually(
      async () => {
        const backends = await first.database.query(
          `SELECT pid FROM pg_stat_activity WHERE application_name = 'notifications' AND datname = current_database()`,
        );
        return backends.length === 2 && [first, second].every(({ app }) => app.get(Notifications).connected);
      },
      30_000,
      'both instances listen',
    );

  it.each([
    ['is rejected', 'DELETE', (id: string) => `/api-keys/${id}`, 401],
    ['of a suspended organization is rejected', 'POST', () => '/suspend', 403],
  ])('%s as soon as the instance receives the notification', async (_what, method, changed, status) => {
    await bothListen();
    const organization = (await newOrganization(first)).id;
    const { id, key } = await made(first, at(organization, '/api-keys'), { name: 'x', scopes: ['api_keys:read'] });
    const notified = new Promise<void>((resolve) => {
      second.app.get(Notifications).on(ACCESS_CHANGED_CHANNEL, (keyId) => ['*', id].includes(keyId) && resolve());
    });
    await second.api.as(key).get(at(organization, '/api-keys')).expect(200);
    expect((await first.api.platform.raw(method, at(organization, changed(id)), undefined, {})).status).toBeLessThan(300);
    await notified;
    await second.api.as(key).get(at(organization, '/api-keys')).expect(status);
  });

  it('is rejected by every instance after the organization was deleted', async () => {
    const { id } = await newOrganization(first);
    const { key } = await made(first, at(id, '/api-keys'), { name: 'x', scopes: ['*'] });
    for (const instance of [first, second]) await instance.api.as(key).get(at(id)).expect(200);
    await first.api.platform.delete(at(id)).expect(204);
    for (const instance of [first, second]) expect([401, 404]).toContain((await instance.api.as(key).get(at(id))).status);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const instance of [first, second]) await instance.api.as(key).get('/v1/organizations').expect(401);
  });

  it('is rejected even if the instance receives no notifications', async () => {
    const isCutOff = async (): Promise<boolean> => {
      await first.database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'notifications' AND datname = current_database()`,
      );
      return !second.app.get(Notifications).connected;
    };
    /** Returns undefined if the instance reconnected. The instance reconnects after half a second. */
    const statusAfterRevocation = async (): Promise<number | undefined> => {
      const { id, key } = await makeKey();
      await second.api.as(key).get(path).expect(200);
      await eventually(isCutOff, 30_000, 'the second instance hears no notifications');
      const before = reconnections;
      await second.api.as(key).get(path).expect(200);
      await first.api.platform.delete(`${path}/${id}`).expect(204);
      const { status } = await second.api.as(key).get(path);
      return reconnections === before ? status : undefined;
    };
    let status: number | undefined;
    do status = await statusAfterRevocation();
    while (status === undefined);
    expect(status).toBe(401);
  });
});

describe('npm run platform-keys', () => {
  const SERVER = join(import.meta.dirname, '../../dist/server/main.js');
  const app = testApp({ platformApiKey: undefined });

  const run = (...parameters: string[]): Promise<{ stdout: string; stderr: string }> =>
    promisify(execFile)(process.execPath, [SERVER, 'platform-keys', ...parameters], {
      env: { ...process.env, DATABASE_URL: app.config.databaseUrl! },
    }).catch((error: { stdout: string; stderr: string }) => error);

  it('lists and revokes the platform key', async () => {
    await app.api.platform.get('/v1/organizations').expect(200);
    const { stdout } = await run();
    const [, id = ''] = /^(key_\w+) {2}First start {2}service_sk_\S+ {2}created \S+, active, last used /.exec(stdout) ?? [];
    expect(stdout).not.toContain(app.platformKey);
    expect((await run('revoke', 'key_unknown')).stderr).toMatch(/There is no platform key key_unknown/);
    expect((await run('destroy', id)).stderr).toMatch(/^Usage/);
    await app.api.platform.get('/v1/organizations').expect(200);

    expect((await run('revoke', id)).stdout).toContain(`Revoked ${id}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await app.api.platform.get('/v1/organizations').expect(401)).body.detail).toMatch(/revoked/);
    expect((await run()).stdout).toMatch(/revoked \d{4}-/);
  });
});
