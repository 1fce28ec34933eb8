import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import { countDifferences } from '../support/counts.js';
import { eventsDuring } from '../support/events-during.js';
import { expectEach, type Shape } from '../support/fields.js';
import type { TestBody } from '../support/http-client.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

const MEMBER: Shape = {
  userId: 'string',
  email: 'string',
  displayName: 'string',
  status: ['active', 'suspended', 'pending'],
  addedAt: 'timestamp',
};

const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;

describe('the members of a group', () => {
  const app = testApp();
  let org: string;
  let group: string;
  let members: string;

  const user = async (organization = org): Promise<string> =>
    (await made(app, at(organization, '/users'), { email: newAddress() })).id;
  const add = (userIds: string[], path = members) => app.api.platform.post(path, { userIds });
  const idsOf = async (query = ''): Promise<string[]> =>
    (await app.api.platform.get(`${members}${query}`).expect(200)).body.data.map(({ userId }: TestBody) => userId);
  const memberCount = async (): Promise<number> =>
    (await app.api.platform.get(at(org, `/groups/${group}`)).expect(200)).body.data.memberCount;

  beforeEach(async () => {
    org = (await newOrganization(app)).id;
    group = (await made(app, at(org, '/groups'), { name: 'Engineering' })).id;
    members = at(org, `/groups/${group}/members`);
  });

  it('are added once, with an event for each new member', async () => {
    const [ada, bob] = [await user(), await user()];
    const first = await eventsDuring(app, async () => {
      expect((await add([ada, ada]).expect(200)).body.data).toEqual({ added: [ada] });
    });
    expect(first).toMatchObject([
      {
        type: 'group.member_added',
        data: { organization: { id: org }, group: { id: group, name: 'Engineering' }, user: { id: ada } },
      },
    ]);
    const second = await eventsDuring(app, async () => {
      expect((await add([ada, bob]).expect(200)).body.data).toEqual({ added: [bob] });
    });
    expect(second.map(({ data }) => data.user.id)).toEqual([bob]);
    expect(await eventsDuring(app, () => add([ada, bob]).expect(200))).toEqual([]);
    expect(await idsOf()).toEqual([bob, ada]);
    expect(await memberCount()).toBe(2);
  });

  it('are listed newest first, by page, by cursor and by search', async () => {
    const users: string[] = [];
    for (let index = 0; index < 3; index++) users.unshift(await user());
    await user();
    await add(users).expect(200);
    const { body } = await app.api.platform.get(`${members}?limit=2`).expect(200);
    expectEach(body.data, MEMBER);
    expect(body.pagination).toEqual({ total: 3, page: 1, limit: 2, hasMore: true });
    expect(await idsOf('?limit=2')).toEqual(users.slice(0, 2));
    expect(await idsOf('?limit=2&page=2')).toEqual(users.slice(2));
    expect(await idsOf(`?after=${users[1]}`)).toEqual(users.slice(2));
    expect(await idsOf(`?search=${body.data[0].email.split('@')[0]}`)).toEqual([users[0]]);
    await app.api.platform.get(`${members}?after=nothing`).expect(400);
    await app.api.platform.get(at(org, `/groups/${newId('group')}/members`)).expect(404);
  });

  it('are removed with an event; a user who is not in the group is not found', async () => {
    const ada = await user();
    await add([ada]).expect(200);
    const events = await eventsDuring(app, () => app.api.platform.delete(`${members}/${ada}`).expect(204));
    expect(events).toMatchObject([{ type: 'group.member_removed', data: { group: { id: group }, user: { id: ada } } }]);
    expect((await app.api.platform.delete(`${members}/${ada}`).expect(404)).body.code).toBe('member_not_found');
    expect(await memberCount()).toBe(0);
    await app.api.platform.get(at(org, `/members?limit=1`)).expect(200);
  });

  it('must be members of the organization: of two unknown users, both are named and nobody is added', async () => {
    const [ada, outsider] = [await user(), await user((await newOrganization(app)).id)];
    const unknown = newId('user');
    const { body } = await add([outsider, ada, unknown]).expect(400);
    expect(body.errors).toMatchObject([
      { pointer: '/userIds/0', code: 'member_not_found' },
      { pointer: '/userIds/2', code: 'member_not_found' },
    ]);
    expect(await idsOf()).toEqual([]);
  });

  it('can’t be members of the parent organization only', async () => {
    const child = (await newOrganization(app, { parentId: org })).id;
    const team = (await made(app, at(child, '/groups'), { name: 'Team' })).id;
    await add([await user()], at(child, `/groups/${team}/members`)).expect(400);
  });

  it('can’t be groups', async () => {
    const other = (await made(app, at(org, '/groups'), { name: 'Nested' })).id;
    expect((await add([other]).expect(422)).body.code).toBe('nested_groups_unsupported');
  });

  it('can be a thousand users in one request', async () => {
    const users = Array.from({ length: 1_000 }, () => newId('user'));
    await app.database.query(
      `INSERT INTO users (tenant_id, id, organization_id, email, email_key, status, created_at, updated_at)
       SELECT $1, id, $1, id || '@example.com', id || '@example.com', 'active', now(), now() FROM unnest($2::text[]) id`,
      [org, users],
    );
    await app.database.query(
      `INSERT INTO memberships (tenant_id, organization_id, user_id, user_tenant_id, role_id, announced, joined_at, updated_at)
       SELECT $1, $1, id, $1, 'role_member', true, now(), now() FROM unnest($2::text[]) id`,
      [org, users],
    );
    await app.database.query(
      `INSERT INTO directory_entries (tenant_id, organization_id, user_id, user_tenant_id, user_organization_id, managed, member, status, email_key, search_text)
       SELECT $1, $1, id, $1, $1, true, true, 'active', id || '@example.com', id FROM unnest($2::text[]) id`,
      [org, users],
    );
    await app.database.query(
      `INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
       SELECT $1, $1, dimension, 'active', 1000 FROM unnest(ARRAY['user', 'member']) dimension`,
      [org],
    );
    expect((await add(users).expect(200)).body.data.added).toHaveLength(1_000);
    expect(await memberCount()).toBe(1_000);
    await app.api.platform.delete(at(org, `/groups/${group}`)).expect(204);
    expect(await app.database.query('SELECT FROM group_members WHERE group_id = $1', [group])).toEqual([]);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('leave the group with the organization, when their membership is removed', async () => {
    const ada = await user();
    const child = (await newOrganization(app, { parentId: org })).id;
    await app.api.platform.post(at(child, '/members'), { userId: ada }).expect(201);
    const team = (await made(app, at(child, '/groups'), { name: 'Team' })).id;
    await add([ada], at(child, `/groups/${team}/members`)).expect(200);
    await add([ada]).expect(200);

    const events = await eventsDuring(app, () => app.api.platform.delete(at(child, `/members/${ada}`)).expect(204));

    expect(events.map(({ type }) => type)).toEqual(['group.member_removed', 'organization.member_removed']);
    expect(await idsOf()).toEqual([ada]);
    expect((await app.api.platform.get(at(child, `/groups/${team}`)).expect(200)).body.data.memberCount).toBe(0);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('stay in the group while they are suspended or deleted, but deleted users are hidden and can’t be added', async () => {
    const [ada, bob] = [await user(), await user()];
    await add([ada]).expect(200);
    await app.api.platform.post(at(org, `/users/${ada}/suspend`)).expect(200);
    expect(await idsOf()).toEqual([ada]);
    expect(await memberCount()).toBe(1);
    for (const id of [ada, bob]) await app.api.platform.delete(at(org, `/users/${id}`)).expect(204);
    expect(await idsOf()).toEqual([]);
    expect(await memberCount()).toBe(0);
    await add([bob]).expect(400);
    await app.api.platform.get(at(org, `/users/${ada}/groups`)).expect(404);
    await app.api.platform.post(at(org, `/users/${ada}/restore`)).expect(200);
    expect(await idsOf()).toEqual([ada]);
    expect(await memberCount()).toBe(1);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('are erased with the user', async () => {
    const ada = await user();
    await add([ada]).expect(200);
    await app.api.platform.delete(at(org, `/users/${ada}?permanent=true`)).expect(204);
    expect(await app.database.query('SELECT FROM group_members WHERE user_id = $1', [ada])).toEqual([]);
    expect(await app.database.query('SELECT FROM group_members_history WHERE user_id = $1', [ada])).toEqual([]);
    expect(await memberCount()).toBe(0);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('can be guests of another tenant, whose status the group follows', async () => {
    const home = (await newOrganization(app)).id;
    const guest = await user(home);
    await app.api.platform.post(at(org, '/members'), { userId: guest }).expect(201);
    await add([guest]).expect(200);
    expect(await idsOf()).toEqual([guest]);
    await app.api.platform.delete(at(home, `/users/${guest}`)).expect(204);
    expect([await idsOf(), await memberCount()]).toEqual([[], 0]);
    await app.api.platform.post(at(home, `/users/${guest}/restore`)).expect(200);
    expect([await idsOf(), await memberCount()]).toEqual([[guest], 1]);
    await app.api.platform.delete(at(home, `/users/${guest}?permanent=true`)).expect(204);
    expect([await idsOf(), await memberCount()]).toEqual([[], 0]);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('are hidden while the organization that manages them is deleted, and return with it', async () => {
    const child = (await newOrganization(app, { parentId: org })).id;
    const ada = await user(child);
    await app.api.platform.post(at(org, '/members'), { userId: ada }).expect(201);
    await add([ada]).expect(200);
    await app.api.platform.delete(at(child)).expect(204);
    expect([await idsOf(), await memberCount()]).toEqual([[], 0]);
    await app.api.platform.post(at(child, '/restore')).expect(200);
    expect([await idsOf(), await memberCount()]).toEqual([[ada], 1]);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('are shown as the groups of a user', async () => {
    const ada = await user();
    const other = (await made(app, at(org, '/groups'), { name: 'Other' })).id;
    await add([ada]).expect(200);
    await add([ada], at(org, `/groups/${other}/members`)).expect(200);
    const groupsOf = async (query = ''): Promise<TestBody> =>
      (await app.api.platform.get(at(org, `/users/${ada}/groups${query}`)).expect(200)).body;
    expect((await groupsOf()).data.map(({ name, memberCount }: TestBody) => [name, memberCount])).toEqual([
      ['Other', 1],
      ['Engineering', 1],
    ]);
    expect(await groupsOf('?limit=1')).toMatchObject({ data: [{ id: other }], pagination: { total: 2, hasMore: true } });
    expect(await groupsOf(`?after=${other}`)).toMatchObject({ data: [{ id: group }], pagination: { hasMore: false } });
    await app.api.platform.get(at((await newOrganization(app)).id, `/users/${ada}/groups`)).expect(404);
  });

  it('are in the export of the user, also after the removal', async () => {
    const ada = await user();
    await add([ada]).expect(200);
    const exported = async (): Promise<TestBody> =>
      (await app.api.platform.get(at(org, `/users/${ada}/export`)).expect(200)).body;
    expect((await exported()).groups).toMatchObject([{ organizationId: org, groupId: group, groupName: 'Engineering' }]);
    await app.api.platform.delete(`${members}/${ada}`).expect(204);
    const { groups, earlierVersions } = await exported();
    expect(groups).toEqual([]);
    expect(earlierVersions.filter(({ section }: TestBody) => section === 'groups')).toMatchObject([{ data: { groupId: group } }]);
  });

  it('get the roles of the group, which are listed with their permissions', async () => {
    const roles = at(org, `/groups/${group}/roles`);
    const role = (await made(app, at(org, '/roles'), { name: 'billing', permissions: ['invoices:read'] })).id;
    const assigned = await eventsDuring(app, () => app.api.platform.post(roles, { roleId: 'billing' }).expect(201));
    expect(assigned).toMatchObject([
      { type: 'group.role_assigned', data: { group: { id: group }, role: { id: role, name: 'billing' } } },
    ]);
    expect(await eventsDuring(app, () => app.api.platform.post(roles, { roleId: role }).expect(200))).toEqual([]);
    const { body } = await app.api.platform.get(roles).expect(200);
    const assignedAt = expect.any(String);
    expect(body.data).toEqual([{ roleId: role, roleName: 'billing', permissions: ['invoices:read'], assignedAt }]);
    await app.api.platform.post(roles, { roleId: 'nothing' }).expect(404);
    expect((await app.api.platform.post(roles, { roleId: 'owner' }).expect(422)).body.code).toBe('role_not_for_groups');
    const revoked = await eventsDuring(app, () => app.api.platform.delete(`${roles}/billing`).expect(204));
    expect(revoked).toMatchObject([{ type: 'group.role_revoked', data: { role: { id: role } } }]);
    await app.api.platform.delete(`${roles}/billing`).expect(404);
  });
});
