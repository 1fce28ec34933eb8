import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsDuring, type WrittenEvent } from '../support/events-during.js';
import { expectFields } from '../support/fields.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { at, keyClient, made, newAddress, newOrganization, read } from '../support/organizations.js';
import { ADDED_MEMBER, LISTED_MEMBER } from '../support/specification-tables.js';
import { testApp } from '../support/test-app.js';

describe('a member', () => {
  const app = testApp();
  let top: string;
  let home: string;
  let team: string;

  const make = async (name: string, parentId?: string): Promise<string> => (await newOrganization(app, { name, parentId })).id;
  const user = async (organization = home, fields: object = {}): Promise<{ id: string; email: string }> => {
    const email = newAddress();
    return { email, id: (await made(app, at(organization, '/users'), { email, ...fields })).id };
  };
  const add = (organization: string, userId: string, fields: object = {}): PendingResponse =>
    app.api.platform.post(at(organization, '/members'), { userId, ...fields });
  const remove = (organization: string, userId: string): PendingResponse =>
    app.api.platform.delete(at(organization, `/members/${userId}`));
  const list = async (organization: string, query = ''): Promise<TestBody> =>
    (await app.api.platform.get(at(organization, `/members?limit=100&${query}`)).expect(200)).body;
  const listed = async (userId: string): Promise<TestBody> =>
    (await list(team)).data.find((member: TestBody) => member.userId === userId);
  const rolesOf = async (organization: string, id: string): Promise<string[]> =>
    (await read(app, at(organization, `/users/${id}`))).roles.map(({ name }: TestBody) => name).toSorted();
  const memberCount = async (id: string): Promise<number> => (await read(app, at(id))).memberCount;
  const change = (type: 'role.assigned' | 'role.revoked', person: { id: string; email: string }, name: string) =>
    ({
      type,
      organization: { id: team, name: 'Team' },
      data: { organization: { id: team, name: 'Team' }, user: person, role: { id: `role_${name}`, name } },
    }) satisfies WrittenEvent;

  beforeAll(async () => {
    top = await make('Top');
    home = await make('Home', top);
    team = await make('Team', top);
  });

  it('can be added, get another role and be removed', async () => {
    const person = await user(home, { displayName: 'Ada' });
    const set = async (role?: string): Promise<TestBody> => (await add(team, person.id, { role }).expect(201)).body.data;
    let added: TestBody;
    const addition = await eventsDuring(app, async () => {
      added = await set('viewer');
    });
    expectFields(added, ADDED_MEMBER);
    const event = { organization: { id: team, name: 'Team' } };
    const data = { organizationId: team, userId: person.id, email: person.email };
    expect(addition).toEqual([
      { ...event, type: 'organization.member_added', data: { ...data, role: 'viewer', joinedAt: added.joinedAt } },
    ]);
    expectFields(await listed(person.id), LISTED_MEMBER);

    for (const role of ['viewer', undefined]) expect(await eventsDuring(app, () => set(role))).toEqual([]);
    const promotion = await eventsDuring(app, () => set('admin'));
    expect(promotion).toEqual([change('role.revoked', person, 'viewer'), change('role.assigned', person, 'admin')]);
    expect(await listed(person.id)).toMatchObject({ role: 'admin', joinedAt: added.joinedAt, displayName: 'Ada' });

    const removal = await eventsDuring(app, () => remove(team, person.id).expect(204));
    const removedAt = expect.stringMatching(/Z$/);
    expect(removal).toEqual([{ ...event, type: 'organization.member_removed', data: { ...data, role: 'admin', removedAt } }]);
    expect(await listed(person.id)).toBeUndefined();
    expect(await eventsDuring(app, () => remove(team, person.id).expect(404))).toEqual([]);
    await app.api.platform.get(at(team, `/users/${person.id}`)).expect(404);
  });

  it('keeps a directly assigned role when the role of the membership changes', async () => {
    const person = await user();
    await add(team, person.id, { role: 'viewer' });
    const assign = () => app.api.platform.post(at(team, `/users/${person.id}/roles`), { roleId: 'viewer' }).expect(200);
    expect(await eventsDuring(app, assign)).toEqual([]);
    const set = (role: string) => eventsDuring(app, () => add(team, person.id, { role }).expect(201));
    expect(await set('admin')).toEqual([change('role.assigned', person, 'admin')]);
    expect(await set('viewer')).toEqual([change('role.revoked', person, 'admin')]);
  });

  it('gets the default role when the role of the membership is revoked', async () => {
    const person = await user();
    await add(team, person.id, { role: 'admin' });
    const revoke = (role: string, status: number) =>
      eventsDuring(app, () => app.api.platform.delete(at(team, `/users/${person.id}/roles/${role}`)).expect(status));
    expect(await revoke('admin', 204)).toEqual([
      change('role.revoked', person, 'admin'),
      change('role.assigned', person, 'member'),
    ]);
    expect(await revoke('member', 204)).toEqual([]);
    expect(await listed(person.id)).toMatchObject({ role: 'member' });
    expect(await revoke('admin', 404)).toEqual([]);
  });

  it('gets the inherited default role, also if the caller lacks its permissions', async () => {
    const parent = await make('Default role', top);
    await app.api.platform.patch(at(parent), { settings: { defaultRole: 'admin' } }).expect(200);
    const child = await make('Default role below', parent);
    const { id } = await user(child);
    expect(await rolesOf(child, id)).toEqual(['admin']);
    const key = await keyClient(app, top, ['members:write']);
    const addMember = (role?: string) => key.post(at(parent, '/members'), { userId: id, role });
    for (const role of ['admin', 'owner', 'member']) expect((await addMember(role).expect(403)).body.code).toBe('forbidden');
    expect((await addMember().expect(201)).body.data.role).toBe('admin');
  });

  it("can't get an unknown role or a role of a sibling organization", async () => {
    const { id } = await user(top);
    const own = await made(app, at(team, '/roles'), { name: 'own', permissions: ['x:y'] });
    for (const role of ['nothing', 'role_nothing', 'own', own.id])
      expect((await add(home, id, { role }).expect(404)).body.code).toBe('role_not_found');
    expect((await add(team, id, { role: own.id }).expect(201)).body.data.role).toBe('own');
  });

  it("can't be a deleted user", async () => {
    for (const query of ['', '?permanent=true']) {
      const { id } = await user(top);
      await app.api.platform.delete(at(top, `/users/${id}${query}`)).expect(204);
      expect((await add(team, id).expect(404)).body.code).toBe('user_not_found');
    }
  });

  it('is neither counted nor listed after the removal from the managing organization', async () => {
    const organization = await make('Removal', top);
    const { id } = await user(organization);
    await remove(organization, id).expect(204);
    expect([await memberCount(organization), (await list(organization)).pagination.total]).toEqual([0, 0]);
    const shown = await read(app, at(organization, `/users/${id}`));
    expect(shown).toMatchObject({ status: 'pending', organizations: [], roles: [] });
    expect(await read(app, at(organization, '/users'))).toHaveLength(1);
    await app.api.platform.post(at(organization, `/users/${id}/roles`), { roleId: 'role_admin' }).expect(404);
    await add(organization, id).expect(201);
  });

  it('is counted exactly after deletion, restoration and concurrent writes', async () => {
    const organization = await make('Counting', top);
    const ids = (await Promise.all(Array.from({ length: 12 }, () => user(top)))).map(({ id }) => id);
    await Promise.all(ids.map((id) => add(organization, id).expect(201)));
    expect(await memberCount(organization)).toBe(12);
    await Promise.all([
      ...ids.slice(0, 4).map((id) => remove(organization, id).expect(204)),
      ...ids.slice(4, 6).map((id) => app.api.platform.delete(at(top, `/users/${id}`)).expect(204)),
      app.api.platform.delete(at(top, `/users/${ids[6]}?permanent=true`)).expect(204),
      ...ids.slice(7, 10).map((id) => add(organization, id, { role: 'viewer' }).expect(201)),
      ...Array.from({ length: 4 }, () => add(organization, ids[10]!).expect(201)),
    ]);
    expect(await memberCount(organization)).toBe(5);
    const { data, pagination } = await list(organization);
    expect(data.map(({ userId }: TestBody) => userId).toSorted()).toEqual(ids.slice(7).toSorted());
    expect(pagination.total).toBe(5);
    expect((await read(app, at(top))).children).toContainEqual({ id: organization, name: 'Counting', memberCount: 5 });
  });

  it('can be found by role, status and search', async () => {
    const organization = await make('Filtered', top);
    const { id: a } = await user(organization, { firstName: 'Álvaro', roles: ['admin'] });
    const { id: b } = await user(organization, { firstName: 'Bea' });
    const { id: c } = await user(organization, { firstName: 'Cem', roles: ['admin', 'viewer'] });
    await app.api.platform.post(at(organization, `/users/${c}/suspend`)).expect(200);
    for (const [query, wanted] of [
      ['role=admin', [c, a]],
      ['role=role_viewer', [c]],
      ['status=suspended', [c]],
      ['status=pending&role=admin', [a]],
      ['search=alvaro', [a]],
      ['search=bea&role=admin', []],
      ['role=nothing', []],
      ['role=user', []],
      [`after=${c}`, [b, a]],
    ] as const)
      expect([query, (await list(organization, query)).data.map(({ userId }: TestBody) => userId)]).toEqual([query, wanted]);
    const { pagination } = (await app.api.platform.get(at(organization, `/members?limit=2&after=${b}`)).expect(200)).body;
    expect(pagination).toEqual({ total: 3, page: 2, limit: 2, hasMore: false });
  });

  it('gets an email only if sendNotification is true', async () => {
    const { id, email } = await user(top);
    await add(home, id, { sendNotification: false }).expect(201);
    expect(await mailsTo(app, email)).toEqual([]);
    await add(team, id, { role: 'admin', sendNotification: true }).expect(201);
    expect(await mailsTo(app, email)).toMatchObject([{ to: email, text: expect.stringContaining('Team') }]);
  });

  it('of another tenant can be added only by the platform', async () => {
    const otherTenant = await make('Other tenant');
    const guest = await user(otherTenant);
    const own = await keyClient(app, top, ['*']);
    await own.post(at(team, '/members'), { userId: guest.id }).expect(404);
    await add(team, guest.id, { role: 'viewer' }).expect(201);

    const path = at(team, `/users/${guest.id}`);
    const seen = (await own.get(path).expect(200)).body.data;
    expect(seen.organizations).toEqual([{ id: team, name: 'Team', role: 'viewer' }]);
    expect(JSON.stringify(seen)).not.toContain(otherTenant);
    for (const request of [
      own.patch(path, { firstName: 'Changed' }),
      own.post(`${path}/suspend`, { reason: 'r' }),
      own.delete(path),
      own.delete(`${path}?permanent=true`),
    ])
      expect((await request.expect(403)).body.code).toBe('managed_elsewhere');
    await own.post(`${path}/roles`, { roleId: 'admin' }).expect(201);
    expect(await rolesOf(team, guest.id)).toEqual(['admin', 'viewer']);
    expect(await rolesOf(otherTenant, guest.id)).toEqual(['member']);
    await own.delete(at(team, `/members/${guest.id}`)).expect(204);
    await own.get(path).expect(404);
  });

  it('can be changed only in the managing organization and the ancestors', async () => {
    const { id } = await user(home);
    await add(team, id).expect(201);
    const changed = async (from: string, where: string) =>
      (await keyClient(app, from, ['*'])).patch(at(where, `/users/${id}`), { firstName: from });
    expect((await changed(team, team)).body.code).toBe('managed_elsewhere');
    expect([(await changed(home, home)).status, (await changed(top, team)).status]).toEqual([200, 200]);
  });
});
