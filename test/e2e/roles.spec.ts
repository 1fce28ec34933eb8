import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import { expectFields } from '../support/fields.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { at, keyClient, made, newAddress, newOrganization } from '../support/organizations.js';
import { ASSIGNED_ROLE } from '../support/specification-tables.js';
import { testApp } from '../support/test-app.js';

/** A role from creation to deletion, with the response and the events of each step. */
describe('a role', () => {
  const app = testApp();
  let top: string;
  let sub: string;
  let sibling: string;

  const post = (path: string, body: object): Promise<TestBody> => made(app, path, body);
  const make = async (parentId?: string): Promise<string> => (await newOrganization(app, { parentId })).id;
  const user = (organization: string, roles: string[] = []): Promise<TestBody> =>
    post(at(organization, '/users'), { email: newAddress(), roles });
  const role = (organization: string, name: string, permissions: string[] = ['x:y']): Promise<TestBody> =>
    post(at(organization, '/roles'), { name, permissions });
  const get = async (path: string): Promise<TestBody> => (await app.api.platform.get(path).expect(200)).body;
  const namesOf = async (organization: string, id: string): Promise<string[]> =>
    (await get(at(organization, `/users/${id}`))).data.roles.map(({ name }: { name: string }) => name).toSorted();
  const inTop = () => ({ id: top, name: 'Roles' });

  const assign = (organization: string, id: string, roleId: string): PendingResponse =>
    app.api.platform.post(at(organization, `/users/${id}/roles`), { roleId });

  beforeAll(async () => {
    top = (await newOrganization(app, { name: 'Roles' })).id;
    sub = await make(top);
    sibling = await make(top);
  });

  it('has all changes in the events of the creation, the change and the deletion', async () => {
    const fields = { name: 'finance', permissions: ['invoices:read', 'invoices:pay'] };
    let created: TestBody;
    let changed: TestBody;
    const events = await eventsDuring(app, async () => {
      created = await post(at(top, '/roles'), { name: 'billing', description: 'Pays', permissions: ['invoices:read'] });
      const path = at(top, `/roles/${created.id}`);
      changed = (await app.api.platform.patch(path, { ...fields, description: null }).expect(200)).body.data;
      for (const same of [fields, {}]) expect((await app.api.platform.patch(path, same).expect(200)).body.data).toEqual(changed);
      await app.api.platform.delete(path).expect(204);
    });
    expect(changed).toMatchObject({ ...fields, createdAt: created.createdAt });
    expect(changed.updatedAt > created.updatedAt).toBe(true);
    const changes = {
      name: { from: 'billing', to: 'finance' },
      description: { from: 'Pays', to: null },
      permissions: { from: ['invoices:read'], to: fields.permissions },
    };
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'role.created', data: created },
      { type: 'role.updated', data: { ...changed, description: null, changes } },
      { type: 'role.deleted', data: { ...changed, description: null, reassignedTo: null } },
    ]);
    await role(top, 'finance');
  });

  it('publishes only one event when assigned twice', async () => {
    const person = await user(top);
    const { id, name } = await role(top, 'assigned');
    let response: TestBody;
    const about = { organization: inTop(), user: { id: person.id, email: person.email }, role: { id, name } };
    const assigned = (status: number) => async () => {
      response = (await assign(top, person.id, name).expect(status)).body.data;
    };
    expect(await eventsDuring(app, assigned(201))).toEqual([{ type: 'role.assigned', organization: inTop(), data: about }]);
    expectFields(response, ASSIGNED_ROLE);
    expect(response).toMatchObject({ userId: person.id, roleId: id, roleName: name, organizationId: top });
    const first = response;
    expect(await eventsDuring(app, assigned(200))).toEqual([]);
    expect(response).toEqual(first);

    const revoke = (status: number) => () => app.api.platform.delete(at(top, `/users/${person.id}/roles/${id}`)).expect(status);
    expect(await eventsDuring(app, revoke(204))).toEqual([{ type: 'role.revoked', organization: inTop(), data: about }]);
    expect(await eventsDuring(app, revoke(404))).toEqual([]);
    await app.api.platform.delete(at(top, `/roles/${id}`)).expect(204);
  });

  it('can’t be deleted without reassignTo while in use', async () => {
    const descendantId = await make(top);
    const { id } = await role(top, 'held');
    const person = await user(descendantId, [id]);
    const refuse = async (): Promise<void> => {
      await app.api.platform.delete(at(top, `/roles/${id}`)).expect(409, 'role_in_use');
      for (const to of ['nothing', id, 'held'])
        await app.api.platform.delete(at(top, `/roles/${id}?reassignTo=${to}`)).expect(400);
    };
    expect(await eventsDuring(app, refuse)).toEqual([]);

    const events = await eventsDuring(app, () => app.api.platform.delete(at(top, `/roles/${id}?reassignTo=viewer`)).expect(204));

    expect(events).toMatchObject([{ type: 'role.deleted', data: { reassignedTo: { name: 'viewer' } } }]);
    expect(await namesOf(descendantId, person.id)).toEqual(['viewer']);
    expect((await get(at(descendantId, '/members?role=viewer'))).pagination.total).toBe(1);
    expect((await get(at(descendantId, '/members'))).data).toMatchObject([{ userId: person.id, role: 'viewer' }]);
  });

  it('says which deleted users and organizations use it, and until when, and is replaced for them', async () => {
    const child = await make(top);
    const { id } = await role(top, 'invisible');
    const person = await user(top, [id]);
    const inChild = await user(child, [id]);
    const group = await post(at(child, '/groups'), { name: 'Night shift' });
    await post(at(child, `/groups/${group.id}/roles`), { roleId: id });
    await app.api.platform.patch(at(child), { settings: { defaultRole: id } }).expect(200);
    await app.api.platform.delete(at(top, `/users/${person.id}`)).expect(204);
    const { restorableUntil } = (await get(at(top, `/users/${person.id}`))).data;
    const path = at(top, `/roles/${id}`);
    const detail = async (): Promise<string> => {
      const { body } = await app.api.platform.delete(path).expect(409, 'role_in_use');
      return body.detail;
    };
    expect(await detail()).toContain(
      `1 user, 1 organization as its default role, 1 group, 1 user who is deleted or belongs to a deleted organization (can be restored until ${restorableUntil})`,
    );
    await app.api.platform.delete(at(child)).expect(204);
    expect(await detail()).toMatch(
      /in use by 2 users who are deleted or belong to deleted organizations \(can be restored until \S+Z\), 1 deleted organization as its default role \(.+\), 1 group of a deleted organization \(.+\)\. Send a replacement/,
    );

    await app.api.platform.delete(`${path}?reassignTo=viewer`).expect(204);
    await app.api.platform.post(at(top, `/users/${person.id}/restore`)).expect(200);
    await app.api.platform.post(at(child, '/restore')).expect(200);
    expect([await namesOf(top, person.id), await namesOf(child, inChild.id)]).toEqual([['viewer'], ['viewer']]);
    expect((await get(at(child, `/groups/${group.id}/roles`))).data).toMatchObject([{ roleName: 'viewer' }]);
    expect((await get(at(child))).data.settings.defaultRole).toBe('role_viewer');
  });

  it('can be replaced by a role that the user already has', async () => {
    const organizationId = await make(top);
    const { id } = await role(top, 'merged');
    const person = await user(organizationId, ['viewer', id]);
    await app.api.platform.delete(at(top, `/roles/${id}?reassignTo=viewer`)).expect(204);
    expect(await namesOf(organizationId, person.id)).toEqual(['viewer']);
    expect((await get(at(organizationId, '/users?role=viewer'))).pagination.total).toBe(1);
    await post(at(organizationId, '/members'), { userId: person.id, role: 'member' });
    expect(await namesOf(organizationId, person.id)).toEqual(['member', 'viewer']);
  });

  it('is replaced as the default role when deleted', async () => {
    const { id } = await role(top, 'default one');
    const other = await role(top, 'default two');
    const named = await make(top);
    const silent = await make(named);
    await app.api.platform.patch(at(named), { settings: { defaultRole: 'default one' } }).expect(200);
    const before = (await get(at(named))).data;
    await app.api.platform.delete(at(top, `/roles/${id}`)).expect(409);

    const events = await eventsDuring(app, () =>
      app.api.platform.delete(at(top, `/roles/${id}?reassignTo=${other.id}`)).expect(204),
    );

    const after = (await get(at(named))).data;
    expect(after.settings.defaultRole).toBe(other.id);
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect((await get(at(silent))).data.settings.defaultRole).toBe(other.id);
    expect(events.map(({ type, organization }) => [type, organization.id])).toEqual([
      ['organization.updated', named],
      ['role.deleted', top],
    ]);
    expect(events[0]!.data).toMatchObject({ id: named, updatedAt: after.updatedAt });
    expect(events[0]!.data.changes).toEqual({ settings: { from: before.settings, to: after.settings } });
    expect(await namesOf(silent, (await user(silent)).id)).toEqual(['default two']);
  });

  it('can’t be changed or deleted if the role is built in', async () => {
    const { data, pagination } = (await app.api.platform.get(at(await make(), '/roles')).expect(200)).body;
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
      await app.api.platform.post(at(organization!, '/roles'), { name, permissions: [] }).expect(409, 'role_name_taken');
    }
    await role(sibling, 'own name');
    await role(sub, 'own name');
  });

  it('is visible in descendants but not in ancestors or siblings', async () => {
    const { id } = await role(sub, 'from sub');
    const { id: fromTop } = await role(top, 'from top');
    const userId = (await user(sub)).id;
    await assign(sub, userId, fromTop).expect(201);
    await assign(sub, userId, 'from sub').expect(201);
    expect(await namesOf(sub, userId)).toEqual(['from sub', 'from top', 'member']);
    for (const organizationId of [top, sibling]) {
      await app.api.platform.get(at(organizationId, `/roles/${id}`)).expect(404);
      await assign(organizationId, (await user(organizationId)).id, id).expect(404);
      await assign(organizationId, (await user(organizationId)).id, 'from sub').expect(404);
    }
    await app.api.platform.patch(at(sub, `/roles/${fromTop}`), { description: 'x' }).expect(403);
    await app.api.platform.delete(at(sub, `/roles/${fromTop}`)).expect(403);
  });

  it('is assigned only once by concurrent requests', async () => {
    const { id } = await user(top);
    const events = await eventsDuring(app, async () => {
      const responses = await Promise.all(Array.from({ length: 12 }, () => assign(top, id, 'viewer')));
      expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 11 }, () => 200), 201]);
    });
    expect(events.map(({ type }) => type)).toEqual(['role.assigned']);
    const { data, pagination } = (await app.api.platform.get(at(top, '/users?role=viewer&limit=100')).expect(200)).body;
    expect(pagination.total).toBe(data.length);
  });

  it('lets only a platform key remove the last owner', async () => {
    const organizationId = await make();
    const owner = (await user(organizationId, ['owner'])).id;
    const second = (await user(organizationId, ['owner'])).id;
    const key = await keyClient(app, organizationId, ['*']);
    await key.delete(at(organizationId, `/users/${second}`)).expect(204);
    for (const rejected of [
      key.delete(at(organizationId, `/users/${owner}`)),
      key.delete(at(organizationId, `/users/${owner}?permanent=true`)),
      key.post(at(organizationId, `/users/${owner}/suspend`), { reason: 'r' }),
      key.delete(at(organizationId, `/members/${owner}`)),
      key.delete(at(organizationId, `/users/${owner}/roles/owner`)),
      key.post(at(organizationId, '/members'), { userId: owner, role: 'admin' }),
    ]) {
      await rejected.expect(409, 'last_owner');
    }
    expect(await namesOf(organizationId, owner)).toEqual(['owner']);
    await app.api.platform.post(at(organizationId, `/users/${owner}/suspend`)).expect(200);
    await app.api.platform.delete(at(organizationId, `/users/${owner}`)).expect(204);
  });
});
