import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/delivery-app.js';
import { testApp } from '../support/test-app.js';

const KEY_FORMAT = /^service_sk_[0-9A-Za-z]{49}$/;

describe('an API key', () => {
  const app = testApp();
  let acme: string;

  const makeOrganization = async (name: string, parentId?: string): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id as string;

  const makeKey = async (organization: string, scopes: string[], expiresAt?: string) =>
    (await app.api.platform.post(`/v1/organizations/${organization}/api-keys`, { name: 'Test', scopes, expiresAt }).expect(201))
      .body.data;

  beforeAll(async () => {
    acme = await makeOrganization('Acme');
  });

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

  it('records the last use at most once a minute', async () => {
    const { id, key } = await makeKey(acme, ['api_keys:read']);
    const path = `/v1/organizations/acme/api-keys/${id}`;
    const lastUse = async () => (await app.api.platform.get(path).expect(200)).body.data.lastUsedAt as string | null;
    await app.api.as(key).get(path).expect(200);
    await eventually(async () => (await lastUse()) !== null, 20_000, 'the last use is recorded');
    const firstUse = await lastUse();
    expect(Math.abs(Date.parse(firstUse!) - Date.now())).toBeLessThan(10_000);
    expect((await app.api.platform.get(path).expect(200)).body.data.lastUsedIp).toBe('127.0.0.1');
    await app.api.as(key).get(path).expect(200);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await lastUse()).toBe(firstUse);
  });
});
