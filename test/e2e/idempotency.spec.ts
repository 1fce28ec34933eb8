import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import { eventually } from '../support/delivery-app.js';
import { openPool } from '../support/pool.js';
import { testApp } from '../support/test-app.js';

describe('the idempotency interceptor', () => {
  const app = testApp();
  const path = '/v1/organizations/acme/api-keys';
  const newKey = { name: 'Once', scopes: ['users:read', 'api_keys:write'] };
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
  const countNamed = async (name: string) =>
    (await app.database.query<{ n: number }>('SELECT count(*)::int AS n FROM api_keys WHERE name = $1', [name]))[0]!.n;

  beforeAll(async () => {
    await app.api.platform.post('/v1/organizations', { name: 'Acme' }).expect(201);
  });

  it('returns the stored response for a repeated request', async () => {
    const key = randomUUID();
    const before = (await app.eventTypes()).length;

    const first = await app.api.platform.post(path, { ...newKey, name: 'Replayed' }, withKey(key)).expect(201);
    const second = await app.api.platform.post(path, { ...newKey, name: 'Replayed' }, withKey(key)).expect(201);

    expect(second.body).toEqual(first.body);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await countNamed('Replayed')).toBe(1);
    expect((await app.eventTypes()).slice(before)).toEqual(['security.api_key_created']);
    await app.api
      .as(first.body.data.key)
      .post(path, { name: 'By it', scopes: ['users:read'] })
      .expect(201);
  });

  it('stores the response encrypted', async () => {
    const { body } = await app.api.platform.post(path, { ...newKey, name: 'Sealed' }, withKey('sealed-1')).expect(201);
    const [record] = await app.database.query<{ record: string }>(
      `SELECT r::text AS record FROM idempotency_records r WHERE key = 'sealed-1'`,
    );
    expect(record!.record).not.toContain(body.data.key);
    expect(record!.record).not.toContain('Sealed');
  });

  it('executes only one of several concurrent requests', async () => {
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => app.api.platform.post(path, { ...newKey, name: 'Parallel' }, withKey(key))),
    );

    const inUse = responses.filter(({ status }) => status === 409);
    const done = responses.filter(({ status }) => status === 201);
    expect(inUse.length + done.length).toBe(8);
    expect(new Set(done.map(({ body }) => body.data.id)).size).toBe(1);
    expect(done.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    for (const { body, headers } of inUse) {
      expect(body.code).toBe('idempotency_key_in_use');
      expect(headers.get('retry-after')).toBe('1');
    }
    expect(await countNamed('Parallel')).toBe(1);
  });

  it('returns 409 while the first request is running', async () => {
    const [caller] = await app.database.query<{ id: string }>(`SELECT id FROM api_keys WHERE tenant_id = 'platform'`);
    const lockName = JSON.stringify(['idempotency', caller!.id, `POST ${path}`, 'running']);
    const pool = openPool(app.config.databaseUrl, 1);
    // Locks the idempotency record like a running request.
    const connection = await pool.connect();
    await connection.query('BEGIN');
    await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lockName]);
    try {
      const rejected = await app.api.platform.post(path, newKey, withKey('running')).expect(409);
      expect(rejected.body.code).toBe('idempotency_key_in_use');
    } finally {
      await connection.query('COMMIT');
      connection.release();
      await pool.end();
    }
    await app.api.platform.post(path, newKey, withKey('running')).expect(201);
  });

  it('rejects the key if the body or the query differs', async () => {
    await app.api.platform.post(path, newKey, withKey('other-body')).expect(201);
    const rejected = await app.api.platform.post(path, { ...newKey, name: 'Other' }, withKey('other-body')).expect(422);
    expect(rejected.body.code).toBe('idempotency_key_reused');
    await app.api.platform.post(`${path}?x=1`, newKey, withKey('other-body')).expect(422);
  });

  it('accepts another text of the same JSON and the same query', async () => {
    const body = { name: 'Rewritten', scopes: newKey.scopes };
    const first = await app.api.platform.post(path, body, withKey('rewritten')).expect(201);
    const scopes = String.raw`["users\u003aread", "api_keys:write"]`;
    const rewritten = `{ "scopes": ${scopes},\n"name": "Rewritten" }`;
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'rewritten' };
    const second = await app.api.platform.raw('POST', path, rewritten, headers).expect(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    await app.api.platform.post(`${path}?b=%61&a=1`, body, withKey('query')).expect(201);
    const sorted = await app.api.platform.post(`${path}?a=1&b=a`, body, withKey('query')).expect(201);
    expect(sorted.headers.get('idempotent-replayed')).toBe('true');
    // The order of a list is a part of its value.
    const reordered = { ...body, scopes: body.scopes.toReversed() };
    await app.api.platform.post(path, reordered, withKey('rewritten')).expect(422);
  });

  it('separates keys by caller, path and method', async () => {
    const { data } = (await app.api.platform.post(path, { ...newKey, name: 'Scoped' }, withKey('scoped')).expect(201)).body;
    const another = await app.api
      .as(data.key)
      .post(path, { name: 'Scoped', scopes: ['users:read'] }, withKey('scoped'))
      .expect(201);
    expect(another.headers.get('idempotent-replayed')).toBeNull();
    const elsewhere = await app.api.platform.post('/v1/organizations', { name: 'Elsewhere' }, withKey('scoped')).expect(201);
    expect(elsewhere.headers.get('idempotent-replayed')).toBeNull();
    await app.api.platform.get(path, withKey('scoped')).expect(200);
  });

  it('stores no failed response', async () => {
    await app.api.platform.post(path, { name: 'x' }, withKey('failed')).expect(400);
    await app.api.platform.post(path, newKey, withKey('failed')).expect(201);
    // This request fails inside the handler.
    const rotate = `${path}/key_00000000000000000000000000/rotate`;
    await app.api.platform.post(rotate, undefined, withKey('failed-inside')).expect(404);
    expect(await app.database.query(`SELECT FROM idempotency_records WHERE key = 'failed-inside'`)).toHaveLength(0);
  });

  it('commits the change and the stored response in one transaction', async () => {
    await app.database.query(`ALTER TABLE idempotency_records ADD CONSTRAINT not_this_one CHECK (key <> 'doomed')`);
    const before = (await app.eventTypes()).length;
    await app.api.platform.post(path, { ...newKey, name: 'Doomed' }, withKey('doomed')).expect(500);
    expect(await countNamed('Doomed')).toBe(0);
    expect(await app.eventTypes()).toHaveLength(before);
  });

  it('checks the permission before returning a stored response', async () => {
    const { data } = (await app.api.platform.post(path, { ...newKey, name: 'Revoked' }).expect(201)).body;
    const client = app.api.as(data.key);
    await client.post(path, { name: 'x', scopes: ['users:read'] }, withKey('again')).expect(201);
    await app.api.platform.delete(`${path}/${data.id}`).expect(204);
    await client.post(path, { name: 'x', scopes: ['users:read'] }, withKey('again')).expect(401);
  });

  it('keeps a key for 24 hours', async () => {
    const first = await app.api.platform.post(path, newKey, withKey('old')).expect(201);
    await app.database.query(
      `UPDATE idempotency_records SET created_at = now() - interval '24 hours 1 second' WHERE key = 'old'`,
    );
    const second = await app.api.platform.post(path, { ...newKey, name: 'New' }, withKey('old')).expect(201);
    expect(second.body.data.id).not.toBe(first.body.data.id);
    const third = await app.api.platform.post(path, { ...newKey, name: 'New' }, withKey('old')).expect(201);
    expect(third.body).toEqual(second.body);
  });

  it.each(['', 'with space', 'x'.repeat(256), 'umlaut-\u00e4'])('rejects the invalid key %j', async (key) => {
    const rejected = await app.api.platform.post(path, newKey, withKey(key)).expect(400);
    expect(rejected.body.errors).toEqual([
      expect.objectContaining({ pointer: '/Idempotency-Key', in: 'header', code: 'invalid_format' }),
    ]);
  });

  it('deletes only expired responses at startup', async () => {
    await app.api.platform.post(path, newKey, withKey('kept')).expect(201);
    await app.api.platform.post(path, newKey, withKey('stale')).expect(201);
    await app.database.query(`UPDATE idempotency_records SET created_at = now() - interval '25 hours' WHERE key = 'stale'`);
    const keys = async () =>
      (
        await app.database.query<{ key: string }>(
          `SELECT key FROM idempotency_records WHERE key IN ('kept', 'stale') ORDER BY key`,
        )
      ).map(({ key }) => key);
    expect(await keys()).toEqual(['kept', 'stale']);

    const second = await startApp({ ...app.config });
    await eventually(async () => (await keys()).length === 1, 20_000, 'the old response is removed');
    await second.close();
    expect(await keys()).toEqual(['kept']);
  });
});
