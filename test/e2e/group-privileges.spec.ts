import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeyOwnerCheckService } from '#identity/auth';
import { OrganizationPurgeService } from '#directory/organizations';
import { countDifferences } from '../support/counts.js';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody, TestClient } from '../support/http-client.js';
import { at, keyClient, made, newAddress, newOrganization, read } from '../support/organizations.js';
import { becomeStale, later } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const MONTH_MS = 31 * 86_400_000;

/** The roles of a group are roles of its members, so each change of a group has the rules of role assignments. */
describe('the roles of a group', () => {
  const app = testApp();
  let org: string;
  let admins: string;

  const child = async (parentId: string): Promise<string> => (await newOrganization(app, { parentId })).id;
  const role = async (permissions: string[], organization = org): Promise<string> =>
    (await made(app, at(organization, '/roles'), { name: `Role ${newAddress()}`, permissions })).id;
  const user = async (organization = org): Promise<string> =>
    (await made(app, at(organization, '/users'), { email: newAddress() })).id;
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
    const { body } = await request.expect(403);
    expect(body.code).toBe('forbidden');
    return body.detail;
  };
  const membersOf = async (id: string): Promise<string[]> =>
    (await read(app, at(org, `/groups/${id}/members`))).map(({ userId }: TestBody) => userId);
  const rolesOf = async (organization: string, id: string): Promise<string[]> =>
    (await read(app, at(organization, `/groups/${id}/roles`))).map(({ roleId }: TestBody) => roleId);
  const check = async (userId: string, permission: string, organization = org): Promise<TestBody> =>
    (await app.api.platform.post(at(organization, '/permissions/check'), { userId, permission }).expect(200)).body.data;
  const helper = async () => signedIn(app, org, { roles: [await role(['groups:*', 'members:*', 'users:*'])] });

  beforeEach(async () => {
    org = (await newOrganization(app)).id;
    admins = await group(['admin']);
  });

  describe('for a caller with fewer permissions', () => {
    it('are no way to more permissions: the caller can’t join the group', async () => {
      const everything = await group([await role(['*'])]);
      const [admin, caller] = [await signedIn(app, org, { roles: ['admin'] }), await helper()];
      expect(await rejected(add(admin.client, everything, [admin.id]))).toContain('"Role ');
      await rejected(add(caller.client, admins, [caller.id]));
      await rejected(add(caller.client, admins, [await user()]));
      expect([await membersOf(admins), await membersOf(everything)]).toEqual([[], []]);
    });

    it('can’t be assigned to a group of the caller', async () => {
      const caller = await helper();
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

    it('protect the group with a stale sign-in, as role assignments', async () => {
      const admin = await signedIn(app, org, { roles: ['admin'] });
      await becomeStale(app);
      const [member, viewers] = [await user(), await group(['viewer'])];
      expect((await add(admin.client, admins, [member]).expect(401)).body.code).toBe('reauthentication_required');
      await add(admin.client, viewers, [member]).expect(200);
      await assign(admin.client, viewers, 'admin').expect(401);
    });

    it('keep the caller from moving an organization below the group', async () => {
      const [left, right] = [await child(org), await child(org)];
      const moved = await child(left);
      await group([await role(['*'], right)], [await user(right)], right);
      const mover = await signedIn(app, org, { roles: ['admin'] });
      const { body } = await mover.client.post(at(moved, '/move'), { parentId: right }).expect(403);
      expect(body.detail).toContain('gain');
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
    await writer.patch(at(org, `/groups/${viewers}`), { name: 'Readers' }).expect(200);
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
    const below = await child(org);
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
        const organizations = (await client.get('/v1/auth/me').expect(200)).body.data.organizations as TestBody[];
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
    const key = (await client.post(at(org, '/api-keys'), { name: 'sync', scopes }).expect(201)).body.data;
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
    const below = await child(org);
    const [billing, reader] = [await role(['invoices:read']), await role(['reports:read'])];
    const ada = await user(below);
    const [one, both] = [await group([billing], [ada], below), await group([billing, reader])];
    expect((await app.api.platform.delete(at(org, `/roles/${billing}`)).expect(409)).body.code).toBe('role_in_use');
    const owner = await app.api.platform.delete(at(org, `/roles/${billing}?reassignTo=owner`)).expect(422);
    expect(owner.body.code).toBe('role_not_for_groups');
    await app.api.platform.delete(at(org, `/roles/${billing}?reassignTo=${reader}`)).expect(204);
    expect([await rolesOf(below, one), await rolesOf(org, both)]).toEqual([[reader], [reader]]);
    const allowed = async (permission: string) => (await check(ada, permission, below)).allowed;
    expect([await allowed('invoices:read'), await allowed('reports:read')]).toEqual([false, true]);
    for (const path of [at(below, `/groups/${one}`), at(org, `/groups/${both}`)])
      await app.api.platform.delete(`${path}/roles/${reader}`).expect(204);
    await app.api.platform.delete(at(org, `/roles/${reader}`)).expect(204);
  });

  it('are named in the plan of a move, which waits while the group has a role of a previous ancestor', async () => {
    const [left, right] = [await child(org), await child(org)];
    const moved = await child(left);
    const [loser, gainer, both] = [await user(left), await user(right), await user()];
    for (const organization of [left, right]) await made(app, at(organization, '/members'), { userId: both, role: 'member' });
    const billing = await role(['invoices:read'], left);
    const blocking = await group([billing], [], moved);
    const [previous, next] = [await group(['viewer'], [loser, both], left), await group(['viewer'], [gainer, both], right)];
    const move = () => app.api.platform.post(at(moved, '/move'), { parentId: right });
    expect((await move().expect(409)).body.code).toBe('ancestor_role_in_use');
    await app.api.platform.delete(at(moved, `/groups/${blocking}/roles/${billing}`)).expect(204);
    const { gained, lost } = (await move().expect(200)).body.data.permissions;
    const groupsOf = (changes: TestBody[]) =>
      changes.flatMap(({ id, because }) => because.map(({ groupId }: TestBody) => [id, groupId])).filter(([, each]) => each);
    expect([groupsOf(lost), groupsOf(gained)]).toEqual([[[loser, previous]], [[gainer, next]]]);
    const allowed = async (id: string) => (await check(id, 'webhooks:read', moved)).allowed;
    expect([await allowed(loser), await allowed(gainer)]).toEqual([false, true]);
    await app.api.platform.post(at(moved, `/groups/${blocking}/roles`), { roleId: billing }).expect(404);
  });

  it('are lost when the organization that manages the member is purged', async () => {
    const below = await child(org);
    const ada = await user(below);
    await made(app, at(org, '/members'), { userId: ada });
    const id = await group(['viewer'], [ada, await user()]);
    await app.api.platform.delete(at(below)).expect(204);
    await later(app, MONTH_MS, () => app.app.get(OrganizationPurgeService).purgeDue());
    expect(await app.database.query('SELECT user_id FROM group_members WHERE group_id = $1', [id])).toHaveLength(1);
    expect((await read(app, at(org, `/groups/${id}`))).memberCount).toBe(1);
    expect(await countDifferences(app.database)).toEqual([]);
  });
});
