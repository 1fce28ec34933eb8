import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectEach, type Shape } from '../support/fields.js';
import type { TestBody } from '../support/http-client.js';
import { testApp } from '../support/test-app.js';

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
  const app = testApp();
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
    top = await make('Top');
    sub = await make('Sub', top);
    sibling = await make('Sibling', top);
  });

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
  });

  describe('a role assignment', () => {
    it('returns 404 for an unknown role', async () => {
      const id = await user(top);
      expect((await assign(top, id, 'nothing').expect(404)).body.code).toBe('role_not_found');
      await assign(sub, id, 'admin').expect(404);
      await revoke(top, id, 'nothing').expect(404);
      const rejected = await app.api.platform.post(at(top, `/users/${id}/roles`), {}).expect(400);
      expect(rejected.body.errors).toMatchObject([{ pointer: '/roleId' }]);
    });

    it('is separate in each organization', async () => {
      const id = await user(top, ['admin']);
      await app.api.platform.post(at(sub, '/members'), { userId: id, role: 'viewer' }).expect(201);
      await assign(sub, id, 'member').expect(201);
      expect(await rolesOf(top, id)).toEqual(['admin']);
      expect(await rolesOf(sub, id)).toEqual(['member', 'viewer']);
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
});
