import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/delivery-app.js';

const KEY_FORMAT = /^service_sk_[0-9A-Za-z]{49}$/;

describe('an API key', () => {
  let app: TestApp;
  let acme: string;
  let child: string;
  let other: string;

  const makeOrganization = async (name: string, parentId?: string): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id as string;

  const makeKey = async (organization: string, scopes: string[], expiresAt?: string) =>
    (await app.api.platform.post(`/v1/organizations/${organization}/api-keys`, { name: 'Test', scopes, expiresAt }).expect(201))
      .body.data;

  beforeAll(async () => {
    app = await startApp();
    acme = await makeOrganization('Acme');
    child = await makeOrganization('Below', acme);
    other = await makeOrganization('Other');
  });
  afterAll(() => app.close());

  it('has a secret value that is returned once and stored only as a hash', async () => {
    const before = (await app.eventTypes()).length;
    const created = await app.api.platform
      .post('/v1/organizations/acme/api-keys', {
        name: ' Billing ',
        scopes: ['users:read', 'members:*'],
        expiresAt: '2999-01-01T00:00:00Z',
      })
      .expect(201);

    const { key, ...shown } = created.body.data;
    expect(key).toMatch(KEY_FORMAT);
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'Billing',
      scopes: ['users:read', 'members:*'],
      prefix: key.slice(0, 17),
      last4: key.slice(-4),
      organizationId: acme,
      createdBy: { type: 'platform', id: expect.stringMatching(/^key_/) },
      ownerId: null,
      rotatedFromId: null,
      expiresAt: '2999-01-01T00:00:00.000Z',
      lastUsedAt: null,
      lastUsedIp: null,
      unusedPermissions: ['users:read', 'members:read', 'members:write'],
      allowedNetworks: null,
      flag: null,
      flaggedAt: null,
      disabled: false,
      createdAt: expect.any(String),
    });
    const read = await app.api.platform.get(`/v1/organizations/acme/api-keys/${shown.id}`).expect(200);
    expect(read.body).toEqual({ data: shown });
    expect((await app.eventTypes()).slice(before)).toEqual(['security.api_key_created']);
    const [event] = await app.database.query<{ payload: string }>(`SELECT payload FROM events ORDER BY seq DESC LIMIT 1`);
    expect(JSON.parse(event!.payload).data).toEqual({
      id: shown.id,
      name: 'Billing',
      prefix: shown.prefix,
      scopes: shown.scopes,
      expiresAt: '2999-01-01T00:00:00.000Z',
    });
    const stored = await app.database.query(
      `SELECT count(*)::int AS n FROM (SELECT k::text AS stored FROM api_keys k UNION ALL SELECT e::text FROM events e) r WHERE stored LIKE $1`,
      [`%${key}%`],
    );
    expect(stored).toEqual([{ n: 0 }]);
  });

  it('is listed before older API keys', async () => {
    const organizationId = await makeOrganization('Lists');
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await makeKey(organizationId, ['users:read'])).id);
    const path = `/v1/organizations/${organizationId}/api-keys`;

    const first = await app.api.platform.get(`${path}?limit=2`).expect(200);
    const second = await app.api.platform.get(`${path}?limit=2&after=${ids[1]}`).expect(200);
    const third = await app.api.platform.get(`${path}?limit=2&page=3`).expect(200);

    expect(first.body.data.map((key: { id: string }) => key.id)).toEqual(ids.slice(0, 2));
    expect(first.body.pagination).toEqual({ total: 5, page: 1, limit: 2, hasMore: true });
    expect(second.body.data.map((key: { id: string }) => key.id)).toEqual(ids.slice(2, 4));
    expect(second.body.pagination).toEqual({ total: 5, page: 2, limit: 2, hasMore: true });
    expect(third.body.data.map((key: { id: string }) => key.id)).toEqual(ids.slice(4));
    expect(third.body.pagination).toEqual({ total: 5, page: 3, limit: 2, hasMore: false });
    expect((await app.api.platform.get(`${path}?after=usr_1`).expect(400)).body.code).toBe('invalid_cursor');
  });

  it.each([
    [{}, ['/name', '/scopes']],
    [{ name: 'x', scopes: [] }, ['/scopes']],
    [{ name: 'x', scopes: ['users:fly'] }, ['/scopes/0']],
    [{ name: 'x', scopes: ['*'], expiresAt: '2001-01-01T00:00:00Z' }, ['/expiresAt']],
    [{ name: 'x', scopes: ['*'], source: 'environment' }, ['/source']],
  ])("can't be created with the body %j", async (body, pointers) => {
    const rejected = await app.api.platform.post('/v1/organizations/acme/api-keys', body).expect(400);
    expect(rejected.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(pointers);
  });

  it("gets 404, not 403, for an organization that the API key can't see", async () => {
    const reader = app.api.as((await makeKey(acme, ['users:read'])).key);
    const path = (organization: string) => `/v1/organizations/${organization}/api-keys`;

    for (const [client, detail] of [
      [app.api.anonymous, /Send an API key/],
      [app.api.as('a b'), /must have the form/],
      [app.api.as('service_sk_wrong'), /neither an API key nor a session token/],
    ] as const) {
      const rejected = await client.get(path('acme')).expect(401);
      expect(rejected.body).toMatchObject({ code: 'unauthenticated', status: 401 });
      expect(rejected.body.detail).toMatch(detail);
      expect(rejected.headers.get('www-authenticate')).toBe('Bearer realm="api"');
    }
    const foreign = await reader.get(path(other)).expect(404);
    const unknown = await reader.get(path(other.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).expect(404);
    expect(foreign.body.code).toBe('organization_not_found');
    expect(foreign.body.detail.replace(other, '')).toBe(unknown.body.detail.replace(/org_\w+/, ''));
    const lacking = await reader.get(path('acme')).expect(403);
    expect(lacking.body.code).toBe('forbidden');
    expect(lacking.body.detail).toContain('"api_keys:read"');
  });

  it('has access only to the organization and the descendants', async () => {
    const client = app.api.as((await makeKey(acme, ['api_keys:*'])).key);
    await client.get('/v1/organizations/acme/api-keys').expect(200);
    await client.get(`/v1/organizations/${child}/api-keys`).expect(200);
    await client.get('/v1/organizations/other/api-keys').expect(404);
    const childClient = app.api.as((await makeKey(child, ['*'])).key);
    await childClient.get('/v1/organizations/acme/api-keys').expect(404);
    await childClient.get('/v1/organizations/%00/api-keys').expect(404);
  });

  it('is found only in the organization of the API key', async () => {
    const { id } = await makeKey(acme, ['users:read']);
    for (const path of [`/v1/organizations/${other}/api-keys/${id}`, `/v1/organizations/${child}/api-keys/${id}`]) {
      expect((await app.api.platform.get(path).expect(404)).body.code).toBe('api_key_not_found');
      await app.api.platform.delete(path).expect(404);
      await app.api.platform.post(`${path}/rotate`).expect(404);
    }
  });

  it("can't get scopes that the caller lacks", async () => {
    const privilegedKey = await makeKey(acme, ['users:*', 'api_keys:write']);
    const client = app.api.as((await makeKey(acme, ['users:read', 'api_keys:write'])).key);

    const rejected = await client
      .post('/v1/organizations/acme/api-keys', { name: 'x', scopes: ['users:read', 'users:*', 'roles:write'] })
      .expect(403);
    expect(rejected.body.detail).toContain('users:*, roles:write');
    await client.post('/v1/organizations/acme/api-keys', { name: 'x', scopes: ['*'] }).expect(403);
    await client.post('/v1/organizations/acme/api-keys', { name: 'x', scopes: ['users:read'] }).expect(201);
    await client.post(`/v1/organizations/acme/api-keys/${privilegedKey.id}/rotate`).expect(403);
  });

  it('can be rotated immediately or with an overlap', async () => {
    const path = '/v1/organizations/acme/api-keys';
    const first = await makeKey(acme, ['api_keys:read'], '2999-01-01T00:00:00.000Z');
    const before = (await app.eventTypes()).length;

    const second = (await app.api.platform.post(`${path}/${first.id}/rotate`, { expiresInSeconds: 3_600 }).expect(201)).body.data;
    expect(second).toMatchObject({ name: first.name, scopes: first.scopes, expiresAt: first.expiresAt, rotatedFromId: first.id });
    await app.api.as(first.key).get(path).expect(200);
    await app.api.as(second.key).get(path).expect(200);
    const previousKey = (await app.api.platform.get(`${path}/${first.id}`).expect(200)).body.data;
    expect(Math.abs(Date.parse(previousKey.expiresAt) - Date.now() - 3_600_000)).toBeLessThan(10_000);
    expect((await app.api.platform.post(`${path}/${first.id}/rotate`).expect(409)).body.code).toBe('api_key_already_rotated');

    const third = (await app.api.platform.post(`${path}/${second.id}/rotate`).expect(201)).body.data;
    await app.api.as(second.key).get(path).expect(401);
    await app.api.as(third.key).get(path).expect(200);
    const rotated = ['security.api_key_created', 'security.api_key_revoked'];
    expect((await app.eventTypes()).slice(before)).toEqual([...rotated, ...rotated]);
    const [event] = await app.database.query<{ payload: string }>('SELECT payload FROM events ORDER BY seq DESC LIMIT 1');
    expect(JSON.parse(event!.payload).data).toMatchObject({ id: second.id, reason: 'rotated' });
    await app.api.platform.post(`${path}/${third.id}/rotate`, { expiresInSeconds: 604_801 }).expect(400);
  });

  it('is rejected after the expiration', async () => {
    const { id, key } = await makeKey(acme, ['api_keys:read'], '2999-01-01T00:00:00.000Z');
    await app.api.as(key).get('/v1/organizations/acme/api-keys').expect(200);
    await app.database.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    // A change in the database takes effect when the cached API key expires.
    const ask = () => app.api.as(key).get('/v1/organizations/acme/api-keys');
    await eventually(async () => (await ask()).status === 401, 20_000, 'the key is refused');

    const rejected = await ask().expect(401);

    expect(rejected.body.detail).toMatch(/expired/);
    expect((await app.api.platform.post(`/v1/organizations/acme/api-keys/${id}/rotate`).expect(409)).body.code).toBe(
      'api_key_expired',
    );
  });

  it('is rejected after the revocation', async () => {
    const { id, key } = await makeKey(acme, ['api_keys:read']);
    const path = `/v1/organizations/acme/api-keys/${id}`;
    await app.api.as(key).get(path).expect(200);
    const before = (await app.eventTypes()).length;

    expect((await app.api.platform.delete(path).expect(204)).body).toBeUndefined();

    expect((await app.api.as(key).get(path).expect(401)).body.detail).toMatch(/revoked/);
    await app.api.platform.get(path).expect(404);
    await app.api.platform.delete(path).expect(404);
    const list = await app.api.platform.get('/v1/organizations/acme/api-keys?limit=100').expect(200);
    expect(list.body.data.map((shown: { id: string }) => shown.id)).not.toContain(id);
    expect((await app.eventTypes()).slice(before)).toEqual(['security.api_key_revoked']);
  });

  it('records the last use at most once a minute', async () => {
    const { id, key } = await makeKey(acme, ['api_keys:read']);
    const path = `/v1/organizations/acme/api-keys/${id}`;
    const lastUse = async () => (await app.api.platform.get(path).expect(200)).body.data.lastUsedAt as string | null;
    await app.api.as(key).get(path).expect(200);
    await eventually(async () => (await lastUse()) !== null, 20_000, 'the last use is recorded');
    const firstUse = await lastUse();
    expect(Math.abs(Date.parse(firstUse!) - Date.now())).toBeLessThan(10_000);
    await app.api.as(key).get(path).expect(200);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await lastUse()).toBe(firstUse);
  });

  it('can read but not write while the organization or an ancestor is suspended', async () => {
    const root = await makeOrganization('Suspended');
    const child = await makeOrganization('Suspended child', root);
    await app.database.query(`UPDATE organizations SET status = 'suspended' WHERE id = $1`, [root]);
    for (const organization of [root, child]) {
      const path = `/v1/organizations/${organization}/api-keys`;
      expect((await app.api.platform.post(path, { name: 'x', scopes: ['*'] }).expect(409)).body.code).toBe(
        'organization_suspended',
      );
      await app.api.platform.get(path).expect(200);
    }
    await app.database.query(`UPDATE organizations SET status = 'pending' WHERE id = $1`, [root]);
    const rejected = await app.api.platform.post(`/v1/organizations/${root}/api-keys`, { name: 'x', scopes: ['*'] }).expect(409);
    expect(rejected.body.code).toBe('organization_pending');
  });

  it('is rejected after the deletion of the organization', async () => {
    const organizationId = await makeOrganization('Deleted');
    const { key } = await makeKey(organizationId, ['*']);
    await app.api.platform.delete(`/v1/organizations/${organizationId}`).expect(204);
    await app.api.as(key).get('/v1/organizations').expect(401);
  });
});
