import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import { ApiKeyOwnerCheckService } from '#identity/auth';
import { countDifferences } from '../support/counts.js';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody, TestClient } from '../support/http-client.js';
import { at, checkPermission, keyClient, made, newAddress, newOrganization, newUser, read } from '../support/organizations.js';
import { becomeStale } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const app = testApp();
let org: string;

const user = async (organization = org): Promise<string> => (await newUser(app, organization)).id;
const child = async (parentId = org): Promise<string> => (await newOrganization(app, { parentId })).id;

beforeEach(async () => {
  org = (await newOrganization(app)).id;
});

describe('a group', () => {
  let group: string;
  let members: string;

  const add = (userIds: string[], path = members) => app.api.platform.post(path, { userIds });
  const idsOf = async (query = ''): Promise<string[]> =>
    (await read(app, `${members}${query}`)).map(({ userId }: TestBody) => userId);
  /** Expects these members, and a member count that agrees. */
  const expectMembers = async (...ids: string[]): Promise<void> => {
    expect([await idsOf(), (await read(app, at(org, `/groups/${group}`))).memberCount]).toEqual([ids, ids.length]);
    expect(await countDifferences(app.database)).toEqual([]);
  };

  beforeEach(async () => {
    group = (await made(app, at(org, '/groups'), { name: 'Engineering' })).id;
    members = at(org, `/groups/${group}/members`);
  });

  it('rejects a name that is taken in the organization, even in concurrent requests', async () => {
    const other = await made(app, at(org, '/groups'), { name: 'free' });
    const rename = (name: string) => app.api.platform.patch(at(org, `/groups/${other.id}`), { name });
    await rename('Engineering').expect(409, 'group_name_taken');
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
        await app.api.platform.delete(`${members}/${ada}`).expect(404, 'member_not_found');
      });
      const named = { organization: { id: org }, group: { id: group, name: 'Engineering' } };
      expect(events).toMatchObject([
        { type: 'group.member_added', data: { ...named, user: { id: ada } } },
        { type: 'group.member_added', data: { ...named, user: { id: bob } } },
        { type: 'group.member_removed', data: { ...named, user: { id: ada } } },
      ]);
      await expectMembers(bob);
    });

    it('are listed newest first, by page, by cursor and by search, and have the list of their groups', async () => {
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
      const ada = await user();
      const other = (await made(app, at(org, '/groups'), { name: 'Other' })).id;
      await add([ada]).expect(200);
      await add([ada], at(org, `/groups/${other}/members`)).expect(200);
      const groups = at(org, `/users/${ada}/groups`);
      expect(await read(app, groups)).toMatchObject([
        { name: 'Other', memberCount: 1 },
        { name: 'Engineering', memberCount: 4 },
      ]);
      const { body } = await app.api.platform.get(`${groups}?limit=1`).expect(200);
      expect(body).toMatchObject({ data: [{ id: other }], pagination: { total: 2, hasMore: true } });
      expect(await read(app, `${groups}?after=${other}`)).toMatchObject([{ id: group }]);
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
      await add([group], at(below, `/groups/${team}/members`)).expect(422, 'nested_groups_unsupported');
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
  });

  it('has roles, which are listed with their permissions', async () => {
    const roles = at(org, `/groups/${group}/roles`);
    const role = (await made(app, at(org, '/roles'), { name: 'billing', permissions: ['invoices:read'] })).id;
    await made(app, roles, { roleId: 'billing' });
    expect(await eventsDuring(app, () => app.api.platform.post(roles, { roleId: role }).expect(200))).toEqual([]);
    const assignedAt = expect.any(String);
    expect(await read(app, roles)).toEqual([{ roleId: role, roleName: 'billing', permissions: ['invoices:read'], assignedAt }]);
    await app.api.platform.post(roles, { roleId: 'nothing' }).expect(404);
    await app.api.platform.post(roles, { roleId: 'owner' }).expect(422, 'role_not_for_groups');
    await app.api.platform.delete(`${roles}/billing`).expect(204);
    await app.api.platform.delete(`${roles}/billing`).expect(404);
  });
});

