import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { expectEach, expectFields, type Shape } from '../support/fields.js';
import type { TestBody } from '../support/http-client.js';

const ROLE_RECORD: Shape = {
  id: 'string',
  name: 'string',
  description: 'string?',
  permissions: 'strings',
  builtIn: 'boolean',
  organizationId: 'string|null',
  createdAt: 'timestamp?',
  updatedAt: 'timestamp?',
};

describe('the roles API', () => {
  let app: TestApp;
  let top: string;
  let sub: string;
  let sibling: string;
  let next = 0;

  const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;
  const make = async (name: string, parentId?: string): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id;
  const role = async (organization: string, name: string, permissions: string[] = ['invoices:read']): Promise<TestBody> =>
    (await app.api.platform.post(at(organization, '/roles'), { name, permissions }).expect(201)).body.data;
  const user = async (organization: string, roles?: string[]): Promise<string> =>
    (await app.api.platform.post(at(organization, '/users'), { email: `r${++next}@x.example`, roles }).expect(201)).body.data.id;
  const rolesOf = async (organization: string, id: string): Promise<string[]> =>
    (await app.api.platform.get(at(organization, `/users/${id}`)).expect(200)).body.data.roles
      .map(({ name }: { name: string }) => name)
      .toSorted();
  const membershipRole = async (organization: string, id: string): Promise<string> =>
    (await app.api.platform.get(at(organization, '/members?limit=100')).expect(200)).body.data.find(
      ({ userId }: { userId: string }) => userId === id,
    ).role;
  const assign = (organization: string, id: string, roleId: string) =>
    app.api.platform.post(at(organization, `/users/${id}/roles`), { roleId });
  const revoke = (organization: string, id: string, roleId: string) =>
    app.api.platform.delete(at(organization, `/users/${id}/roles/${roleId}`));
  const keyWith = async (organization: string, scopes: string[]) =>
    app.api.as((await app.api.platform.post(at(organization, '/api-keys'), { name: 'k', scopes }).expect(201)).body.data.key);
  const step = async (run: () => Promise<unknown>): Promise<string[]> => {
    const before = (await app.eventTypes()).length;
    await run();
    return (await app.eventTypes()).slice(before);
  };

  beforeAll(async () => {
    app = await startApp();
    top = await make('Top');
    sub = await make('Sub', top);
    sibling = await make('Sibling', top);
  });
  afterAll(() => app.close());

  describe('a role', () => {
    it('can’t be changed or deleted if the role is built in', async () => {
      const { data, pagination } = (await app.api.platform.get(at(await make('Fresh'), '/roles')).expect(200)).body;
      expectEach(data, ROLE_RECORD);
      expect(data.map(({ id, name }: { id: string; name: string }) => [id, name]).toSorted()).toEqual([
        ['role_admin', 'admin'],
        ['role_member', 'member'],
        ['role_owner', 'owner'],
        ['role_viewer', 'viewer'],
      ]);
      expect(pagination.total).toBe(4);
      for (const reference of ['role_admin', 'admin']) {
        await app.api.platform.patch(at(top, `/roles/${reference}`), { description: 'x' }).expect(403);
        await app.api.platform.delete(at(top, `/roles/${reference}`)).expect(403);
      }
    });

    it('can be created, read, changed and deleted', async () => {
      let id = '';
      const created = await step(async () => {
        const body = { name: 'billing', description: 'Pays', permissions: ['invoices:read', 'users:read', 'reports:*'] };
        const { data } = (await app.api.platform.post(at(top, '/roles'), body).expect(201)).body;
        expectFields(data, ROLE_RECORD);
        expect(data).toMatchObject({ ...body, builtIn: false, organizationId: top });
        id = data.id;
        expect(id).toMatch(/^role_/);
        expect((await app.api.platform.get(at(top, `/roles/${id}`)).expect(200)).body.data).toEqual(data);
        expect((await app.api.platform.get(at(top, '/roles/billing')).expect(200)).body.data).toEqual(data);
      });
      expect(created).toEqual(['role.created']);

      const changed = await step(async () => {
        const body = { name: 'finance', permissions: ['invoices:read'] };
        const { data } = (await app.api.platform.patch(at(top, `/roles/${id}`), body).expect(200)).body;
        expect(data).toMatchObject({ id, ...body, description: 'Pays' });
      });
      expect(changed).toEqual(['role.updated']);
      expect(await step(() => app.api.platform.patch(at(top, `/roles/${id}`), { name: 'finance' }).expect(200))).toEqual([]);

      expect(await step(() => app.api.platform.delete(at(top, `/roles/${id}`)).expect(204))).toEqual(['role.deleted']);
      expect((await app.api.platform.get(at(top, `/roles/${id}`)).expect(404)).body.code).toBe('role_not_found');
      await app.api.platform.delete(at(top, `/roles/${id}`)).expect(404);
    });

    it('has a unique name in the organization', async () => {
      await role(top, 'taken');
      for (const [organization, name] of [
        [top, 'taken'],
        [top, 'TAKEN'],
        [top, 'admin'],
        [top, 'Owner'],
      ]) {
        expect((await app.api.platform.post(at(organization!, '/roles'), { name, permissions: [] }).expect(409)).body.code).toBe(
          'role_name_taken',
        );
      }
      await role(sibling, 'own name');
      await role(sub, 'own name');
    });

    it.each([
      [{}, '/name'],
      [{ name: '', permissions: [] }, '/name'],
      [{ name: 'role_x', permissions: [] }, '/name'],
      [{ name: 'x', permissions: ['fly'] }, '/permissions/0'],
      [{ name: 'x', permissions: 'users:read' }, '/permissions'],
      [{ name: 'x', permissions: [], builtIn: true }, '/builtIn'],
    ])('can’t be created from %j', async (body, pointer) => {
      const rejected = await app.api.platform.post(at(top, '/roles'), body).expect(400);
      expect(rejected.body.errors).toMatchObject([{ pointer }]);
    });

    it('is visible in descendants but not in ancestors or siblings', async () => {
      const { id } = await role(sub, 'from sub');
      const { id: fromTop } = await role(top, 'from top');
      const userId = await user(sub);
      await assign(sub, userId, fromTop).expect(201);
      await assign(sub, userId, 'from sub').expect(201);
      expect(await rolesOf(sub, userId)).toEqual(['from sub', 'from top', 'member']);
      for (const organizationId of [top, sibling]) {
        await app.api.platform.get(at(organizationId, `/roles/${id}`)).expect(404);
        await assign(organizationId, await user(organizationId), id).expect(404);
        await assign(organizationId, await user(organizationId), 'from sub').expect(404);
      }
      await app.api.platform.patch(at(sub, `/roles/${fromTop}`), { description: 'x' }).expect(403);
      await app.api.platform.delete(at(sub, `/roles/${fromTop}`)).expect(403);
    });

    it('can be deleted while in use only with reassignTo', async () => {
      const { id } = await role(top, 'leaving');
      const byMembership = await user(top, [id]);
      const beside = await user(sub, ['viewer']);
      await assign(sub, beside, id).expect(201);
      expect((await app.api.platform.delete(at(top, `/roles/${id}`)).expect(409)).body.code).toBe('role_in_use');
      const unknown = await app.api.platform.delete(at(top, `/roles/${id}?reassignTo=nothing`)).expect(400);
      expect(unknown.body.errors).toMatchObject([{ pointer: '/reassignTo', code: 'role_not_found' }]);
      await app.api.platform.delete(at(top, `/roles/${id}?reassignTo=admin`)).expect(204);
      expect(await rolesOf(top, byMembership)).toEqual(['admin']);
      expect(await membershipRole(top, byMembership)).toBe('admin');
      expect(await rolesOf(sub, beside)).toEqual(['admin', 'viewer']);
      const holders = (await app.api.platform.get(at(sub, '/users?role=admin')).expect(200)).body;
      expect(holders.pagination.total).toBe(holders.data.length);
      expect(holders.data.map((one: { id: string }) => one.id)).toContain(beside);
    });

    it('can’t have permissions that the caller lacks', async () => {
      const key = await keyWith(top, ['roles:*', 'users:read', 'permissions:grant']);
      await key.post(at(top, '/roles'), { name: 'fits', permissions: ['users:read', 'own:thing'] }).expect(201);
      for (const permissions of [['users:delete'], ['users:*'], ['*']]) {
        expect((await key.post(at(top, '/roles'), { name: 'exceeds', permissions }).expect(403)).body.code).toBe('forbidden');
        expect((await key.patch(at(top, '/roles/fits'), { permissions }).expect(403)).body.code).toBe('forbidden');
      }
    });
  });

  describe('a role assignment', () => {
    it.each(['viewer', 'role_viewer'])('accepts the role reference %s', async (reference) => {
      const id = await user(top);
      const given = await step(() => assign(top, id, reference).expect(201));
      const again = await step(() => assign(top, id, reference).expect(200));
      expect([given, again]).toEqual([['role.assigned'], []]);
      expect(await rolesOf(top, id)).toEqual(['member', 'viewer']);
      expect(await step(() => revoke(top, id, reference).expect(204))).toEqual(['role.revoked']);
      expect(await step(() => revoke(top, id, reference).expect(404))).toEqual([]);
      expect(await rolesOf(top, id)).toEqual(['member']);
    });

    it('is returned unchanged if the role is already assigned', async () => {
      const id = await user(top);
      const first = (await assign(top, id, 'admin').expect(201)).body.data;
      const again = (await assign(top, id, 'role_admin').expect(200)).body.data;
      expect(again).toEqual(first);
      expect(first).toMatchObject({ userId: id, roleId: 'role_admin', roleName: 'admin', organizationId: top });
    });

    it('returns 404 for an unknown role', async () => {
      const id = await user(top);
      expect((await assign(top, id, 'nothing').expect(404)).body.code).toBe('role_not_found');
      await assign(sub, id, 'admin').expect(404);
      await revoke(top, id, 'nothing').expect(404);
      const rejected = await app.api.platform.post(at(top, `/users/${id}/roles`), {}).expect(400);
      expect(rejected.body.errors).toMatchObject([{ pointer: '/roleId' }]);
    });

    it('remains when POST members changes the role of the membership', async () => {
      const id = await user(top, ['viewer']);
      await assign(top, id, 'admin').expect(201);
      await app.api.platform.post(at(top, '/members'), { userId: id, role: 'member' }).expect(201);
      expect(await rolesOf(top, id)).toEqual(['admin', 'member']);
      expect(await membershipRole(top, id)).toBe('member');
    });

    it('resets the membership to the defaultRole when deleted', async () => {
      const id = await user(top);
      await app.api.platform.post(at(top, '/members'), { userId: id, role: 'admin' }).expect(201);
      await revoke(top, id, 'admin').expect(204);
      expect(await membershipRole(top, id)).toBe('member');
      expect(await rolesOf(top, id)).toEqual(['member']);
    });

    it('is separate in each organization', async () => {
      const id = await user(top, ['admin']);
      await app.api.platform.post(at(sub, '/members'), { userId: id, role: 'viewer' }).expect(201);
      await assign(sub, id, 'member').expect(201);
      expect(await rolesOf(top, id)).toEqual(['admin']);
      expect(await rolesOf(sub, id)).toEqual(['member', 'viewer']);
    });

    it('can’t grant permissions that the caller lacks', async () => {
      const key = await keyWith(top, ['members:*', 'users:*']);
      const id = await user(top);
      for (const roleId of ['owner', 'admin']) {
        const rejected = await key.post(at(top, `/users/${id}/roles`), { roleId }).expect(403);
        expect(rejected.body.code).toBe('forbidden');
        await key.post(at(top, '/members'), { userId: id, role: roleId }).expect(403);
      }
    });

    it('is created only once by concurrent requests', async () => {
      const id = await user(top);
      const events = await step(async () => {
        const responses = await Promise.all(Array.from({ length: 12 }, () => assign(top, id, 'viewer')));
        expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 11 }, () => 200), 201]);
      });
      expect(events).toEqual(['role.assigned']);
      const { data, pagination } = (await app.api.platform.get(at(top, '/users?role=viewer&limit=100')).expect(200)).body;
      expect(pagination.total).toBe(data.length);
    });
  });

  it('lets only a platform key remove the last owner', async () => {
    const organizationId = await make('Owned');
    const owner = await user(organizationId, ['owner']);
    const second = await user(organizationId, ['owner']);
    const key = await keyWith(organizationId, ['*']);
    await key.delete(at(organizationId, `/users/${second}`)).expect(204);
    for (const rejected of [
      key.delete(at(organizationId, `/users/${owner}`)),
      key.delete(at(organizationId, `/users/${owner}?permanent=true`)),
      key.post(at(organizationId, `/users/${owner}/suspend`), { reason: 'r' }),
      key.delete(at(organizationId, `/members/${owner}`)),
      key.delete(at(organizationId, `/users/${owner}/roles/owner`)),
      key.post(at(organizationId, '/members'), { userId: owner, role: 'admin' }),
    ]) {
      expect((await rejected.expect(409)).body.code).toBe('last_owner');
    }
    expect(await rolesOf(organizationId, owner)).toEqual(['owner']);
    await app.api.platform.post(at(organizationId, `/users/${owner}/suspend`)).expect(200);
    await app.api.platform.delete(at(organizationId, `/users/${owner}`)).expect(204);
  });

  it('keeps one owner when concurrent requests remove both owners', async () => {
    const organizationId = await make('Two owners');
    const owners = [await user(organizationId, ['owner']), await user(organizationId, ['owner'])];
    const key = await keyWith(organizationId, ['*']);
    const responses = await Promise.all(owners.map((id) => key.delete(at(organizationId, `/members/${id}`))));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  });

  describe('a permission check', () => {
    it('returns the roles that grant the permission', async () => {
      const id = await user(top, ['viewer']);
      await app.api.platform.post(at(sub, '/members'), { userId: id, role: 'admin' }).expect(201);
      const check = async (organization: string, permission: string) =>
        (await app.api.platform.post(at(organization, '/permissions/check'), { userId: id, permission }).expect(200)).body.data;
      const given = (roleName: string, organizationId: string, permission: string) => ({
        roleId: `role_${roleName}`,
        roleName,
        organizationId,
        source: 'assignment',
        permission,
      });
      const viewer = given('viewer', top, 'users:read');
      expect(await check(top, 'users:read')).toEqual({
        allowed: true,
        because: [viewer],
      });
      expect(await check(top, 'users:write')).toEqual({ allowed: false, because: [], refusal: 'not_granted' });
      const { allowed, because } = await check(sub, 'users:read');
      expect(allowed).toBe(true);
      expect(because).toHaveLength(2);
      expect(because).toContainEqual(viewer);
      expect(because).toContainEqual(given('admin', sub, 'users:*'));
    });
  });
});
