import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestBody } from '../support/http-client.js';
import { testApp } from '../support/test-app.js';

describe('a member', () => {
  const app = testApp();
  let top: string;
  let left: string;
  let right: string;
  let next = 0;

  const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;
  const make = async (name: string, parentId?: string): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id;
  const user = async (organization: string, body: object = {}): Promise<string> =>
    (await app.api.platform.post(at(organization, '/users'), { email: `m${++next}@x.example`, ...body }).expect(201)).body.data
      .id;
  const add = (organization: string, userId: string, rest: object = {}) =>
    app.api.platform.post(at(organization, '/members'), { userId, ...rest });
  const list = async (organization: string, query = ''): Promise<TestBody> =>
    (await app.api.platform.get(at(organization, `/members?limit=100&${query}`)).expect(200)).body;
  const rolesOf = async (organization: string, id: string): Promise<string[]> =>
    (await app.api.platform.get(at(organization, `/users/${id}`)).expect(200)).body.data.roles
      .map((role: { name: string }) => role.name)
      .toSorted();
  const memberCount = async (id: string): Promise<number> =>
    (await app.api.platform.get(at(id)).expect(200)).body.data.memberCount;
  const eventTypesDuring = async (run: () => Promise<unknown>): Promise<string[]> => {
    const before = (await app.eventTypes()).length;
    await run();
    return (await app.eventTypes()).slice(before);
  };

  beforeAll(async () => {
    top = await make('Top');
    left = await make('Left', top);
    right = await make('Right', top);
  });

  it('gets the inherited defaultRole of the organization', async () => {
    const parent = await make('Default role');
    await app.api.platform.patch(at(parent), { settings: { defaultRole: 'role_viewer' } }).expect(200);
    const child = await make('Default role below', parent);
    const id = await user(child);
    expect(await rolesOf(child, id)).toEqual(['viewer']);
    await add(parent, id).expect(201);
    expect(await rolesOf(parent, id)).toEqual(['viewer']);
  });

  it("can't get an unknown role or a role of a sibling organization", async () => {
    const id = await user(top);
    const { data: own } = (
      await app.api.platform.post(at(right, '/roles'), { name: 'righthander', permissions: ['x:y'] }).expect(201)
    ).body;
    for (const role of ['nothing', 'role_nothing', 'righthander', own.id]) {
      expect((await add(left, id, { role }).expect(404)).body.code).toBe('role_not_found');
    }
    expect((await add(right, id, { role: own.id }).expect(201)).body.data.role).toBe('righthander');
  });

  it("can't be an unknown or deleted user", async () => {
    const deleted = await user(top);
    const purged = await user(top);
    await app.api.platform.delete(at(top, `/users/${deleted}`)).expect(204);
    await app.api.platform.delete(at(top, `/users/${purged}?permanent=true`)).expect(204);
    for (const id of [deleted, purged, 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw', 'nobody']) {
      expect((await add(left, id).expect(404)).body.code).toBe('user_not_found');
    }
    expect((await app.api.platform.post(at(left, '/members'), {}).expect(400)).body.errors).toMatchObject([
      { pointer: '/userId' },
    ]);
  });

  it('is listed as a user of the organization', async () => {
    const id = await user(left, { roles: ['admin'] });
    await add(right, id, { role: 'viewer' }).expect(201);
    const users = (await app.api.platform.get(at(right, '/users?limit=100')).expect(200)).body.data;
    expect(users.map((listed: { id: string }) => listed.id)).toContain(id);
    const { organizations } = (await app.api.platform.get(at(right, `/users/${id}`)).expect(200)).body.data;
    expect(organizations.toSorted((a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name))).toEqual([
      { id: left, name: 'Left', role: 'admin' },
      { id: right, name: 'Right', role: 'viewer' },
    ]);
  });

  it('is neither counted nor listed after the removal', async () => {
    const organization = await make('Removal', top);
    const id = await user(organization);
    expect(await eventTypesDuring(() => app.api.platform.delete(at(organization, `/members/${id}`)).expect(204))).toEqual([
      'organization.member_removed',
    ]);
    expect(await memberCount(organization)).toBe(0);
    expect((await list(organization)).pagination.total).toBe(0);
    const { status, organizations, roles } = (await app.api.platform.get(at(organization, `/users/${id}`)).expect(200)).body.data;
    expect({ status, organizations, roles }).toEqual({ status: 'pending', organizations: [], roles: [] });
    const users = (await app.api.platform.get(at(organization, '/users')).expect(200)).body;
    expect(users.pagination.total).toBe(1);
    await app.api.platform.post(at(organization, `/users/${id}/roles`), { roleId: 'role_admin' }).expect(404);
    await app.api.platform.delete(at(organization, `/members/${id}`)).expect(404);
    expect(await eventTypesDuring(() => add(organization, id).expect(201))).toEqual(['organization.member_added']);
  });

  it('is counted exactly after deletion, restoration and concurrent writes', async () => {
    const organization = await make('Counting', top);
    const ids = await Promise.all(Array.from({ length: 24 }, () => user(top)));
    await Promise.all(ids.map((id) => add(organization, id).expect(201)));
    expect(await memberCount(organization)).toBe(24);
    await Promise.all([
      ...ids.slice(0, 8).map((id) => app.api.platform.delete(at(organization, `/members/${id}`)).expect(204)),
      ...ids.slice(8, 12).map((id) => app.api.platform.delete(at(top, `/users/${id}`)).expect(204)),
      ...ids.slice(12, 14).map((id) => app.api.platform.delete(at(top, `/users/${id}?permanent=true`)).expect(204)),
      ...ids.slice(14, 20).map((id) => add(organization, id, { role: 'viewer' }).expect(201)),
      ...Array.from({ length: 8 }, () => add(organization, ids[20]!).expect(201)),
    ]);
    expect(await memberCount(organization)).toBe(10);
    const { data, pagination } = await list(organization);
    expect(data.map(({ userId }: { userId: string }) => userId).toSorted()).toEqual(ids.slice(14).toSorted());
    expect(pagination.total).toBe(10);
    const { children } = (await app.api.platform.get(at(top)).expect(200)).body.data;
    expect(children).toContainEqual({ id: organization, name: 'Counting', memberCount: 10 });
  });

  it('can be found by role, status and search', async () => {
    const organization = await make('Filtered', top);
    const a = await user(organization, { firstName: 'Álvaro', roles: ['admin'] });
    const b = await user(organization, { firstName: 'Bea' });
    const c = await user(organization, { firstName: 'Cem', roles: ['admin', 'viewer'] });
    await app.api.platform.post(at(organization, `/users/${c}/suspend`)).expect(200);
    for (const [query, wanted] of [
      ['role=admin', [c, a]],
      ['role=role_viewer', [c]],
      ['status=suspended', [c]],
      ['status=pending&role=admin', [a]],
      ['search=alvaro', [a]],
      ['search=bea&role=admin', []],
      ['search=be', [b]],
      ['role=nothing', []],
      ['role=user', []],
    ] as const) {
      const body = await list(organization, query);
      expect([query, body.data.map(({ userId }: { userId: string }) => userId)]).toEqual([query, wanted]);
      expect(body.pagination.total).toBe(wanted.length);
    }
    const first = (await app.api.platform.get(at(organization, '/members?limit=2')).expect(200)).body;
    const second = (await app.api.platform.get(at(organization, `/members?limit=2&after=${first.data[1].userId}`)).expect(200))
      .body;
    expect([...first.data, ...second.data].map(({ userId }: { userId: string }) => userId)).toEqual([c, b, a]);
    expect(second.pagination).toEqual({ total: 3, page: 2, limit: 2, hasMore: false });
  });

  it('gets an email only if sendNotification is true', async () => {
    const id = await user(top, { email: 'notified@x.example', firstName: 'Nora' });
    const mails = async () => (await app.api.anonymous.get('/dev/mailbox.json?to=notified@x.example').expect(200)).body.data;
    await add(left, id, { sendNotification: false }).expect(201);
    expect(await mails()).toEqual([]);
    await add(right, id, { role: 'admin', sendNotification: true }).expect(201);
    expect(await mails()).toMatchObject([{ to: 'notified@x.example', text: expect.stringContaining('Right') }]);
  });

  describe('a member of another tenant', () => {
    let otherTenant: string;
    let guest: string;

    beforeAll(async () => {
      otherTenant = await make('Other tenant');
      guest = await user(otherTenant, { email: 'guest@other.example', firstName: 'Gast' });
    });

    it('can be added only by the platform', async () => {
      const { key } = (await app.api.platform.post(at(top, '/api-keys'), { name: 'k', scopes: ['*'] }).expect(201)).body.data;
      const own = app.api.as(key);
      await own.post(at(left, '/members'), { userId: guest }).expect(404);
      await add(left, guest, { role: 'viewer' }).expect(201);
      expect((await list(left, 'search=guest')).data).toMatchObject([{ userId: guest, role: 'viewer' }]);

      const seen = (await own.get(at(left, `/users/${guest}`)).expect(200)).body.data;
      expect(seen.organizations).toEqual([{ id: left, name: 'Left', role: 'viewer' }]);
      expect(JSON.stringify(seen)).not.toContain(otherTenant);
      for (const request of [
        own.patch(at(left, `/users/${guest}`), { firstName: 'Changed' }),
        own.post(at(left, `/users/${guest}/suspend`), { reason: 'r' }),
        own.delete(at(left, `/users/${guest}`)),
        own.delete(at(left, `/users/${guest}?permanent=true`)),
      ]) {
        expect((await request.expect(403)).body.code).toBe('managed_elsewhere');
      }
      await own.post(at(left, `/users/${guest}/roles`), { roleId: 'admin' }).expect(201);
      expect(await rolesOf(left, guest)).toEqual(['admin', 'viewer']);
      expect(await rolesOf(otherTenant, guest)).toEqual(['member']);
      await own.delete(at(left, `/members/${guest}`)).expect(204);
      await own.get(at(left, `/users/${guest}`)).expect(404);
    });
  });

  it('can be changed only in the managing organization and the ancestors', async () => {
    const id = await user(left);
    await add(right, id).expect(201);
    const keyAt = async (organization: string) =>
      app.api.as(
        (await app.api.platform.post(at(organization, '/api-keys'), { name: 'k', scopes: ['*'] }).expect(201)).body.data.key,
      );
    const [fromRight, fromLeft, fromTop] = await Promise.all([keyAt(right), keyAt(left), keyAt(top)]);
    expect((await fromRight.patch(at(right, `/users/${id}`), { firstName: 'R' }).expect(403)).body.code).toBe(
      'managed_elsewhere',
    );
    await fromLeft.patch(at(left, `/users/${id}`), { firstName: 'L' }).expect(200);
    await fromTop.patch(at(right, `/users/${id}`), { firstName: 'T' }).expect(200);
  });
});
