import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ACCESS_CHANGED_CHANNEL, ApiKeyOwnerCheckService, PlatformKeysService } from '#identity/auth';
import { eventually } from '../support/delivery-app.js';
import { eventsDuring, withEvents } from '../support/events-during.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { at, made, newOrganization, read } from '../support/organizations.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Notifications } from '#platform/database';
import { startApp, type TestApp } from '../support/app.js';

const KEY_FORMAT = /^service_sk_[0-9A-Za-z]{49}$/;
const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

describe('an API key', () => {
  const app = testApp();
  let org: string;
  let path: string;
  beforeEach(async () => {
    org = (await newOrganization(app)).id;
    path = at(org, '/api-keys');
  });

  const create = (fields: object = {}): PendingResponse =>
    app.api.platform.post(path, { name: 'k', scopes: ['api_keys:read', 'users:read'], ...fields });
  const newKey = async (fields: object = {}): Promise<TestBody> => (await create(fields).expect(201)).body.data;
  const rotate = ({ id }: TestBody, body?: object): PendingResponse => app.api.platform.post(`${path}/${id}/rotate`, body);
  const rotated = async (key: TestBody, body?: object): Promise<TestBody> => (await rotate(key, body).expect(201)).body.data;
  const shown = ({ id }: TestBody): Promise<TestBody> => read(app, `${path}/${id}`);
  const use = ({ key }: TestBody): PendingResponse => app.api.as(key).get(at(org, '/users'));
  const settings = (values: object) => app.api.platform.patch(at(org), { settings: values }).expect(200);

  it('has a secret value that is returned once and stored only as a hash', async () => {
    const fields = { name: ' Billing ', scopes: ['users:read', 'members:*'], expiresAt: '2999-01-01T00:00:00Z' };
    const [created, events] = await withEvents(app, () => newKey(fields));
    const { key, ...rest } = created;
    expect(key).toMatch(KEY_FORMAT);
    expect(await shown(rest)).toEqual(rest);
    const expected = { id: rest.id, name: 'Billing', scopes: fields.scopes, prefix: key.slice(0, 17) };
    expect(rest).toMatchObject({
      ...expected,
      last4: key.slice(-4),
      createdBy: { type: 'platform', id: expect.stringMatching(/^key_/) },
      ownerId: null,
      lastUsedAt: null,
      unusedPermissions: ['users:read', 'members:read', 'members:write'],
    });
    const data = { ...expected, expiresAt: '2999-01-01T00:00:00.000Z' };
    expect(events).toMatchObject([{ type: 'security.api_key_created', data }]);
    const stored = await app.database.query(
      `SELECT FROM (SELECT k::text AS stored FROM api_keys k UNION ALL SELECT e::text FROM events e) r WHERE stored LIKE $1`,
      [`%${key}%`],
    );
    expect(stored).toEqual([]);
  });

  it('can be rotated immediately or with an overlap, until it expires', async () => {
    const [first, expired] = [await newKey({ expiresAt: '2999-01-01T00:00:00.000Z' }), await newKey()];
    const events = await eventsDuring(app, async () => {
      const second = await rotated(first, { expiresInSeconds: 3_600 });
      const { name, scopes, expiresAt } = first;
      expect(second).toMatchObject({ name, scopes, expiresAt, rotatedFromId: first.id });
      await Promise.all([use(first).expect(200), use(second).expect(200)]);
      expect(Math.abs(Date.parse((await shown(first)).expiresAt) - Date.now() - 3_600_000)).toBeLessThan(10_000);
      await rotate(first).expect(409, 'api_key_already_rotated');

      const third = await rotated(second);
      await use(second).expect(401);
      await use(third).expect(200);
    });
    const changed = ['security.api_key_created', 'security.api_key_revoked'];
    expect(events.map(({ type }) => type)).toEqual([...changed, ...changed]);
    expect(events.at(-1)!.data).toMatchObject({ reason: 'rotated' });
    await rotate(first, { expiresInSeconds: 604_801 }).expect(400);
    await app.database.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [expired.id]);
    await rotate(expired).expect(409, 'api_key_expired');
  });

  it('records the last use at most once a minute', async () => {
    const key = await newKey();
    const lastUse = async () => (await shown(key)).lastUsedAt as string | null;
    await use(key).expect(200);
    await eventually(async () => (await lastUse()) !== null, 20_000, 'the last use is recorded');
    const firstUse = await lastUse();
    expect(Math.abs(Date.parse(firstUse!) - Date.now())).toBeLessThan(10_000);
    expect((await shown(key)).lastUsedIp).toBe('127.0.0.1');
    await use(key).expect(200);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await lastUse()).toBe(firstUse);
  });

  describe('the creator check', () => {
    let creator: SignedIn;
    let key: TestBody;
    let user: string;
    beforeEach(async () => {
      creator = await signedIn(app, org, { roles: ['admin'] });
      user = at(org, `/users/${creator.id}`);
      key = await made(creator.client, path, { name: 'sync', scopes: ['users:read', 'roles:read'] });
    });

    /** Checks all API keys once. The worker does this repeatedly. */
    const check = async (): Promise<void> => {
      while (await app.app.get(ApiKeyOwnerCheckService).run());
    };
    const suspend = () => app.api.platform.post(`${user}/suspend`).expect(200);

    it.each([
      ['is suspended', 'owner_suspended', [], suspend],
      ['is deleted', 'owner_deleted', [], () => app.api.platform.delete(user).expect(204)],
      [
        'belongs to an organization that is suspended',
        'owner_suspended',
        [],
        async () => {
          const { id: child } = await newOrganization(app, { parentId: org });
          await app.database.query('UPDATE users SET organization_id = $2 WHERE id = $1', [creator.id, child]);
          await app.api.platform.post(at(child, '/suspend'), { reason: 'x' }).expect(200);
        },
      ],
      ['is permanently deleted', 'owner_deleted', [], () => app.api.platform.delete(`${user}?permanent=true`).expect(204)],
      [
        'loses permissions of the key',
        'permissions_lost',
        ['roles:read'],
        async () => {
          const { id } = await made(app, at(org, '/roles'), { name: 'reader', permissions: ['users:read'] });
          await made(app, at(org, '/members'), { userId: creator.id, role: id });
          await app.api.platform.delete(`${user}/roles/role_admin`);
        },
      ],
    ])('flags a valid API key if the creator %s', async (_what, flag, missing, lose) => {
      await check();
      expect(await shown(key)).toMatchObject({ flag: null, flaggedAt: null, disabled: false });
      await lose();
      expect(await eventsDuring(app, check)).toMatchObject([
        { type: 'security.api_key_flagged', data: { id: key.id, name: 'sync', flag, missing, disabled: false } },
      ]);
      expect(await shown(key)).toMatchObject({ flag, flaggedAt: expect.any(String), disabled: false });
      await use(key).expect(200);
      expect(await eventsDuring(app, check)).toEqual([]);
    });

    it('flags an API key that another API key of the creator created or rotated', async () => {
      const scopes = ['api_keys:write', 'users:read'];
      const maker = await made(creator.client, path, { name: 'maker', scopes });
      const client = app.api.as(maker.key);
      const first = await made(client, path, { name: 'made', scopes: ['users:read'] });
      const second = (await client.post(`${path}/${first.id}/rotate`).expect(201)).body.data;
      await suspend();
      await check();
      expect(await shown(second)).toMatchObject({ flag: 'owner_suspended', createdBy: { type: 'key', id: maker.id } });
    });

    it('disables a flagged API key if the organization sets disableFlaggedApiKeys', async () => {
      await settings({ disableFlaggedApiKeys: true });
      await use(key).expect(200);
      await suspend();
      await check();
      expect(await shown(key)).toMatchObject({ flag: 'owner_suspended', disabled: true });
      await eventually(async () => (await use(key)).status === 401, 5_000, 'the key is refused');
      await app.api.platform.post(`${user}/activate`).expect(200);
      expect(await eventsDuring(app, check)).toMatchObject([{ data: { id: key.id, flag: null, disabled: false } }]);
      await eventually(async () => (await use(key)).status === 200, 5_000, 'the key works again');
    });
  });

  it('expires within the maxApiKeyLifetime of the organization', async () => {
    await settings({ maxApiKeyLifetime: 30 * 86_400 });
    expect((await create({ expiresAt: inDays(31) }).expect(400)).body.errors).toMatchObject([
      { pointer: '/expiresAt', code: 'too_late' },
    ]);
    expect((await create({ expiresAt: inDays(-1) }).expect(400)).body.errors).toMatchObject([{ pointer: '/expiresAt' }]);
    const sooner = inDays(10);
    expect((await newKey({ expiresAt: sooner })).expiresAt).toBe(sooner);
    const key = await newKey();
    expect(key.expiresAt > inDays(29.9) && key.expiresAt <= inDays(30)).toBe(true);
    // A rotated API key expires no later than a new API key.
    await settings({ maxApiKeyLifetime: 86_400 });
    expect((await rotated(key)).expiresAt <= inDays(1)).toBe(true);
  });

  it('works only from the allowed networks, and can’t create API keys with more allowed networks or a later expiration', async () => {
    const { errors } = (await create({ allowedNetworks: ['10.0.0.0/8', 'example.com'] }).expect(400)).body;
    expect(errors).toMatchObject([{ pointer: '/allowedNetworks/1', code: 'invalid_network' }]);
    const local = await newKey({ allowedNetworks: ['127.0.0.1', '2001:db8::/32'] });
    expect(local.allowedNetworks).toEqual(['127.0.0.1/32', '2001:db8::/32']);
    await use(local).expect(200);
    const elsewhere = await newKey({ allowedNetworks: ['203.0.113.0/24'] });
    await use(elsewhere).expect(403, 'network_not_allowed');
    await use(await rotated(elsewhere)).expect(403);
    const scopes = ['api_keys:write', 'users:read'];
    const limits = { expiresAt: inDays(10), allowedNetworks: ['127.0.0.0/8'] };
    const { key } = await newKey({ scopes, ...limits });
    const createWith = (fields: object) => app.api.as(key).post(path, { name: 'n', scopes: ['users:read'], ...fields });

    expect((await createWith({}).expect(201)).body.data).toMatchObject(limits);
    const less = { expiresAt: inDays(1), allowedNetworks: ['127.0.0.1/32'] };
    expect((await createWith(less).expect(201)).body.data).toMatchObject(less);
    for (const more of [{ allowedNetworks: ['0.0.0.0/0'] }, { expiresAt: inDays(11) }])
      expect((await createWith(more).expect(403)).body.detail).toMatch(
        /can't work from networks that the API key of this request does not allow, and can't expire later/,
      );
    const open = await newKey({ scopes });
    await app.api.as(key).post(`${path}/${open.id}/rotate`).expect(403);
  });

  it('lists the permissions that no request used in the last 90 days', async () => {
    const key = await newKey({ scopes: ['users:*', 'roles:read'] });
    const unused = async (of = key): Promise<string[]> => (await shown(of)).unusedPermissions;
    expect(await unused()).toEqual(['users:read', 'users:write', 'users:delete', 'roles:read']);
    await use(key).expect(200);
    // A rejected request does not use a permission.
    await app.api.as(key.key).get(path).expect(403);
    await eventually(async () => (await unused()).length === 3, 5_000, 'the use is noted');
    expect(await unused()).toEqual(['users:write', 'users:delete', 'roles:read']);
    // No operation requires this permission.
    expect((await newKey({ scopes: ['permissions:grant'] })).unusedPermissions).toEqual([]);
    const successor = await rotated(key);
    expect(successor.unusedPermissions).toEqual(['users:write', 'users:delete', 'roles:read']);
    await app.database.query(`UPDATE api_keys SET permissions_used = '{"users:read":"2000-01-01"}' WHERE id = $1`, [
      successor.id,
    ]);
    expect(await unused(successor)).toContain('users:read');
  });
});

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

  it('is created only if no platform key exists, and can’t be the API key of an organization', async () => {
    expect((await start(undefined)).platformKey).toBe('');
    const { id } = await newOrganization(app);
    const { key } = await made(app, at(id, '/api-keys'), { name: 'x', scopes: ['*'] });
    await expect(startApp({ ...app.config, platformApiKey: key })).rejects.toThrow(/key of an organization/);
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
    ['of a deleted organization is rejected', 'DELETE', () => '', 401],
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

describe('the platform key of the first startup', () => {
  const SERVER = join(import.meta.dirname, '../../dist/server/main.js');
  const app = testApp({ platformApiKey: undefined });

  const run = (...parameters: string[]): Promise<{ stdout: string; stderr: string }> =>
    promisify(execFile)(process.execPath, [SERVER, 'platform-keys', ...parameters], {
      env: { ...process.env, DATABASE_URL: app.config.databaseUrl! },
    }).catch((error: { stdout: string; stderr: string }) => error);

  it('is listed, revoked and replaced by npm run platform-keys', async () => {
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
    const [, created] = /^Platform API key, shown only once: (service_sk_\w+)$/m.exec((await run('create', 'Ops')).stdout)!;
    await app.api.as(created!).get('/v1/organizations').expect(200);
    expect((await run()).stdout).toMatch(/^key_\w+ {2}Ops {2}service_sk_/m);
  });

  it('is the only platform key if several processes start together', async () => {
    for (const table of ['token_hashes', 'api_keys'])
      await app.database.query(`DELETE FROM ${table} WHERE tenant_id = 'platform'`);
    const keys = await Promise.all(Array.from({ length: 5 }, () => app.app.get(PlatformKeysService).ensure()));
    expect(keys.filter((key) => key !== undefined)).toEqual([expect.stringMatching(/^service_sk_/)]);
    const stored = await app.database.query(`SELECT source FROM api_keys WHERE tenant_id = 'platform'`);
    expect(stored).toEqual([{ source: 'first_start' }]);
  });
});
