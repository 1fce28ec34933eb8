import { describe, expect, it } from '@jest/globals';
import { typesDuring } from '../support/events-during.js';
import { ownDomains } from '../support/oidc.js';
import { at, keyClient, made, newOrganization, read } from '../support/organizations.js';
import { connectScim, patch, ScimClient, setActive, startScim } from '../support/scim.js';
import { activeUser, later, login, PASSWORD, sessionToken } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

describe('SCIM connections', () => {
  const app = testApp();

  const organization = async (name: string, parentId?: string): Promise<string> =>
    (await newOrganization(app, { name, parentId })).id;

  it('keeps the users and groups of a deleted connection', async () => {
    const { org, scim, path } = await startScim(app, 'Released');
    const user = await scim.create('/Users', { userName: 'kept@example.com' });
    const group = await scim.create('/Groups', { displayName: 'Kept', members: [{ value: user.id }] });
    await app.api.platform.delete(path).expect(204);
    expect(await read(app, at(org, `/users/${user.id}`))).not.toHaveProperty('managedBy');
    await app.api.platform.patch(at(org, `/users/${user.id}`), { firstName: 'Free' }).expect(200);
    expect(await read(app, at(org, `/groups/${group.id}`))).toMatchObject({ managedBy: null, memberCount: 1 });
    await scim.get('/Users').expect(401);
  });

  it('requires all permissions in the organization, because a connection decides about owners', async () => {
    const { org, path } = await startScim(app, 'Power');
    const other = await organization('Power without connection');
    const admin = await keyClient(app, org, ['scim:*', 'users:*', 'members:*', 'groups:*']);
    await admin.get(at(org, '/scim-connections')).expect(200);
    for (const request of [
      admin.patch(path, { adoptExistingUsers: true }),
      admin.post(`${path}/tokens`, { name: 'mine' }),
      admin.delete(`${path}/tokens/${(await read(app, `${path}/tokens`))[0].id}`),
      ...['activate', 'roll-back', 'start-preview'].map((action) => admin.post(`${path}/${action}`)),
      admin.delete(path),
      (await keyClient(app, other, ['scim:*', 'users:*'])).post(at(other, '/scim-connections'), { name: 'x' }),
    ])
      await request.expect(403, 'forbidden');
    await (await keyClient(app, org, ['*'])).post(`${path}/tokens`, { name: 'mine' }).expect(201);
  });

  it('continue after their organization moved, with its users and groups', async () => {
    const root = await organization('Moved connection');
    const [left, right] = [await organization('Left', root), await organization('Right', root)];
    const { org, scim } = await startScim(app, 'Moving', { parentId: left });
    const email = 'before@example.com';
    const user = await scim.create('/Users', { userName: email, emails: [{ value: email }] });
    const members = [{ value: user.id }];
    const group = await scim.create('/Groups', { displayName: 'Team', members });
    await app.api.platform.post(at(org, '/move'), { parentId: right }).expect(200);

    expect((await scim.read(`/Groups/${group.id}`)).members).toMatchObject(members);
    expect((await scim.patch(`/Users/${user.id}`, setActive(false)).expect(200)).body.active).toBe(false);
    const after = 'after@example.com';
    await scim.post('/Users', { userName: after, emails: [{ value: after }] }).expect(201);
    expect((await scim.read('/Users')).totalResults).toBe(2);
    const [connection] = await read(app, at(org, '/scim-connections'));
    expect(connection).toMatchObject({ baseUrl: scim.base, adoptExistingUsers: false, allowLocalChanges: false });
  });

  describe('tokens', () => {
    it('are returned once, rotated with an overlap, and revoked', async () => {
      const { scim, path } = await startScim(app, 'Tokens');
      const tokens = `${path}/tokens`;
      const { id, token, last4 } = await made(app, tokens, { name: 'Second' });
      expect(token).toMatch(/^scim\./);
      expect(last4).toBe(token.slice(-4));
      const second = new ScimClient(app, scim.connectionId, token);
      await second.get('/Users').expect(200);
      const shown = await read(app, tokens);
      expect(JSON.stringify(shown)).not.toContain(token);
      expect(shown).toContainEqual(expect.objectContaining({ id, lastUsedAt: expect.any(String) }));

      const rotated = await made(app, `${tokens}/${id}/rotate`, { expiresInSeconds: 60 });
      expect(rotated).toMatchObject({ name: 'Second', rotatedFromId: id });
      const successor = new ScimClient(app, scim.connectionId, rotated.token);
      await second.get('/Users').expect(200);
      await successor.get('/Users').expect(200);
      await app.api.platform.post(`${tokens}/${id}/rotate`, {}).expect(409, 'scim_token_already_rotated');
      await later(app, 61_000, async () => {
        expect((await second.get('/Users').expect(401)).body.detail).toContain('expired');
      });
      const revoke = () => app.api.platform.delete(`${tokens}/${rotated.id}`).expect(204);
      expect(await typesDuring(app, revoke)).toEqual(['scim_token.revoked']);
      expect((await successor.get('/Users').expect(401)).body.detail).toContain('revoked');
      await app.api.platform.delete(`${tokens}/${rotated.id}`).expect(404);
    });

    it('work only from their networks, and are limited to ten', async () => {
      const { scim, path } = await startScim(app, 'Networks');
      const tokens = `${path}/tokens`;
      const create = async (allowedNetworks: string[]) =>
        new ScimClient(app, scim.connectionId, (await made(app, tokens, { name: 'x', allowedNetworks })).token);
      await (await create(['127.0.0.0/8', '::1'])).get('/Users').expect(200);
      expect((await (await create(['203.0.113.0/24'])).get('/Users').expect(403)).body).toMatchObject({ status: '403' });
      await app.api.platform.post(tokens, { name: 'x', allowedNetworks: ['x'] }).expect(400);
      await app.api.platform.post(tokens, { name: 'x', expiresAt: '2020-01-01T00:00:00Z' }).expect(400);
      for (let index = 3; index < 10; index++) await app.api.platform.post(tokens, { name: 'x' }).expect(201);
      await app.api.platform.post(tokens, { name: 'x' }).expect(409, 'scim_token_limit');
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
        (await made(app, at(org, '/api-keys'), { name: 'k', scopes: ['*'] })).key,
      ])
        await new ScimClient(app, scim.connectionId, credential).get('/Users').expect(401);
      const anonymous = await fetch(`${app.url}/scim/v2/${scim.connectionId}/Users`);
      expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')]);
      const asCaller = app.api.as(scim.token);
      for (const path of [at(org), at(org, '/users'), '/v1/organizations', '/v1/auth/me'])
        await asCaller.get(path).expect(403, 'forbidden');
    });

    it('stop with the organization', async () => {
      const parent = await organization('Parent');
      const { org, scim } = await startScim(app, 'Suspended', { parentId: parent });
      await app.api.platform.post(at(parent, '/suspend'), {}).expect(200);
      await scim.post('/Users', { userName: 'late@example.com' }).expect(403);
      await app.api.platform.post(at(parent, '/activate'), {}).expect(200);
      await scim.post('/Users', { userName: 'early@example.com' }).expect(201);
      await app.api.platform.delete(at(org)).expect(204);
      await scim.get('/Users').expect(401);
    });
  });

  describe('isolation', () => {
    it('shows and changes only the users and groups of the connection', async () => {
      const { org, scim } = await startScim(app, 'Parent of two');
      const child = await startScim(app, 'Child of two', { parentId: org });
      const local = await made(app, at(org, '/users'), { email: 'local@two.example' });
      const theirs = await child.scim.create('/Users', { userName: 'child@two.example' });
      const group = await child.scim.create('/Groups', { displayName: 'Child' });
      for (const id of [local.id, theirs.id]) {
        await scim.get(`/Users/${id}`).expect(404);
        await scim.patch(`/Users/${id}`, setActive(false)).expect(404);
        await scim.put(`/Users/${id}`, { userName: 'x@two.example' }).expect(404);
        await scim.delete(`/Users/${id}`).expect(404);
        await scim.post('/Groups', { displayName: `G ${id}`, members: [{ value: id }] }).expect(400);
      }
      await scim.get(`/Groups/${group.id}`).expect(404);
      await scim.delete(`/Groups/${group.id}`).expect(404);
      expect((await scim.read('/Users')).totalResults).toBe(0);
      await scim.post('/Users', { userName: 'child@two.example' }).expect(409, 'uniqueness', 'another connection');
    });

    it('does not change users with permissions outside the organization, and keeps the last owner', async () => {
      const parent = await organization('Top');
      const { scim } = await startScim(app, 'Below', { parentId: parent });
      const { id } = await scim.create('/Users', { userName: 'powerful@top.example' });
      await app.api.platform.post(at(parent, '/members'), { userId: id, role: 'role_admin' }).expect(201);
      const rename = { op: 'replace', path: 'emails', value: [{ value: 'attacker@top.example', primary: true }] };
      expect((await scim.patch(`/Users/${id}`, patch(rename)).expect(403)).body).toMatchObject({ status: '403' });
      const { org, scim: owned } = await startScim(app, 'Owned');
      const { id: owner } = await owned.create('/Users', { userName: 'owner@owned.example' });
      await app.api.platform.post(at(org, `/users/${owner}/roles`), { roleId: 'role_owner' }).expect(201);
      expect((await owned.patch(`/Users/${owner}`, setActive(false)).expect(409)).body.detail).toContain('owner');
    });
  });

  describe('adoption of existing users', () => {
    it('takes over a user of a verified domain if the connection allows it', async () => {
      const org = await organization('Adopting');
      const scim = await connectScim(app, org, { adoptExistingUsers: true });
      const { id } = await made(app, at(org, '/users'), { email: 'Ann@adopted.example', firstName: 'Ann' });
      const body = { userName: 'ann@adopted.example', name: { givenName: 'Anna' } };
      await scim.post('/Users', body).expect(409, 'uniqueness');
      await ownDomains(app, org, ['adopted.example']);
      const types = await typesDuring(app, async () => expect((await scim.create('/Users', body)).id).toBe(id));
      expect(types).toEqual(['user.updated', 'user.activated', 'user.updated']);
      expect(await read(app, at(org, `/users/${id}`))).toMatchObject({ firstName: 'Anna', managedBy: scim.connectionId });
    });

    it('removes the password of another person who signed up with the address', async () => {
      const org = await organization('Signed up');
      await app.api.platform.patch(at(org), { settings: { allowPublicSignup: true } }).expect(200);
      await ownDomains(app, org, ['signed-up.example']);
      const credentials = (name: string) => ({ organization: org, email: `${name}@signed-up.example`, password: PASSWORD });
      for (const name of ['ann', 'bob']) await app.api.anonymous.post('/v1/auth/sign-up', credentials(name)).expect(202);
      const idOf = async (name: string) => (await read(app, at(org, `/users?email=${name}@signed-up.example`)))[0].id;
      await app.api.platform.post(at(org, `/users/${await idOf('bob')}/suspend`), {}).expect(200);

      const scim = await connectScim(app, org, { adoptExistingUsers: true });
      for (const name of ['ann', 'bob']) {
        const { id } = await scim.create('/Users', { userName: `${name}@signed-up.example`, active: true });
        for (const value of [false, true]) await scim.patch(`/Users/${id}`, setActive(value)).expect(200);
        expect((await read(app, at(org, `/users/${id}`))).status).toBe('active');
        await app.api.anonymous.post('/v1/auth/login', credentials(name)).expect(401);
      }
    });

    it.each(['renamed', 'imported'])('removes the access to an account that was %s to the address', async (how) => {
      const org = await organization(`Access ${how}`);
      const domain = `access-${how}.example`;
      await ownDomains(app, org, [domain]);
      const email = `cleo@${domain}`;
      const before = how === 'renamed' ? `old@${domain}` : email;
      const { id } = await activeUser(app, org, { email: before, roles: ['role_admin'] });
      const session = app.api.as(await sessionToken(app, org, before));
      const { key } = await made(session, at(org, '/api-keys'), { name: 'k', scopes: ['users:read'] });
      const client = { name: 'c', type: 'machine', resources: [{ identifier: app.config.baseUrl, scopes: ['users:read'] }] };
      const { id: clientId } = await made(session, at(org, '/oauth-clients'), client);
      if (how === 'renamed') await app.api.platform.patch(at(org, `/users/${id}`), { email }).expect(200);
      // An import can only claim that the address is verified.
      else await app.database.query('UPDATE users SET email_confirmed = false WHERE id = $1', [id]);
      const scim = await connectScim(app, org, { adoptExistingUsers: true });
      expect((await scim.create('/Users', { userName: email })).id).toBe(id);
      await login(app, org, email).expect(401);
      await session.get('/v1/auth/me').expect(401);
      await app.api.as(key).get(at(org, '/users')).expect(401);
      expect((await read(app, at(org, `/oauth-clients/${clientId}`))).enabled).toBe(false);
    });

    it('leaves users of other organizations alone', async () => {
      const parent = await organization('Adopting parent');
      await ownDomains(app, parent, ['family.example']);
      const scim = await connectScim(app, await organization('Adopting child', parent), { adoptExistingUsers: true });
      await app.api.platform.post(at(parent, '/users'), { email: 'boss@family.example' }).expect(201);
      await scim.post('/Users', { userName: 'boss@family.example' }).expect(409);
    });
  });

  it('reject changes elsewhere, with the connection that manages the resource', async () => {
    const { org, scim, path } = await startScim(app, 'Managed');
    const user = await scim.create('/Users', { userName: 'managed@example.com', name: { givenName: 'M' } });
    const group = await scim.create('/Groups', { displayName: 'Managed', members: [{ value: user.id }] });
    const users = at(org, `/users/${user.id}`);
    const groups = at(org, `/groups/${group.id}`);
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
      platform.delete(at(org, `/members/${user.id}`)),
    ];
    const managed = { code: 'managed_by_scim', detail: expect.stringContaining(scim.connectionId) };
    for (const request of rejected) expect((await request.expect(409)).body).toMatchObject(managed);
    await platform.patch(users, { metadata: { a: 1 }, firstName: 'M' }).expect(200);
    await platform.patch(groups, { description: 'Ours' }).expect(200);
    await platform.patch(path, { allowLocalChanges: true }).expect(200);
    await platform.patch(users, { firstName: 'X', email: 'local@example.com' }).expect(200);
    expect(await scim.read(`/Users/${user.id}`)).toMatchObject({
      name: { givenName: 'X' },
      emails: [{ value: 'local@example.com', primary: true }],
    });
    await platform.delete(`${users}?permanent=true`).expect(204);
    await scim.get(`/Users/${user.id}`).expect(404);
  });
});
