import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeyOwnerCheckService } from '#identity/auth';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody, TestClient } from '../support/http-client.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { becomeStale } from '../support/sign-in.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;

/** The roles of a group are roles of its members, so each change of a group has the rules of role assignments. */
describe('the roles of a group', () => {
  const app = testApp();
  let org: string;
  let admins: string;
  let owner: SignedIn;

  const role = async (name: string, permissions: string[], organization = org): Promise<string> =>
    (await made(app, at(organization, '/roles'), { name, permissions })).id;
  const group = async (roles: string[], organization = org): Promise<string> => {
    const { id } = await made(app, at(organization, '/groups'), { name: `Group ${newAddress()}` });
    for (const roleId of roles) await made(app, at(organization, `/groups/${id}/roles`), { roleId });
    return id;
  };
  const add = (client: TestClient, id: string, userIds: string[], organization = org): PendingResponse =>
    client.post(at(organization, `/groups/${id}/members`), { userIds });
  const remove = (client: TestClient, id: string, userId: string): PendingResponse =>
    client.delete(at(org, `/groups/${id}/members/${userId}`));
  const user = async (organization = org): Promise<string> =>
    (await made(app, at(organization, '/users'), { email: newAddress() })).id;
  const keyWith = async (scopes: string[]): Promise<TestClient> =>
    app.api.as((await made(app, at(org, '/api-keys'), { name: 'k', scopes })).key);
  const rejected = async (request: PendingResponse): Promise<string> => {
    const { body } = await request.expect(403);
    expect(body.code).toBe('forbidden');
    return body.detail;
  };
  const membersOf = async (id: string): Promise<string[]> =>
    (await app.api.platform.get(at(org, `/groups/${id}/members`)).expect(200)).body.data.map(({ userId }: TestBody) => userId);

  beforeEach(async () => {
    org = (await newOrganization(app)).id;
    owner = await signedIn(app, org, { roles: ['owner'] });
    admins = await group(['admin']);
  });

  describe('for a caller with fewer permissions', () => {
    it('are no way to more permissions: the caller can’t join the group', async () => {
      const everything = await group([await role('everything', ['*'])]);
      const admin = await signedIn(app, org, { roles: ['admin'] });
      expect(await rejected(add(admin.client, everything, [admin.id]))).toContain('"everything"');
      const helper = await signedIn(app, org, { roles: [await role('helper', ['groups:*', 'members:*', 'users:*'])] });
      await rejected(add(helper.client, admins, [helper.id]));
      await rejected(add(helper.client, admins, [await user()]));
      expect(await membersOf(admins)).toEqual([]);
      expect(await membersOf(everything)).toEqual([]);
    });

    it('can’t be assigned to a group of the caller', async () => {
      const helper = await signedIn(app, org, { roles: [await role('helper', ['groups:*', 'members:*'])] });
      const own = await group([]);
      await add(helper.client, own, [helper.id]).expect(200);
      await rejected(helper.client.post(at(org, `/groups/${own}/roles`), { roleId: 'admin' }));
      await helper.client.post(at(org, `/groups/${own}/roles`), { roleId: await role('reader', ['groups:read']) }).expect(201);
    });

    it('can’t be revoked from the group or taken from its members, also not by deleting the group', async () => {
      const member = await user();
      await add(app.api.platform, admins, [member]).expect(200);
      const helper = await signedIn(app, org, { roles: [await role('helper', ['groups:*', 'members:*'])] });
      await rejected(remove(helper.client, admins, member));
      await rejected(helper.client.delete(at(org, `/groups/${admins}/roles/admin`)));
      await rejected(helper.client.delete(at(org, `/groups/${admins}`)));
      expect(await membersOf(admins)).toEqual([member]);
    });

    it('protect an owner: an administrator can’t take them from an owner', async () => {
      const viewers = await group(['viewer']);
      await add(app.api.platform, viewers, [owner.id]).expect(200);
      const admin = await signedIn(app, org, { roles: ['admin'] });
      await rejected(remove(admin.client, viewers, owner.id));
      await remove(owner.client, viewers, owner.id).expect(204);
    });

    it('protect the members: a help desk can’t suspend or take over a user who is an administrator through a group', async () => {
      const { id } = await signedIn(app, org);
      await add(app.api.platform, admins, [id]).expect(200);
      const helpDesk = await signedIn(app, org, { roles: [await role('help desk', ['users:*', 'members:*'])] });
      const path = at(org, `/users/${id}`);
      await rejected(helpDesk.client.post(`${path}/suspend`));
      await rejected(helpDesk.client.patch(path, { email: newAddress() }));
      await rejected(helpDesk.client.post(`${path}/password-reset`));
      await rejected(helpDesk.client.delete(at(org, `/members/${id}`)));
      await remove(app.api.platform, admins, id).expect(204);
      await helpDesk.client.post(`${path}/suspend`).expect(200);
    });

    it('protect the group with break-glass access and stale sign-ins, as role assignments', async () => {
      const admin = await signedIn(app, org, { roles: ['admin'] });
      await becomeStale(app);
      const member = await user();
      expect((await add(admin.client, admins, [member]).expect(401)).body.code).toBe('reauthentication_required');
      const viewers = await group(['viewer']);
      await add(admin.client, viewers, [member]).expect(200);
      await admin.client.post(at(org, `/groups/${viewers}/roles`), { roleId: 'admin' }).expect(401);
    });
  });

  describe('require members:write', () => {
    it('for all changes that give or take roles, but not for groups without roles', async () => {
      const writer = await keyWith([
        'groups:*',
        'users:*',
        'roles:*',
        'webhooks:*',
        'api_keys:*',
        'events:*',
        'sessions:*',
        'organizations:*',
      ]);
      const [plain, viewers, member] = [await group([]), await group(['viewer']), await user()];
      await add(writer, plain, [member]).expect(200);
      await remove(writer, plain, member).expect(204);
      expect(await rejected(add(writer, viewers, [member]))).toContain('members:write');
      await add(app.api.platform, viewers, [member]).expect(200);
      await rejected(remove(writer, viewers, member));
      await rejected(writer.post(at(org, `/groups/${plain}/roles`), { roleId: 'member' }));
      await rejected(writer.delete(at(org, `/groups/${viewers}/roles/viewer`)));
      await rejected(writer.delete(at(org, `/groups/${viewers}`)));
      await writer.patch(at(org, `/groups/${viewers}`), { name: 'Readers' }).expect(200);
      await writer.delete(at(org, `/groups/${plain}`)).expect(204);
    });

    it('and groups:write, which members:write does not include', async () => {
      const writer = await keyWith(['members:*']);
      await rejected(add(writer, await group([]), [await user()]));
    });
  });

  it('report a user who joins a group with roles, and a role of the own group', async () => {
    const viewers = await group(['viewer']);
    const events = await eventsDuring(app, () => add(owner.client, viewers, [owner.id]).expect(200));
    expect(events).toMatchObject([
      { type: 'group.member_added' },
      { type: 'security.suspicious_activity', data: { rule: 'role_granted_to_self' } },
    ]);
    const other = await signedIn(app, org, { roles: ['owner'] });
    const own = await group([]);
    await add(other.client, own, [other.id]).expect(200);
    const assigned = await eventsDuring(app, () =>
      other.client.post(at(org, `/groups/${own}/roles`), { roleId: 'viewer' }).expect(201),
    );
    expect(assigned.map(({ type }) => type)).toEqual(['group.role_assigned', 'security.suspicious_activity']);
  });

  describe('are effective', () => {
    it('in sessions at once, in the organization and its descendants, until the user leaves the group', async () => {
      const person = await signedIn(app, org);
      const child = (await newOrganization(app, { parentId: org })).id;
      const read = (where: string) => person.client.get(at(where, '/webhooks'));
      await read(org).expect(403);
      await add(app.api.platform, admins, [person.id]).expect(200);
      for (const where of [org, child]) await read(where).expect(200);
      const { organizations } = (await person.client.get('/v1/auth/me').expect(200)).body.data;
      expect(organizations).toMatchObject([{ role: 'member', roles: [{ name: 'admin' }, { name: 'member' }] }]);
      expect(organizations[0].permissions).toContain('users:*');
      await remove(app.api.platform, admins, person.id).expect(204);
      for (const where of [org, child]) expect((await read(where)).status).toBeGreaterThanOrEqual(403);
    });

    it.each([
      ['the role is revoked', () => app.api.platform.delete(at(org, `/groups/${admins}/roles/admin`)).expect(204)],
      ['the group is deleted', () => app.api.platform.delete(at(org, `/groups/${admins}`)).expect(204)],
    ])('in sessions until %s', async (_when, end) => {
      const person = await signedIn(app, org);
      await add(app.api.platform, admins, [person.id]).expect(200);
      await person.client.get(at(org, '/webhooks')).expect(200);
      await end();
      await person.client.get(at(org, '/webhooks')).expect(403);
    });

    it('for API keys: a key of a user who loses permissions with the group is flagged', async () => {
      const person = await signedIn(app, org);
      await add(app.api.platform, admins, [person.id]).expect(200);
      const scopes = ['users:read'];
      const { id } = (await person.client.post(at(org, '/api-keys'), { name: 'sync', scopes }).expect(201)).body.data;
      const check = async (): Promise<void> => {
        while (await app.app.get(ApiKeyOwnerCheckService).run());
      };
      await check();
      expect((await app.api.platform.get(at(org, `/api-keys/${id}`)).expect(200)).body.data.flag).toBeNull();
      await remove(app.api.platform, admins, person.id).expect(204);
      expect(await eventsDuring(app, check)).toMatchObject([
        { type: 'security.api_key_flagged', data: { id, flag: 'permissions_lost', missing: scopes } },
      ]);
    });

    it('for guests of other tenants', async () => {
      const home = (await newOrganization(app)).id;
      const guest = await signedIn(app, home);
      await app.api.platform.post(at(org, '/members'), { userId: guest.id }).expect(201);
      await guest.client.get(at(org, '/webhooks')).expect(403);
      await add(app.api.platform, admins, [guest.id]).expect(200);
      await guest.client.get(at(org, '/webhooks')).expect(200);
      await guest.client.get(at(home, '/webhooks')).expect(403);
    });

    it('only for active users', async () => {
      const id = await user();
      await add(app.api.platform, admins, [id]).expect(200);
      const check = async (): Promise<TestBody> =>
        (await app.api.platform.post(at(org, '/permissions/check'), { userId: id, permission: 'users:write' }).expect(200)).body
          .data;
      expect(await check()).toEqual({
        allowed: true,
        because: [
          {
            roleId: 'role_admin',
            roleName: 'admin',
            organizationId: org,
            source: 'group',
            group: { id: admins, name: expect.any(String) },
            permission: 'users:*',
          },
        ],
      });
      await app.api.platform.post(at(org, `/users/${id}/suspend`)).expect(200);
      expect(await check()).toEqual({ allowed: false, because: [], refusal: 'user_suspended' });
      await app.api.platform.delete(at(org, `/users/${id}`)).expect(204);
      expect(await check()).toEqual({ allowed: false, because: [], refusal: 'user_deleted' });
    });
  });
});
