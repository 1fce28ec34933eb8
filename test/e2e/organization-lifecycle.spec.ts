import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';

describe('an organization', () => {
  let app: TestApp;

  const make = async (name: string, rest: object = {}): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, ...rest }).expect(201)).body.data.id;
  const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;
  const read = async (id: string): Promise<TestBody> => (await app.api.platform.get(at(id)).expect(200)).body.data;
  const step = async (run: () => Promise<unknown>): Promise<string[]> => {
    const before = (await app.eventTypes()).length;
    await run();
    return (await app.eventTypes()).slice(before);
  };

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('can be read but not changed while suspended', async () => {
    const ancestor = await make('Above');
    const top = await make('Suspended', { parentId: ancestor });
    const sub = await make('Suspended below', { parentId: top });
    const user = (await app.api.platform.post(at(top, '/users'), { email: 'a@x.example' }).expect(201)).body.data.id;
    const key = app.api.as(
      (await app.api.platform.post(at(ancestor, '/api-keys'), { name: 'k', scopes: ['*'] }).expect(201)).body.data.key,
    );

    const events = await step(async () => {
      const { data } = (await app.api.platform.post(at(top, '/suspend'), { reason: 'Unpaid' }).expect(200)).body;
      expect(data).toMatchObject({ id: top, status: 'suspended' });
    });
    expect(events).toEqual(['organization.updated']);
    expect(await read(top)).toMatchObject({ status: 'suspended', suspendedReason: 'Unpaid', suspendedAt: expect.any(String) });

    const writes = [
      () => key.post(at(top, '/users'), { email: 'b@x.example' }),
      () => key.post(at(sub, '/users'), { email: 'c@x.example' }),
      () => key.patch(at(top, `/users/${user}`), { firstName: 'A' }),
      () => key.delete(at(top, `/users/${user}`)),
      () => key.post(at(top, `/users/${user}/roles`), { roleId: 'role_admin' }),
      () => key.post(at(sub, '/members'), { userId: user }),
      () => key.patch(at(top), { name: 'N' }),
      () => key.post('/v1/organizations', { name: 'N', parentId: top }),
      () => key.post(at(top, '/webhooks'), { url: 'https://example.com', events: ['*'] }),
      () => key.post(at(top, '/roles'), { name: 'auditor', permissions: [] }),
    ];
    for (const write of writes) expect((await write().expect(409)).body.code).toBe('organization_suspended');
    for (const path of ['', '/users', `/users/${user}`, '/members', '/hierarchy', '/webhooks', '/roles']) {
      await key.get(at(top, path)).expect(200);
    }
    expect((await read(top)).memberCount).toBe(1);

    expect(await step(() => app.api.platform.post(at(top, '/activate')).expect(200))).toEqual(['organization.updated']);
    expect((await read(top)).status).toBe('active');
    await key.patch(at(top, `/users/${user}`), { firstName: 'A' }).expect(200);
  });

  it("can't be deleted with child organizations unless cascade is set", async () => {
    const top = await make('Cascade');
    const middle = await make('Cascade middle', { parentId: top });
    await make('Cascade bottom', { parentId: middle });
    const user = (await app.api.platform.post(at(middle, '/users'), { email: 'm@x.example' }).expect(201)).body.data.id;

    const rejected = await app.api.platform.delete(at(top)).expect(409);
    expect(rejected.body.code).toBe('organization_has_children');
    expect(await step(() => app.api.platform.delete(at(top, '?cascade=true')).expect(204))).toEqual(
      Array.from({ length: 3 }, () => 'organization.deleted'),
    );
    for (const path of [at(top), at(middle), at(middle, '/users'), at(middle, `/users/${user}`)]) {
      await app.api.platform.get(path).expect(404);
    }
    await app.api.platform.delete(at(top)).expect(404);
  });

  it('can be restored completely', async () => {
    const top = await make('Restored', { slug: 'restored' });
    const sub = await make('Restored below', { parentId: top });
    const user = (await app.api.platform.post(at(sub, '/users'), { email: 'r@x.example' }).expect(201)).body.data.id;
    const { key } = (await app.api.platform.post(at(top, '/api-keys'), { name: 'k', scopes: ['*'] }).expect(201)).body.data;
    await app.api.platform.delete(at(top, '?cascade=true')).expect(204);
    await app.api.as(key).get(at(top)).expect(401);

    await app.api.platform.post('/v1/organizations/restored/restore').expect(200);

    expect(await read('restored')).toMatchObject({ id: top, status: 'active' });
    expect((await app.api.platform.get(at(sub, `/users/${user}`)).expect(200)).body.data.email).toBe('r@x.example');
    expect((await read(sub)).memberCount).toBe(1);
    await app.api.as(key).get(at(top)).expect(200);
  });

  it("can't be restored by a caller of another tenant", async () => {
    const id = await make('Active');
    const otherTenant = await make('Other tenant');
    const { key } = (await app.api.platform.post(at(otherTenant, '/api-keys'), { name: 'k', scopes: ['*'] }).expect(201)).body
      .data;
    expect(await step(() => app.api.platform.post(at(id, '/restore')).expect(200))).toEqual([]);
    await app.api.platform.delete(at(id)).expect(204);
    await app.api.as(key).post(at(id, '/restore')).expect(404);
    await app.api.anonymous.post(at(id, '/restore')).expect(401);
  });

  it('is removed from the tree of the parent after the deletion', async () => {
    const top = await make('Parent of one');
    const sub = await make('The one', { parentId: top });
    await app.api.platform.delete(at(sub)).expect(204);
    expect((await read(top)).children).toEqual([]);
    expect((await app.api.platform.get(at(top, '/hierarchy')).expect(200)).body.data.children).toEqual([]);
    expect((await app.api.platform.get(`/v1/organizations?parentId=${top}`).expect(200)).body.pagination.total).toBe(0);
    await app.api.platform.delete(at(top)).expect(204);
  });

  it('hides the users from all organizations while deleted', async () => {
    const top = await make('Elsewhere');
    const sub = await make('Elsewhere below', { parentId: top });
    const user = (await app.api.platform.post(at(sub, '/users'), { email: 'else@x.example' }).expect(201)).body.data.id;
    await app.api.platform.post(at(top, '/members'), { userId: user, role: 'admin' }).expect(201);
    const counts = async () => [
      (await read(top)).memberCount,
      (await app.api.platform.get(at(top, '/members')).expect(200)).body.pagination.total,
      (await app.api.platform.get(at(top, '/users')).expect(200)).body.pagination.total,
      (await app.api.platform.get(at(top, '/users?role=admin')).expect(200)).body.data.length,
      (await app.api.platform.get(at(top, '/users?search=else@x')).expect(200)).body.data.length,
    ];
    expect(await counts()).toEqual([1, 1, 1, 1, 1]);

    await app.api.platform.delete(at(sub)).expect(204);
    expect(await counts()).toEqual([0, 0, 0, 0, 0]);
    expect((await app.api.platform.get(at(top, '/users?status=deleted')).expect(200)).body).toMatchObject({
      data: [],
      pagination: { total: 0 },
    });
    for (const rejected of [
      app.api.platform.post(at(top, '/members'), { userId: user, role: 'viewer' }),
      app.api.platform.post(at(top, `/users/${user}/roles`), { roleId: 'viewer' }),
      app.api.platform.delete(at(top, `/users/${user}/roles/admin`)),
      app.api.platform.delete(at(top, `/members/${user}`)),
      app.api.platform.patch(at(top, `/users/${user}`), { firstName: 'A' }),
    ]) {
      expect((await rejected).status).toBeGreaterThanOrEqual(400);
      expect((await rejected).status).toBeLessThan(500);
    }

    await app.api.platform.post(at(sub, '/restore')).expect(200);
    expect(await counts()).toEqual([1, 1, 1, 1, 1]);
  });
});
