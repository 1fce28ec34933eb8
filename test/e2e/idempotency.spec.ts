import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import { eventually } from '../support/delivery-app.js';
import { eventsDuring } from '../support/events-during.js';
import type { TestClient, TestResponse } from '../support/http-client.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { openPool } from '../support/pool.js';
import { becomeStale } from '../support/sign-in.js';
import { openSession, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

describe('the idempotency interceptor', () => {
  const app = testApp();
  const path = '/v1/organizations/acme/api-keys';
  const newKey = { name: 'Once', scopes: ['users:read', 'api_keys:write'] };
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
  const create = (key: string, fields: object = {}) => app.api.platform.post(path, { ...newKey, ...fields }, withKey(key));
  const isReplayed = ({ headers }: TestResponse): boolean => headers.get('idempotent-replayed') === 'true';
  const countNamed = async (name: string) =>
    (await app.database.query<{ n: number }>('SELECT count(*)::int AS n FROM api_keys WHERE name = $1', [name]))[0]!.n;

  beforeAll(() => newOrganization(app, { name: 'Acme' }));

  it('returns the stored response for a repeated request', async () => {
    const key = randomUUID();
    const events = await eventsDuring(app, async () => {
      const first = await create(key, { name: 'Replayed' }).expect(201);
      const second = await create(key, { name: 'Replayed' }).expect(201);
      expect(second.body).toEqual(first.body);
      expect([isReplayed(first), isReplayed(second)]).toEqual([false, true]);
      const [row] = await app.database.query<{ text: string }>(
        'SELECT r::text AS text FROM idempotency_records r WHERE key = $1',
        [key],
      );
      expect(row!.text).not.toMatch(new RegExp(`Replayed|${first.body.data.key}`));
    });
    expect(events.map(({ type }) => type)).toEqual(['security.api_key_created']);
  });

  it('executes only one of several concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => create('parallel', { name: 'Parallel' })));
    expect(responses.filter(({ status }) => status !== 409 && status !== 201)).toEqual([]);
    const done = responses.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ body }) => body.data.id)).size).toBe(1);
    expect(done.filter((response) => !isReplayed(response))).toHaveLength(1);
    expect(await countNamed('Parallel')).toBe(1);
  });

  it('returns 409 while the first request is running', async () => {
    const [caller] = await app.database.query<{ id: string }>(`SELECT id FROM api_keys WHERE tenant_id = 'platform'`);
    const lockName = JSON.stringify(['idempotency', caller!.id, `POST ${path}`, 'running']);
    const pool = openPool(app.config.databaseUrl, 1);
    // Locks the idempotency record like a running request.
    await pool.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [lockName]);
    const rejected = await create('running').expect(409);
    expect([rejected.body.code, rejected.headers.get('retry-after')]).toEqual(['idempotency_key_in_use', '1']);
    await pool.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [lockName]);
    await pool.end();
    await create('running').expect(201);
  });

  it('rejects the key if the body or the query differs, not if only the text differs', async () => {
    await create('other-body').expect(201);
    await create('other-body', { name: 'Other' }).expect(422, 'idempotency_key_reused');
    await app.api.platform.post(`${path}?x=1`, newKey, withKey('other-body')).expect(422);
    const body = { name: 'Rewritten', scopes: newKey.scopes };
    await app.api.platform.post(path, body, withKey('rewritten')).expect(201);
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'rewritten' };
    const rewritten = `{ "scopes": ["users\\u003aread", "api_keys:write"],\n"name": "Rewritten" }`;
    expect(isReplayed(await app.api.platform.raw('POST', path, rewritten, headers).expect(201))).toBe(true);
    await app.api.platform.post(`${path}?b=%61&a=1`, body, withKey('query')).expect(201);
    expect(isReplayed(await app.api.platform.post(`${path}?a=1&b=a`, body, withKey('query')).expect(201))).toBe(true);
    // The order of a list is a part of its value.
    const reordered = { ...body, scopes: body.scopes.toReversed() };
    await app.api.platform.post(path, reordered, withKey('rewritten')).expect(422);
  });

  it('separates keys by caller, path and method', async () => {
    const body = { name: 'Scoped', scopes: ['users:read', 'api_keys:write'] };
    const { key } = (await app.api.platform.post(path, body, withKey('scoped')).expect(201)).body.data;
    const others = [
      await app.api.as(key).post(path, body, withKey('scoped')).expect(201),
      await app.api.platform.post('/v1/organizations', { name: 'Elsewhere' }, withKey('scoped')).expect(201),
    ];
    expect(others.map(isReplayed)).toEqual([false, false]);
    await app.api.platform.get(path, withKey('scoped')).expect(200);
  });

  it('stores no failed response, and commits the change and the stored response in one transaction', async () => {
    await app.api.platform.post(path, { name: 'x' }, withKey('failed')).expect(400);
    await create('failed').expect(201);
    const rotate = `${path}/key_00000000000000000000000000/rotate`;
    await app.api.platform.post(rotate, undefined, withKey('failed-inside')).expect(404);
    expect(await app.database.query(`SELECT FROM idempotency_records WHERE key = 'failed-inside'`)).toHaveLength(0);
    await app.database.query(`ALTER TABLE idempotency_records ADD CONSTRAINT not_this_one CHECK (key <> 'doomed')`);
    expect(await eventsDuring(app, () => create('doomed', { name: 'Doomed' }).expect(500))).toEqual([]);
    expect(await countNamed('Doomed')).toBe(0);
  });

  it('checks the permission before returning a stored response', async () => {
    const { id, key } = await made(app, path, { ...newKey, name: 'Revoked' });
    const request = () => app.api.as(key).post(path, { name: 'x', scopes: ['users:read'] }, withKey('again'));
    await request().expect(201);
    await app.api.platform.delete(`${path}/${id}`).expect(204);
    await request().expect(401);
  });

  it('requires of a repeated request what the first request required', async () => {
    const org = (await newOrganization(app)).id;
    const at = `/v1/organizations/${org}`;
    const admin = await signedIn(app, org, { roles: ['admin'] });
    const other = await openSession(app, admin, { at: org });
    const requests = {
      sensitive: [`${at}/api-keys`, { name: 'k', scopes: ['users:read'] }],
      harmless: [`${at}/groups`, { name: 'g' }],
      person: [`${at}/users`, { email: newAddress() }],
    } as const;
    const send = (client: TestClient, name: keyof typeof requests) => {
      const [path, body] = requests[name];
      return client.post(path, body, withKey(name));
    };
    for (const name of ['sensitive', 'harmless', 'person'] as const) await send(admin.client, name).expect(201);
    expect(isReplayed(await send(other.client, 'sensitive').expect(201))).toBe(true);

    await becomeStale(app);
    for (const { client } of [admin, other]) {
      await send(client, 'sensitive').expect(401, 'reauthentication_required');
      expect(isReplayed(await send(client, 'harmless').expect(201))).toBe(true);
    }
    const { id } = (await send(admin.client, 'person').expect(201)).body.data;
    await app.api.platform.delete(`${at}/users/${id}?permanent=true`).expect(204);
    await send(admin.client, 'person').expect(404, 'user_not_found');

    await made(app, `${at}/roles`, { name: 'less', permissions: ['groups:write', 'api_keys:write'] });
    await app.api.platform.post(`${at}/members`, { userId: admin.id, role: 'less' });
    await app.api.platform.delete(`${at}/users/${admin.id}/roles/admin`);
    const fresh = await openSession(app, admin, { at: org });
    for (const name of ['sensitive', 'harmless'] as const)
      expect((await send(fresh.client, name).expect(403)).body.detail).toMatch(/first request with this Idempotency-Key/);
  });

  it('keeps a key for 24 hours, and deletes only expired responses at startup', async () => {
    const first = await create('old').expect(201);
    await app.database.query(
      `UPDATE idempotency_records SET created_at = now() - interval '24 hours 1 second' WHERE key = 'old'`,
    );
    const second = await create('old', { name: 'New' }).expect(201);
    expect(second.body.data.id).not.toBe(first.body.data.id);
    expect((await create('old', { name: 'New' }).expect(201)).body).toEqual(second.body);
    await create('kept').expect(201);
    await create('stale').expect(201);
    await app.database.query(`UPDATE idempotency_records SET created_at = now() - interval '25 hours' WHERE key = 'stale'`);
    const keys = () => app.database.query(`SELECT key FROM idempotency_records WHERE key IN ('kept', 'stale') ORDER BY key`);
    expect(await keys()).toEqual([{ key: 'kept' }, { key: 'stale' }]);
    await using _restarted = await startApp({ ...app.config });
    await eventually(async () => (await keys()).length === 1, 20_000, 'the old response is removed');
    expect(await keys()).toEqual([{ key: 'kept' }]);
  });

  it.each(['', 'with space', 'x'.repeat(256), 'umlaut-\u00e4'])('rejects the invalid key %j', async (key) => {
    const rejected = await create(key).expect(400);
    expect(rejected.body.errors).toMatchObject([{ pointer: '/Idempotency-Key', in: 'header', code: 'invalid_format' }]);
  });
});
