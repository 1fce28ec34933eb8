import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import { countDifferences } from '../support/counts.js';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody } from '../support/http-client.js';
import { at, made, newAddress, newOrganization, read } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

describe('a group', () => {
  const app = testApp();
  let org: string;
  let group: string;
  let members: string;

  const user = async (organization = org): Promise<string> =>
    (await made(app, at(organization, '/users'), { email: newAddress() })).id;
  const child = async (): Promise<string> => (await newOrganization(app, { parentId: org })).id;
  const add = (userIds: string[], path = members) => app.api.platform.post(path, { userIds });
  const idsOf = async (query = ''): Promise<string[]> =>
    (await read(app, `${members}${query}`)).map(({ userId }: TestBody) => userId);
  /** Expects these members, and a member count that agrees. */
  const expectMembers = async (...ids: string[]): Promise<void> => {
    expect([await idsOf(), (await read(app, at(org, `/groups/${group}`))).memberCount]).toEqual([ids, ids.length]);
    expect(await countDifferences(app.database)).toEqual([]);
  };

  beforeEach(async () => {
    org = (await newOrganization(app)).id;
    group = (await made(app, at(org, '/groups'), { name: 'Engineering' })).id;
    members = at(org, `/groups/${group}/members`);
  });

  it('rejects a name that is taken in the organization, even in concurrent requests', async () => {
    const other = await made(app, at(org, '/groups'), { name: 'free' });
    const rename = (name: string) => app.api.platform.patch(at(org, `/groups/${other.id}`), { name });
    expect((await rename('Engineering').expect(409)).body.code).toBe('group_name_taken');
    await made(app, at(await child(), '/groups'), { name: 'Engineering' });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => app.api.platform.post(at(org, '/groups'), { name: 'raced' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
  });

  it('is rejected if the organization has 10,000 groups, even in concurrent requests', async () => {
    await app.database.query(
      `INSERT INTO groups (tenant_id, id, organization_id, name, created_at, updated_at)
       SELECT $1, 'group_' || n, $1, 'name ' || n, now(), now() FROM generate_series(1, 9998) n`,
      [org],
    );
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => app.api.platform.post(at(org, '/groups'), { name })));
    expect(answers.map(({ status, body }) => body.code ?? status).toSorted()).toEqual([201, 'group_limit', 'group_limit']);
  });

  describe('its members', () => {
    it('are added and removed once, with an event for each change', async () => {
      const [ada, bob] = [await user(), await user()];
      const events = await eventsDuring(app, async () => {
        expect((await add([ada, ada]).expect(200)).body.data).toEqual({ added: [ada] });
        expect((await add([ada, bob]).expect(200)).body.data).toEqual({ added: [bob] });
        await add([ada, bob]).expect(200);
        await expectMembers(bob, ada);
        await app.api.platform.delete(`${members}/${ada}`).expect(204);
        expect((await app.api.platform.delete(`${members}/${ada}`).expect(404)).body.code).toBe('member_not_found');
      });
      const named = { organization: { id: org }, group: { id: group, name: 'Engineering' } };
      expect(events).toMatchObject([
        { type: 'group.member_added', data: { ...named, user: { id: ada } } },
        { type: 'group.member_added', data: { ...named, user: { id: bob } } },
        { type: 'group.member_removed', data: { ...named, user: { id: ada } } },
      ]);
      await expectMembers(bob);
    });

    it('are listed newest first, by page, by cursor and by search', async () => {
      const users: string[] = [];
      for (let index = 0; index < 3; index++) users.unshift(await user());
      await user();
      await add(users).expect(200);
      const { data, pagination } = (await app.api.platform.get(`${members}?limit=2`).expect(200)).body;
      expect(pagination).toEqual({ total: 3, page: 1, limit: 2, hasMore: true });
      expect(data.map(({ userId }: TestBody) => userId)).toEqual(users.slice(0, 2));
      expect(await idsOf('?limit=2&page=2')).toEqual(users.slice(2));
      expect(await idsOf(`?after=${users[1]}`)).toEqual(users.slice(2));
      expect(await idsOf(`?search=${data[0].email.split('@')[0]}`)).toEqual([users[0]]);
      await app.api.platform.get(`${members}?after=nothing`).expect(400);
    });

    it('are members of the organization and no groups: all unknown users are named and nobody is added', async () => {
      const [ada, outsider, unknown] = [await user(), await user((await newOrganization(app)).id), newId('user')];
      expect((await add([outsider, ada, unknown]).expect(400)).body.errors).toMatchObject([
        { pointer: '/userIds/0', code: 'member_not_found' },
        { pointer: '/userIds/2', code: 'member_not_found' },
      ]);
      await expectMembers();
      const below = await child();
      const team = (await made(app, at(below, '/groups'), { name: 'Team' })).id;
      await add([ada], at(below, `/groups/${team}/members`)).expect(400);
      expect((await add([group], at(below, `/groups/${team}/members`)).expect(422)).body.code).toBe('nested_groups_unsupported');
    });

    it('leave the group with the organization, when their membership is removed', async () => {
      const [ada, below] = [await user(), await child()];
      await made(app, at(below, '/members'), { userId: ada });
      const team = (await made(app, at(below, '/groups'), { name: 'Team' })).id;
      await add([ada], at(below, `/groups/${team}/members`)).expect(200);
      await add([ada]).expect(200);
      const events = await eventsDuring(app, () => app.api.platform.delete(at(below, `/members/${ada}`)).expect(204));
      expect(events.map(({ type }) => type)).toEqual(['group.member_removed', 'organization.member_removed']);
      expect((await read(app, at(below, `/groups/${team}`))).memberCount).toBe(0);
      await expectMembers(ada);
    });

    it('stay while they are suspended, are hidden while they are deleted, and are erased with the user', async () => {
      const ada = await user();
      await add([ada]).expect(200);
      await app.api.platform.post(at(org, `/users/${ada}/suspend`)).expect(200);
      await expectMembers(ada);
      await app.api.platform.delete(at(org, `/users/${ada}`)).expect(204);
      await expectMembers();
      await add([ada]).expect(400);
      await app.api.platform.get(at(org, `/users/${ada}/groups`)).expect(404);
      await app.api.platform.post(at(org, `/users/${ada}/restore`)).expect(200);
      await expectMembers(ada);
      await app.api.platform.delete(at(org, `/users/${ada}?permanent=true`)).expect(204);
      for (const table of ['group_members', 'group_members_history'])
        expect(await app.database.query(`SELECT FROM ${table} WHERE user_id = $1`, [ada])).toEqual([]);
      await expectMembers();
    });

    it('are hidden while the tenant or the organization that manages them is deleted', async () => {
      for (const home of [(await newOrganization(app)).id, await child()]) {
        const guest = await user(home);
        await made(app, at(org, '/members'), { userId: guest });
        await add([guest]).expect(200);
        await expectMembers(guest);
        for (const path of [at(home, `/users/${guest}`), at(home)]) {
          await app.api.platform.delete(path).expect(204);
          await expectMembers();
          await app.api.platform.post(`${path}/restore`).expect(200);
          await expectMembers(guest);
        }
        await app.api.platform.delete(at(home, `/users/${guest}?permanent=true`)).expect(204);
        await expectMembers();
      }
    });

    it('have the list of their groups', async () => {
      const ada = await user();
      const other = (await made(app, at(org, '/groups'), { name: 'Other' })).id;
      await add([ada]).expect(200);
      await add([ada], at(org, `/groups/${other}/members`)).expect(200);
      const groups = at(org, `/users/${ada}/groups`);
      expect(await read(app, groups)).toMatchObject([
        { name: 'Other', memberCount: 1 },
        { name: 'Engineering', memberCount: 1 },
      ]);
      const { body } = await app.api.platform.get(`${groups}?limit=1`).expect(200);
      expect(body).toMatchObject({ data: [{ id: other }], pagination: { total: 2, hasMore: true } });
      expect(await read(app, `${groups}?after=${other}`)).toMatchObject([{ id: group }]);
    });
  });

  it('has roles, which are listed with their permissions', async () => {
    const roles = at(org, `/groups/${group}/roles`);
    const role = (await made(app, at(org, '/roles'), { name: 'billing', permissions: ['invoices:read'] })).id;
    await made(app, roles, { roleId: 'billing' });
    expect(await eventsDuring(app, () => app.api.platform.post(roles, { roleId: role }).expect(200))).toEqual([]);
    const assignedAt = expect.any(String);
    expect(await read(app, roles)).toEqual([{ roleId: role, roleName: 'billing', permissions: ['invoices:read'], assignedAt }]);
    await app.api.platform.post(roles, { roleId: 'nothing' }).expect(404);
    expect((await app.api.platform.post(roles, { roleId: 'owner' }).expect(422)).body.code).toBe('role_not_for_groups');
    await app.api.platform.delete(`${roles}/billing`).expect(204);
    await app.api.platform.delete(`${roles}/billing`).expect(404);
  });
});