/** The roles of a group are roles of its members, so each change of a group has the rules of role assignments. */
describe('the roles of a group', () => {
  let admins: string;

  const role = async (permissions: string[], organization = org): Promise<string> =>
    (await made(app, at(organization, '/roles'), { name: `Role ${newAddress()}`, permissions })).id;
  const add = (client: TestClient, id: string, userIds: string[], organization = org): PendingResponse =>
    client.post(at(organization, `/groups/${id}/members`), { userIds });
  const group = async (roles: string[], members: string[] = [], organization = org): Promise<string> => {
    const { id } = await made(app, at(organization, '/groups'), { name: `Group ${newAddress()}` });
    for (const roleId of roles) await made(app, at(organization, `/groups/${id}/roles`), { roleId });
    if (members.length > 0) await add(app.api.platform, id, members, organization).expect(200);
    return id;
  };
  const assign = (client: TestClient, id: string, roleId: string): PendingResponse =>
    client.post(at(org, `/groups/${id}/roles`), { roleId });
  const remove = (client: TestClient, id: string, userId: string): PendingResponse =>
    client.delete(at(org, `/groups/${id}/members/${userId}`));
  const rejected = async (request: PendingResponse): Promise<string> => {
    const { body } = await request.expect(403, 'forbidden');
    return body.detail;
  };
  const membersOf = async (id: string): Promise<string[]> =>
    (await read(app, at(org, `/groups/${id}/members`))).map(({ userId }: TestBody) => userId);
  const rolesOf = async (organization: string, id: string): Promise<string[]> =>
    (await read(app, at(organization, `/groups/${id}/roles`))).map(({ roleId }: TestBody) => roleId);
  const check = (userId: string, permission: string, organization = org) =>
    checkPermission(app, organization, userId, permission);
  const helper = async () => signedIn(app, org, { roles: [await role(['groups:*', 'members:*', 'users:*'])] });

  beforeEach(async () => {
    admins = await group(['admin']);
  });

  describe('for a caller with fewer permissions', () => {
    it('are no way to more permissions: the caller can’t join the group, or assign a role to an own group', async () => {
      const everything = await group([await role(['*'])]);
      const [admin, caller] = [await signedIn(app, org, { roles: ['admin'] }), await helper()];
      expect(await rejected(add(admin.client, everything, [admin.id]))).toContain('"Role ');
      await rejected(add(caller.client, admins, [caller.id]));
      await rejected(add(caller.client, admins, [await user()]));
      expect([await membersOf(admins), await membersOf(everything)]).toEqual([[], []]);
      const own = await group([], [caller.id]);
      await rejected(assign(caller.client, own, 'admin'));
      await assign(caller.client, own, await role(['groups:read'])).expect(201);
    });

    it('can’t be revoked from the group or taken from its members, also not by deleting the group or the role', async () => {
      const [member, caller] = [await user(), await helper()];
      await add(app.api.platform, admins, [member]).expect(200);
      await rejected(remove(caller.client, admins, member));
      await rejected(caller.client.delete(at(org, `/groups/${admins}/roles/admin`)));
      await rejected(caller.client.delete(at(org, `/groups/${admins}`)));
      for (const change of [{ name: 'Free for another group' }, { externalId: 'other' }])
        await rejected(caller.client.patch(at(org, `/groups/${admins}`), change));
      await caller.client.patch(at(org, `/groups/${admins}`), { description: 'Described' }).expect(200);
      expect(await membersOf(admins)).toEqual([member]);
      const everything = await role(['*']);
      await group([everything]);
      const admin = await signedIn(app, org, { roles: ['admin'] });
      await rejected(admin.client.delete(at(org, `/roles/${everything}?reassignTo=viewer`)));
    });

    it('protect the members: a help desk can’t suspend or take over a user who is an administrator through a group', async () => {
      const { id } = await signedIn(app, org);
      await add(app.api.platform, admins, [id]).expect(200);
      const { client } = await helper();
      const path = at(org, `/users/${id}`);
      await rejected(client.post(`${path}/suspend`));
      await rejected(client.patch(path, { email: newAddress() }));
      await rejected(client.post(`${path}/password-reset`));
      await rejected(client.delete(at(org, `/members/${id}`)));
      await remove(app.api.platform, admins, id).expect(204);
      await client.post(`${path}/suspend`).expect(200);
    });

    it('keep the caller from moving an organization below the group, and need a recent sign-in as role assignments do', async () => {
      const [left, right] = [await child(), await child()];
      const moved = await child(left);
      await group([await role(['*'], right)], [await user(right)], right);
      const mover = await signedIn(app, org, { roles: ['admin'] });
      await mover.client.post(at(moved, '/move'), { parentId: right }).expect(403, 'forbidden', 'gain');
      const admin = await signedIn(app, org, { roles: ['admin'] });
      await becomeStale(app);
      const [member, viewers] = [await user(), await group(['viewer'])];
      await add(admin.client, admins, [member]).expect(401, 'reauthentication_required');
      await add(admin.client, viewers, [member]).expect(200);
      await assign(admin.client, viewers, 'admin').expect(401);
    });
  });

  it('require members:write for all changes that give or take roles, and groups:write for all changes', async () => {
    const others = ['users:*', 'roles:*', 'webhooks:*', 'api_keys:*', 'events:*', 'sessions:*', 'organizations:*'];
    const writer = await keyClient(app, org, ['groups:*', ...others]);
    const member = await user();
    const [plain, viewers] = [await group([]), await group(['viewer'])];
    await add(writer, plain, [member]).expect(200);
    await remove(writer, plain, member).expect(204);
    expect(await rejected(add(writer, viewers, [member]))).toContain('members:write');
    await add(app.api.platform, viewers, [member]).expect(200);
    await rejected(remove(writer, viewers, member));
    await rejected(assign(writer, plain, 'member'));
    await rejected(writer.delete(at(org, `/groups/${viewers}/roles/viewer`)));
    await rejected(writer.delete(at(org, `/groups/${viewers}`)));
    await rejected(writer.patch(at(org, `/groups/${viewers}`), { name: 'Readers' }));
    await writer.patch(at(org, `/groups/${plain}`), { name: 'Readers' }).expect(200);
    await rejected(add(await keyClient(app, org, ['members:*']), plain, [member]));
    await writer.delete(at(org, `/groups/${plain}`)).expect(204);
  });

  it('report a user who joins a group with roles, and a role of the own group', async () => {
    const [owner, other] = [await signedIn(app, org, { roles: ['owner'] }), await signedIn(app, org, { roles: ['owner'] })];
    const [viewers, own] = [await group(['viewer']), await group([])];
    const events = await eventsDuring(app, async () => {
      await add(owner.client, viewers, [owner.id]).expect(200);
      await add(other.client, own, [other.id]).expect(200);
      await assign(other.client, own, 'viewer').expect(201);
    });
    expect(events.map(({ type, data }) => data.rule ?? type)).toEqual([
      'group.member_added',
      'role_granted_to_self',
      'group.member_added',
      'group.role_assigned',
      'role_granted_to_self',
    ]);
  });

  it('are effective in sessions and checks at once, in the organization and its descendants, while the user is in the group', async () => {
    const below = await child();
    const guest = await signedIn(app, (await newOrganization(app)).id);
    await made(app, at(org, '/members'), { userId: guest.id });
    for (const { id, client } of [await signedIn(app, org), guest]) {
      const statuses = async () =>
        Promise.all([org, below].map(async (where) => (await client.get(at(where, '/webhooks'))).status));
      expect(await statuses()).toEqual([403, 403]);
      for (const end of [
        () => remove(app.api.platform, admins, id).expect(204),
        () => app.api.platform.delete(at(org, `/groups/${admins}/roles/admin`)).expect(204),
        () => app.api.platform.delete(at(org, `/groups/${admins}`)).expect(204),
      ]) {
        admins = await group(['admin'], [id]);
        expect(await statuses()).toEqual([200, 200]);
        const organizations = (await read(client, '/v1/auth/me')).organizations as TestBody[];
        const { roles, permissions } = organizations.find((each) => each.id === org)!;
        expect([roles.map(({ name }: TestBody) => name), permissions.includes('users:*')]).toEqual([['admin', 'member'], true]);
        await end();
        expect(await statuses()).toEqual([403, 403]);
      }
    }
  });

  it('count for API keys and only for active users', async () => {
    const { id, client } = await signedIn(app, org);
    await add(app.api.platform, admins, [id]).expect(200);
    const scopes = ['users:read'];
    const key = await made(client, at(org, '/api-keys'), { name: 'sync', scopes });
    const flags = () =>
      eventsDuring(app, async () => {
        while (await app.app.get(ApiKeyOwnerCheckService).run());
      });
    expect(await flags()).toEqual([]);
    expect(await check(id, 'users:write')).toMatchObject({
      allowed: true,
      because: [{ roleId: 'role_admin', organizationId: org, source: 'group', group: { id: admins }, permission: 'users:*' }],
    });
    await app.api.platform.post(at(org, `/users/${id}/suspend`)).expect(200);
    expect(await check(id, 'users:write')).toEqual({ allowed: false, because: [], refusal: 'user_suspended' });
    await app.api.platform.post(at(org, `/users/${id}/activate`)).expect(200);
    await remove(app.api.platform, admins, id).expect(204);
    expect(await flags()).toMatchObject([
      { type: 'security.api_key_flagged', data: { id: key.id, flag: 'permissions_lost', missing: scopes } },
    ]);
  });

  it('keep a role in use, also in a descendant, until it is replaced or revoked', async () => {
    const below = await child();
    const [billing, reader] = [await role(['invoices:read']), await role(['reports:read'])];
    const ada = await user(below);
    const [one, both] = [await group([billing], [ada], below), await group([billing, reader])];
    await app.api.platform.delete(at(org, `/roles/${billing}`)).expect(409, 'role_in_use');
    await app.api.platform.delete(at(org, `/roles/${billing}?reassignTo=owner`)).expect(422, 'role_not_for_groups');
    await app.api.platform.delete(at(org, `/roles/${billing}?reassignTo=${reader}`)).expect(204);
    expect([await rolesOf(below, one), await rolesOf(org, both)]).toEqual([[reader], [reader]]);
    const allowed = async (permission: string) => (await check(ada, permission, below)).allowed;
    expect([await allowed('invoices:read'), await allowed('reports:read')]).toEqual([false, true]);
    for (const path of [at(below, `/groups/${one}`), at(org, `/groups/${both}`)])
      await app.api.platform.delete(`${path}/roles/${reader}`).expect(204);
    await app.api.platform.delete(at(org, `/roles/${reader}`)).expect(204);
  });

  it('are named in the plan of a move, which waits while the group has a role of a previous ancestor', async () => {
    const [left, right] = [await child(), await child()];
    const moved = await child(left);
    const [loser, gainer, both] = [await user(left), await user(right), await user()];
    for (const organization of [left, right]) await made(app, at(organization, '/members'), { userId: both, role: 'member' });
    const billing = await role(['invoices:read'], left);
    const blocking = await group([billing], [], moved);
    const [previous, next] = [await group(['viewer'], [loser, both], left), await group(['viewer'], [gainer, both], right)];
    const move = () => app.api.platform.post(at(moved, '/move'), { parentId: right });
    await move().expect(409, 'ancestor_role_in_use');
    await app.api.platform.delete(at(moved, `/groups/${blocking}/roles/${billing}`)).expect(204);
    const { gained, lost } = (await move().expect(200)).body.data.permissions;
    const groupsOf = (changes: TestBody[]) =>
      changes.flatMap(({ id, because }) => because.map(({ groupId }: TestBody) => [id, groupId])).filter(([, each]) => each);
    expect([groupsOf(lost), groupsOf(gained)]).toEqual([[[loser, previous]], [[gainer, next]]]);
    const allowed = async (id: string) => (await check(id, 'webhooks:read', moved)).allowed;
    expect([await allowed(loser), await allowed(gainer)]).toEqual([false, true]);
    await app.api.platform.post(at(moved, `/groups/${blocking}/roles`), { roleId: billing }).expect(404);
  });
});
