import { describe, expect, it } from '@jest/globals';
import { ownDomains } from '../support/oidc.js';
import { connectScim, ScimClient, startScim } from '../support/scim.js';
import { later, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

describe('SCIM connections', () => {
  const app = testApp();

  const organization = async (name: string, parentId?: string): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id;
  const at = (org: string, rest = '') => `/v1/organizations/${org}/scim-connections${rest}`;
  const eventsOf = async (run: () => Promise<unknown>): Promise<string[]> => {
    const before = (await app.eventTypes()).length;
    await run();
    return (await app.eventTypes()).slice(before);
  };
  const keyWith = async (org: string, scopes: string[]) =>
    app.api.as(
      (await app.api.platform.post(`/v1/organizations/${org}/api-keys`, { name: 'k', scopes }).expect(201)).body.data.key,
    );

  it('keeps the users and groups of a deleted connection', async () => {
    const { org, scim } = await startScim(app, 'Released');
    const user = (await scim.post('/Users', { userName: 'kept@example.com' }).expect(201)).body;
    const group = (await scim.post('/Groups', { displayName: 'Kept', members: [{ value: user.id }] }).expect(201)).body;
    await app.api.platform.delete(at(org, `/${scim.connectionId}`)).expect(204);
    const { data } = (await app.api.platform.get(`/v1/organizations/${org}/users/${user.id}`).expect(200)).body;
    expect(data).toMatchObject({ status: 'active' });
    expect(data).not.toHaveProperty('managedBy');
    await app.api.platform.patch(`/v1/organizations/${org}/users/${user.id}`, { firstName: 'Free' }).expect(200);
    const kept = (await app.api.platform.get(`/v1/organizations/${org}/groups/${group.id}`).expect(200)).body.data;
    expect(kept).toMatchObject({ managedBy: null, memberCount: 1 });
    await scim.get('/Users').expect(401);
  });

  it('requires all permissions in the organization, because a connection decides about owners', async () => {
    const { org, scim } = await startScim(app, 'Power');
    const other = await organization('Power without connection');
    const admin = await keyWith(org, ['scim:*', 'users:*', 'members:*', 'groups:*']);
    await admin.get(at(org)).expect(200);
    const path = at(org, `/${scim.connectionId}`);
    for (const request of [
      admin.patch(path, { adoptExistingUsers: true }),
      admin.post(`${path}/tokens`, { name: 'mine' }),
      ...['activate', 'roll-back', 'start-preview'].map((action) => admin.post(`${path}/${action}`)),
      admin.delete(path),
      (await keyWith(other, ['scim:*', 'users:*'])).post(at(other), { name: 'x' }),
    ])
      expect((await request.expect(403)).body.code).toBe('forbidden');
    await (await keyWith(org, ['*'])).post(`${path}/tokens`, { name: 'mine' }).expect(201);
  });

  it('continue after their organization moved, with its users and groups', async () => {
    const root = await organization('Moved connection');
    const [left, right] = [await organization('Left', root), await organization('Right', root)];
    const { org, scim } = await startScim(app, 'Moving', { parentId: left });
    const email = 'before@example.com';
    const user = (await scim.post('/Users', { userName: email, emails: [{ value: email }] }).expect(201)).body;
    const members = [{ value: user.id }];
    const group = (await scim.post('/Groups', { displayName: 'Team', members }).expect(201)).body;
    await app.api.platform.post(`/v1/organizations/${org}/move`, { parentId: right }).expect(200);

    expect((await scim.get(`/Groups/${group.id}`).expect(200)).body.members).toMatchObject(members);
    const deactivate = [{ op: 'replace', path: 'active', value: false }];
    expect((await scim.patch(`/Users/${user.id}`, { Operations: deactivate }).expect(200)).body.active).toBe(false);
    const after = 'after@example.com';
    await scim.post('/Users', { userName: after, emails: [{ value: after }] }).expect(201);
    expect((await scim.get('/Users').expect(200)).body.totalResults).toBe(2);
    const [connection] = (await app.api.platform.get(at(org)).expect(200)).body.data;
    expect(connection).toMatchObject({ baseUrl: scim.base, adoptExistingUsers: false, allowLocalChanges: false });
  });

  describe('tokens', () => {
    it('are returned once, rotated with an overlap, and revoked', async () => {
      const { org, scim } = await startScim(app, 'Tokens');
      const tokens = at(org, `/${scim.connectionId}/tokens`);
      const { data } = (await app.api.platform.post(tokens, { name: 'Second' }).expect(201)).body;
      const { token } = data;
      expect(token).toMatch(/^scim\./);
      expect(data.last4).toBe(token.slice(-4));
      expect(JSON.stringify((await app.api.platform.get(tokens).expect(200)).body)).not.toContain(token);
      const second = new ScimClient(app, scim.connectionId, token);
      await second.get('/Users').expect(200);
      const used = (await app.api.platform.get(tokens).expect(200)).body.data.find(({ id }: { id: string }) => id === data.id);
      expect(used.lastUsedAt).not.toBeNull();

      const rotated = (await app.api.platform.post(`${tokens}/${data.id}/rotate`, { expiresInSeconds: 60 }).expect(201)).body
        .data;
      expect(rotated).toMatchObject({ name: 'Second', rotatedFromId: data.id });
      const successor = new ScimClient(app, scim.connectionId, rotated.token);
      await second.get('/Users').expect(200);
      await successor.get('/Users').expect(200);
      expect((await app.api.platform.post(`${tokens}/${data.id}/rotate`, {}).expect(409)).body.code).toBe(
        'scim_token_already_rotated',
      );
      await later(app, 61_000, async () => {
        expect((await second.get('/Users').expect(401)).body.detail).toContain('expired');
      });
      expect(await eventsOf(() => app.api.platform.delete(`${tokens}/${rotated.id}`).expect(204))).toEqual([
        'scim_token.revoked',
      ]);
      expect((await successor.get('/Users').expect(401)).body.detail).toContain('revoked');
      await app.api.platform.delete(`${tokens}/${rotated.id}`).expect(404);
    });

    it('work only from their networks', async () => {
      const { org, scim } = await startScim(app, 'Networks');
      const tokens = at(org, `/${scim.connectionId}/tokens`);
      const create = async (allowedNetworks: string[]) =>
        new ScimClient(
          app,
          scim.connectionId,
          (await app.api.platform.post(tokens, { name: 'x', allowedNetworks }).expect(201)).body.data.token,
        );
      await (await create(['127.0.0.0/8', '::1'])).get('/Users').expect(200);
      expect((await (await create(['203.0.113.0/24'])).get('/Users').expect(403)).body).toMatchObject({ status: '403' });
      await app.api.platform.post(tokens, { name: 'x', allowedNetworks: ['x'] }).expect(400);
      await app.api.platform.post(tokens, { name: 'x', expiresAt: '2020-01-01T00:00:00Z' }).expect(400);
    });

    it('are limited to ten', async () => {
      const { org, scim } = await startScim(app, 'Many');
      const tokens = at(org, `/${scim.connectionId}/tokens`);
      for (let index = 1; index < 10; index++) await app.api.platform.post(tokens, { name: 'x' }).expect(201);
      expect((await app.api.platform.post(tokens, { name: 'x' }).expect(409)).body.code).toBe('scim_token_limit');
    });

    it('work only for their connection, and nothing else works there', async () => {
      const { org, scim } = await startScim(app, 'Own');
      const other = await startScim(app, 'Other');
      const child = await startScim(app, 'Child', { parentId: org });
      for (const connectionId of [other.scim.connectionId, child.scim.connectionId, 'scim_unknown'])
        expect((await new ScimClient(app, connectionId, scim.token).get('/Users').expect(401)).body).toMatchObject({
          status: '401',
          detail: expect.stringContaining('another SCIM connection'),
        });
      for (const credential of [
        app.platformKey,
        'scim.unknown',
        (await app.api.platform.post(`/v1/organizations/${org}/api-keys`, { name: 'k', scopes: ['*'] }).expect(201)).body.data
          .key,
      ])
        await new ScimClient(app, scim.connectionId, credential).get('/Users').expect(401);
      const anonymous = await fetch(`${app.url}/scim/v2/${scim.connectionId}/Users`);
      expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')]);
      const asCaller = app.api.as(scim.token);
      for (const path of [`/v1/organizations/${org}`, `/v1/organizations/${org}/users`, '/v1/organizations', '/v1/auth/me'])
        expect((await asCaller.get(path).expect(403)).body.code).toBe('forbidden');
    });

    it('stop with the organization', async () => {
      const parent = await organization('Parent');
      const { org, scim } = await startScim(app, 'Suspended', { parentId: parent });
      await app.api.platform.post(`/v1/organizations/${parent}/suspend`, {}).expect(200);
      await scim.post('/Users', { userName: 'late@example.com' }).expect(403);
      await app.api.platform.post(`/v1/organizations/${parent}/activate`, {}).expect(200);
      await scim.post('/Users', { userName: 'early@example.com' }).expect(201);
      await app.api.platform.delete(`/v1/organizations/${org}`).expect(204);
      await scim.get('/Users').expect(401);
    });
  });

  describe('isolation', () => {
    it('shows and changes only the users and groups of the connection', async () => {
      const { org, scim } = await startScim(app, 'Parent of two');
      const child = await startScim(app, 'Child of two', { parentId: org });
      const local = (await app.api.platform.post(`/v1/organizations/${org}/users`, { email: 'local@two.example' }).expect(201))
        .body.data;
      const theirs = (await child.scim.post('/Users', { userName: 'child@two.example' }).expect(201)).body;
      const group = (await child.scim.post('/Groups', { displayName: 'Child' }).expect(201)).body;
      const change = { Operations: [{ op: 'replace', path: 'active', value: false }] };
      for (const id of [local.id, theirs.id]) {
        await scim.get(`/Users/${id}`).expect(404);
        await scim.patch(`/Users/${id}`, change).expect(404);
        await scim.put(`/Users/${id}`, { userName: 'x@two.example' }).expect(404);
        await scim.delete(`/Users/${id}`).expect(404);
        await scim.post('/Groups', { displayName: `G ${id}`, members: [{ value: id }] }).expect(400);
      }
      await scim.get(`/Groups/${group.id}`).expect(404);
      await scim.delete(`/Groups/${group.id}`).expect(404);
      expect((await scim.get('/Users').expect(200)).body.totalResults).toBe(0);
      const { body } = await scim.post('/Users', { userName: 'child@two.example' }).expect(409);
      expect(body).toMatchObject({ scimType: 'uniqueness', detail: expect.stringContaining('another connection') });
    });

    it('does not change users with permissions outside the organization', async () => {
      const parent = await organization('Top');
      const { scim } = await startScim(app, 'Below', { parentId: parent });
      const { id } = (await scim.post('/Users', { userName: 'powerful@top.example' }).expect(201)).body;
      await app.api.platform.post(`/v1/organizations/${parent}/members`, { userId: id, role: 'role_admin' }).expect(201);
      const rename = {
        Operations: [{ op: 'replace', path: 'emails', value: [{ value: 'attacker@top.example', primary: true }] }],
      };
      expect((await scim.patch(`/Users/${id}`, rename).expect(403)).body).toMatchObject({ status: '403' });
    });

    it('keeps the last owner', async () => {
      const { org, scim } = await startScim(app, 'Owned');
      const { id } = (await scim.post('/Users', { userName: 'owner@owned.example' }).expect(201)).body;
      await app.api.platform.post(`/v1/organizations/${org}/users/${id}/roles`, { roleId: 'role_owner' }).expect(201);
      const suspend = { Operations: [{ op: 'replace', path: 'active', value: false }] };
      expect((await scim.patch(`/Users/${id}`, suspend).expect(409)).body.detail).toContain('owner');
    });
  });

  describe('adoption of existing users', () => {
    it('takes over a user of a verified domain if the connection allows it', async () => {
      const org = await organization('Adopting');
      const scim = await connectScim(app, org, { adoptExistingUsers: true });
      const { id } = (
        await app.api.platform
          .post(`/v1/organizations/${org}/users`, { email: 'Ann@adopted.example', firstName: 'Ann' })
          .expect(201)
      ).body.data;
      const body = { userName: 'ann@adopted.example', name: { givenName: 'Anna' } };
      expect((await scim.post('/Users', body).expect(409)).body.scimType).toBe('uniqueness');
      await ownDomains(app, org, ['adopted.example']);
      const types = await eventsOf(async () => expect((await scim.post('/Users', body).expect(201)).body.id).toBe(id));
      expect(types).toEqual(['user.updated', 'user.activated', 'user.updated']);
      const { data } = (await app.api.platform.get(`/v1/organizations/${org}/users/${id}`).expect(200)).body;
      expect(data).toMatchObject({ firstName: 'Anna', managedBy: scim.connectionId });
    });

    it('removes the password of another person who signed up with the address', async () => {
      const org = await organization('Signed up');
      await app.api.platform.patch(`/v1/organizations/${org}`, { settings: { allowPublicSignup: true } }).expect(200);
      await ownDomains(app, org, ['signed-up.example']);
      const credentials = (name: string) => ({ organization: org, email: `${name}@signed-up.example`, password: PASSWORD });
      for (const name of ['ann', 'bob']) await app.api.anonymous.post('/v1/auth/sign-up', credentials(name)).expect(202);
      const idOf = async (name: string) =>
        (await app.api.platform.get(`/v1/organizations/${org}/users?email=${name}@signed-up.example`).expect(200)).body.data[0]
          .id;
      await app.api.platform.post(`/v1/organizations/${org}/users/${await idOf('bob')}/suspend`, {}).expect(200);

      const scim = await connectScim(app, org, { adoptExistingUsers: true });
      for (const name of ['ann', 'bob']) {
        const { id } = (await scim.post('/Users', { userName: `${name}@signed-up.example`, active: true }).expect(201)).body;
        for (const value of [false, true])
          await scim.patch(`/Users/${id}`, { Operations: [{ op: 'replace', path: 'active', value }] }).expect(200);
        const { data } = (await app.api.platform.get(`/v1/organizations/${org}/users/${id}`).expect(200)).body;
        expect(data.status).toBe('active');
        await app.api.anonymous.post('/v1/auth/login', credentials(name)).expect(401);
      }
    });

    it('leaves users of other organizations alone', async () => {
      const parent = await organization('Adopting parent');
      await ownDomains(app, parent, ['family.example']);
      const scim = await connectScim(app, await organization('Adopting child', parent), { adoptExistingUsers: true });
      await app.api.platform.post(`/v1/organizations/${parent}/users`, { email: 'boss@family.example' }).expect(201);
      await scim.post('/Users', { userName: 'boss@family.example' }).expect(409);
    });
  });

  describe('changes elsewhere', () => {
    it('are rejected with the connection that manages the resource', async () => {
      const { org, scim } = await startScim(app, 'Managed');
      const user = (await scim.post('/Users', { userName: 'managed@example.com', name: { givenName: 'M' } }).expect(201)).body;
      const group = (await scim.post('/Groups', { displayName: 'Managed', members: [{ value: user.id }] }).expect(201)).body;
      const users = `/v1/organizations/${org}/users/${user.id}`;
      const groups = `/v1/organizations/${org}/groups/${group.id}`;
      const { platform } = app.api;
      const rejected = [
        platform.patch(users, { firstName: 'X' }),
        platform.patch(users, { email: 'x@example.com' }),
        platform.post(`${users}/suspend`, {}),
        platform.delete(users),
        platform.patch(groups, { name: 'X' }),
        platform.delete(groups),
        platform.post(`${groups}/members`, { userIds: [user.id] }),
        platform.delete(`${groups}/members/${user.id}`),
      ];
      for (const request of rejected) {
        const { body } = await request.expect(409);
        expect(body).toMatchObject({ code: 'managed_by_scim', detail: expect.stringContaining(scim.connectionId) });
      }
      await platform.patch(users, { metadata: { a: 1 }, firstName: 'M' }).expect(200);
      await platform.patch(groups, { description: 'Ours' }).expect(200);
      await platform.patch(at(org, `/${scim.connectionId}`), { allowLocalChanges: true }).expect(200);
      await platform.patch(users, { firstName: 'X', email: 'local@example.com' }).expect(200);
      expect((await scim.get(`/Users/${user.id}`).expect(200)).body).toMatchObject({
        name: { givenName: 'X' },
        emails: [{ value: 'local@example.com', primary: true }],
      });
      await platform.delete(`${users}?permanent=true`).expect(204);
      await scim.get(`/Users/${user.id}`).expect(404);
    });
  });
});
