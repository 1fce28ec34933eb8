import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import type { TestClient, TestResponse } from '../support/http-client.js';
import { at, checkPermission, keyClient, made, newAddress, newOrganization, newUser, read } from '../support/organizations.js';
import { verifiedSession } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const app = testApp();

/** The permissions of the caller, an administrator without a few critical permissions. */
const CALLER_PERMISSIONS = [
  'users:*',
  'organizations:*',
  'members:*',
  'roles:*',
  'webhooks:read',
  'api_keys:*',
  'permissions:grant',
];

/** All ways of granting permissions. The API key has `permissions:grant`, which allows granting application permissions. */
describe('the grant check', () => {
  let organizationId: string;
  let key: TestClient;
  let member: string;
  let next = 0;

  const role = async (permissions: string[]): Promise<string> =>
    (await made(app, at(organizationId, '/roles'), { name: `granting ${++next}`, permissions })).id;

  const withDefaultRole = async (permissions: string[]): Promise<string> => {
    const settings = { defaultRole: await role(permissions) };
    return (await newOrganization(app, { parentId: organizationId, settings })).id;
  };

  beforeAll(async () => {
    organizationId = (await newOrganization(app)).id;
    key = await keyClient(app, organizationId, CALLER_PERMISSIONS);
    member = (await newUser(app, organizationId)).id;
  });

  const inOrganization = (rest: string): string => at(organizationId, rest);
  const WAYS: Record<string, (permissions: string[]) => Promise<TestResponse>> = {
    'creating a role': (permissions) => key.post(inOrganization('/roles'), { name: `way ${++next}`, permissions }),
    'changing a role': async (permissions) =>
      key.patch(inOrganization(`/roles/${await role(['x:y'])}`), { permissions: ['x:y', ...permissions] }),
    'assigning a role': async (permissions) =>
      key.post(inOrganization(`/users/${member}/roles`), { roleId: await role(permissions) }),
    'adding a member with a role': async (permissions) =>
      key.post(inOrganization('/members'), { userId: member, role: await role(permissions) }),
    'creating a user with a role': async (permissions) =>
      key.post(inOrganization('/users'), { email: newAddress(), roles: [await role(permissions)] }),
    'setting a default role': async (permissions) =>
      key.patch(inOrganization(''), { settings: { defaultRole: await role(permissions) } }),
    'setting a default role in a new organization': async (permissions) => {
      const settings = { defaultRole: await role(permissions) };
      return key.post('/v1/organizations', { name: 'New', parentId: organizationId, settings });
    },
    'replacing a deleted role': async (permissions) => {
      const leaving = await role(['x:y']);
      await made(app, inOrganization(`/users/${member}/roles`), { roleId: leaving });
      return key.delete(inOrganization(`/roles/${leaving}?reassignTo=${await role(permissions)}`));
    },
    'giving the default role to a new user': async (permissions) =>
      key.post(at(await withDefaultRole(permissions), '/users'), { email: newAddress() }),
    'giving the default role to a new member': async (permissions) =>
      key.post(at(await withDefaultRole(permissions), '/members'), { userId: member }),
    'giving the default role to an imported user': async (permissions) => {
      const path = at(await withDefaultRole(permissions), '/users/import');
      const line = `${JSON.stringify({ email: newAddress() })}\n`;
      const imported = await key.raw('POST', path, line, { 'content-type': 'application/x-ndjson' });
      const { status, error } = JSON.parse(String(imported.body).split('\n', 1)[0]!);
      return status === 'failed' ? { ...imported, status: 403, body: { code: error.code, detail: error.message } } : imported;
    },
    'opening the sign-up, which gives the default role': async (permissions) =>
      key.patch(at(await withDefaultRole(permissions)), { settings: { allowPublicSignup: true } }),
    'opening the sign-up of a new organization, which inherits the default role': async (permissions) =>
      key.post('/v1/organizations', {
        name: 'Open',
        parentId: await withDefaultRole(permissions),
        settings: { allowPublicSignup: true },
      }),
    'giving the default role by revoking the last role': async (permissions) => {
      const child = await withDefaultRole(permissions);
      await made(app, at(child, '/members'), { userId: member, role: 'member' });
      return key.delete(at(child, `/users/${member}/roles/member`));
    },
  };

  it.each(Object.entries(WAYS))('rejects permissions that the caller lacks when %s', async (_name, attempt) => {
    for (const [permissions, lacking] of [
      [['webhooks:write'], 'webhooks:write'],
      [['webhooks:*'], 'webhooks:*'],
      [['*'], '*'],
      [['users:read', 'break_glass:approve', 'own:thing'], 'break_glass:approve'],
    ] as [string[], string][]) {
      const { status, body } = await attempt(permissions);
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'forbidden' });
      expect(body.detail).toContain(lacking);
      expect(body.detail).not.toContain('users:read');
    }
    const { status, body } = await attempt(['users:*', 'webhooks:read', 'own:*', 'own:thing']);
    expect([Math.floor(status / 100), body?.detail]).toEqual([2, undefined]);
  });

  it.each([['webhooks:write'], ['webhooks:*'], ['*'], ['sessions:read']])(
    'rejects an API key with the permission %s, which the caller lacks',
    async (scope) => {
      const apiKey = { name: 'more', scopes: ['users:read', scope] };
      expect(
        await eventsDuring(app, async () => {
          await key.post(at(organizationId, '/api-keys'), apiKey).expect(403, 'forbidden', scope);
        }),
      ).toEqual([]);
      const privilegedKey = (await made(app, at(organizationId, '/api-keys'), apiKey)).id;
      await key.post(at(organizationId, `/api-keys/${privilegedKey}/rotate`)).expect(403);
      await key.delete(at(organizationId, `/api-keys/${privilegedKey}`)).expect(403);
      await key.post(at(organizationId, '/api-keys'), { name: 'fits', scopes: ['users:*', 'webhooks:read'] }).expect(201);
    },
  );

  it.each(['owner', 'role_owner', 'admin', 'viewer'])('rejects the built-in role %s', async (name) => {
    await key.post(at(organizationId, `/users/${member}/roles`), { roleId: name }).expect(403);
  });

  it('rejects direct assignment of a role that the member has through the membership, and changes of its permissions', async () => {
    const privilegedRole = await role(['webhooks:write']);
    const { id } = await newUser(app, organizationId, { roles: [privilegedRole] });
    const assign = (client: TestClient) => client.post(at(organizationId, `/users/${id}/roles`), { roleId: privilegedRole });
    await assign(key).expect(403);
    await made(app, at(organizationId, '/members'), { userId: id, role: 'member' });
    expect((await read(app, at(organizationId, `/users/${id}`))).roles).toMatchObject([{ name: 'member' }]);
    await assign(app.api.platform).expect(201);
    await assign(key).expect(200);
    const described = await role(['webhooks:write', 'users:read']);
    const change = (body: object) => key.patch(at(organizationId, `/roles/${described}`), body);
    await change({ description: 'Renamed' }).expect(200);
    await change({ permissions: ['webhooks:write'] }).expect(200);
    await change({ permissions: [] }).expect(403);
    await change({ name: 'free for another role' }).expect(403);
    await change({ permissions: ['webhooks:write', 'users:read'] }).expect(200);
  });
});

describe('the permission check', () => {
  let top: string;
  let team: string;
  let siblingTeam: string;
  let person: string;
  let driver: string;
  let seller: string;

  const check = (organization: string, permission: string, userId = person) =>
    checkPermission(app, organization, userId, permission);
  const DENIED = { allowed: false, because: [], refusal: 'not_granted' };

  beforeAll(async () => {
    top = (await newOrganization(app)).id;
    team = (await newOrganization(app, { parentId: top })).id;
    siblingTeam = (await newOrganization(app, { parentId: top })).id;
    driver = (await made(app, at(top, '/roles'), { name: 'driver', permissions: ['cars:*'] })).id;
    seller = (await made(app, at(team, '/roles'), { name: 'seller', permissions: ['cars:sell', 'users:read'] })).id;
    person = (await made(app, at(top, '/users'), { email: 'p@x.example', roles: ['driver'] })).id;
    await made(app, at(team, '/members'), { userId: person, role: 'seller' });
  });

  it('has the format of AuthZEN, too', async () => {
    const action = (name: string) => ({ name });
    const organization = (id: string) => ({ type: 'organization', id });
    const asked = { subject: { type: 'user', id: person }, action: action('users:read'), resource: organization(team) };
    const evaluate = async (body: object, client: TestClient = app.api.platform) =>
      (await client.post('/access/v1/evaluation', body, { headers: { 'x-request-id': 'evaluation-1' } }).expect(200)).body;
    expect(await evaluate({ ...asked, context: { time: 'now' } })).toEqual({
      decision: true,
      context: { because: [expect.objectContaining({ roleId: seller, permission: 'users:read' })] },
    });
    const denied = { decision: false, context: { reason: 'not_granted' } };
    expect(await evaluate({ ...asked, action: action('users:write') })).toEqual(denied);
    const errorOf = (status: number) => ({ decision: false, context: { error: { status, message: expect.any(String) } } });
    expect(await evaluate({ ...asked, action: action('can_read') })).toEqual(errorOf(400));
    expect(await evaluate({ ...asked, subject: { type: 'group', id: 'x' } })).toEqual(errorOf(400));
    const sibling = await keyClient(app, siblingTeam, ['roles:read']);
    expect(await evaluate(asked, sibling)).toEqual(errorOf(404));
    expect(await evaluate({ ...asked, resource: organization(siblingTeam) }, sibling)).toEqual(denied);
    await sibling.post('/access/v1/evaluation', { subject: asked.subject }).expect(400, 'validation_failed');
    await (await keyClient(app, team, ['users:read'])).post('/access/v1/evaluation', asked).expect(403);

    const evaluateAll = async (body: object) => (await app.api.platform.post('/access/v1/evaluations', body).expect(200)).body;
    const evaluations = [
      { resource: organization(top) },
      {},
      { action: action('cars:sell') },
      { subject: { type: 'key', id: 'x' } },
    ];
    const semantic = async (name: string): Promise<unknown[]> =>
      (await evaluateAll({ ...asked, evaluations, options: { evaluations_semantic: name } })).evaluations.map(
        ({ decision }: { decision: boolean }) => decision,
      );
    expect(await semantic('execute_all')).toEqual([false, true, true, false]);
    expect(await semantic('deny_on_first_deny')).toEqual([false]);
    expect(await semantic('permit_on_first_permit')).toEqual([false, true]);
    expect((await evaluateAll({ evaluations: [{ subject: asked.subject }] })).evaluations).toEqual([errorOf(400)]);
    expect((await evaluateAll(asked)).decision).toBe(true);
    const { body: metadata } = await app.api.anonymous.get('/.well-known/authzen-configuration').expect(200);
    expect(metadata).toEqual({
      policy_decision_point: app.config.baseUrl,
      access_evaluation_endpoint: `${app.config.baseUrl}/access/v1/evaluation`,
      access_evaluations_endpoint: `${app.config.baseUrl}/access/v1/evaluations`,
    });
  });

  it('evaluates inherited roles, direct permissions and wildcards, also in a batch', async () => {
    const source = 'assignment';
    const asDriver = { roleId: driver, roleName: 'driver', organizationId: top, source, permission: 'cars:*' };
    const asSeller = { roleId: seller, roleName: 'seller', organizationId: team, source };
    for (const [organization, permission, because] of [
      [top, 'cars:sell', [asDriver]],
      [team, 'cars:fly', [asDriver]],
      [siblingTeam, 'cars:sell', [asDriver]],
      [team, 'cars:*', [asDriver]],
      [team, 'users:read', [{ ...asSeller, permission: 'users:read' }]],
    ] as const)
      expect(await check(organization, permission)).toEqual({ allowed: true, because });
    const both = await check(team, 'cars:sell');
    expect(both.because).toHaveLength(2);
    expect(both.because).toEqual(expect.arrayContaining([asDriver, { ...asSeller, permission: 'cars:sell' }]));
    for (const [organization, permission] of [
      [top, 'users:read'],
      [siblingTeam, 'users:read'],
      [team, 'users:write'],
      [team, 'users:*'],
      [team, 'car:sell'],
    ] as const)
      expect(await check(organization, permission)).toEqual(DENIED);
    const other = (await made(app, at(team, '/users'), { email: 'b@x.example', roles: ['viewer'] })).id;
    const checks = [
      { userId: other, permission: 'users:read' },
      { userId: person, permission: 'cars:sell' },
      { userId: other, permission: 'users:write' },
      { userId: other, permission: 'users:read' },
      { userId: 'nobody', permission: 'users:read' },
    ];
    const batch = (body: object) => app.api.platform.post(at(team, '/permissions/check/batch'), body);
    const { data } = (await batch({ checks }).expect(200)).body;
    expect(data).toEqual(await Promise.all(checks.map(({ userId, permission }) => check(team, permission, userId))));
    expect(data.map(({ allowed }: { allowed: boolean }) => allowed)).toEqual([true, true, false, true, false]);

    expect((await batch({ checks: Array.from({ length: 100 }, () => checks[0]) }).expect(200)).body.data).toHaveLength(100);
    expect(await eventsDuring(app, () => batch({ checks }).expect(200))).toEqual([]);
  });

  it('denies users who are suspended, deleted or unknown, and everything in a suspended organization', async () => {
    const member = (await made(app, at(top, '/users'), { email: 's@x.example', roles: ['admin'] })).id;
    expect((await check(top, 'users:read', member)).allowed).toBe(true);
    await app.api.platform.post(at(top, `/users/${member}/suspend`)).expect(200);
    expect(await check(top, 'users:read', member)).toEqual({ ...DENIED, refusal: 'user_suspended' });
    await app.api.platform.delete(at(top, `/users/${member}`)).expect(204);
    expect(await check(team, 'users:read', member)).toEqual({ ...DENIED, refusal: 'user_deleted' });
    // contract/foreign-ids.spec.ts compares users of other tenants with unknown users.
    expect(await check(top, 'users:read', 'nobody')).toEqual(DENIED);
    const [child, grandchild] = [await newOrganization(app, { parentId: top }), await newOrganization(app, { parentId: team })];
    const { id } = await newUser(app, child.id);
    await made(app, at(top, '/members'), { userId: id, role: 'driver' });
    expect((await check(top, 'cars:sell', id)).allowed).toBe(true);
    await app.api.platform.post(at(child.id, '/suspend')).expect(200);
    expect(await check(top, 'cars:sell', id)).toEqual({ ...DENIED, refusal: 'user_suspended' });
    const { token } = await signedIn(app, top, { roles: ['owner'] });
    expect(await verifiedSession(app, token, grandchild.id)).toMatchObject({ active: true });
    await app.api.platform.post(at(grandchild.id, '/suspend')).expect(200);
    expect(await verifiedSession(app, token, grandchild.id)).toEqual({ active: false });
    for (const organization of [child.id, grandchild.id])
      expect(await check(organization, 'cars:sell')).toEqual({ ...DENIED, refusal: 'organization_suspended' });
  });
});

describe('a user as caller', () => {
  let top: string;
  let child: string;
  let sibling: string;

  beforeAll(async () => {
    top = await organization();
    child = await organization(top);
    sibling = await organization(top);
  });

  const organization = async (parentId?: string, fields: object = {}): Promise<string> =>
    (await newOrganization(app, { parentId, ...fields })).id;
  const user = async (where: string, fields: object = {}): Promise<string> => (await newUser(app, where, fields)).id;
  const give = (userId: string, where: string, role: string) => made(app, at(where, '/members'), { userId, role });
  const role = async (where: string, permissions: string[]): Promise<string> =>
    (await made(app, at(where, '/roles'), { name: newAddress(), permissions })).id;

  it('reads a webhook only if the user has the permission in its organization', async () => {
    const caller = await signedIn(app, await organization(top), { roles: ['member'] });
    const other = await organization(top);
    await give(caller.id, other, await role(other, ['webhooks:read']));
    const webhook = (where: string) => made(app, at(where, '/webhooks'), { url: 'https://127.0.0.1:9/x', events: ['*'] });
    const [visible, hidden] = [await webhook(other), await webhook(top)];
    expect(await read(caller.client, '/v1/webhooks')).toMatchObject([{ id: visible.id }]);
    await caller.client.get(`/v1/webhooks/${hidden.id}`).expect(404, 'webhook_not_found');
    await caller.client.patch(`/v1/webhooks/${visible.id}`, { name: 'x' }).expect(403);
  });

  it('loses permissions immediately when the role or membership is removed', async () => {
    const organizationId = await organization(top);
    const roleId = await role(organizationId, ['webhooks:read']);
    const caller = await signedIn(app, organizationId, { roles: ['viewer', roleId] });
    const webhooks = () => caller.client.get(at(organizationId, '/webhooks')).then(({ status }) => status);
    await app.api.platform.delete(at(organizationId, `/users/${caller.id}/roles/role_viewer`)).expect(204);
    expect(await webhooks()).toBe(200);
    await app.api.platform.patch(at(organizationId, `/roles/${roleId}`), { permissions: ['roles:read'] }).expect(200);
    expect(await webhooks()).toBe(403);
    await app.api.platform.patch(at(organizationId, `/roles/${roleId}`), { permissions: ['webhooks:*'] }).expect(200);
    expect(await webhooks()).toBe(200);
    await app.api.platform.delete(at(organizationId, `/members/${caller.id}`)).expect(204);
    expect(await webhooks()).toBe(404);
    await app.api.platform.delete(at(organizationId)).expect(204);
    expect(await webhooks()).toBe(401);
  });

  it('is reported when self-assigning a role', async () => {
    const organizationId = await organization(top, { name: 'Selfish' });
    const admin = await signedIn(app, organizationId, { roles: ['admin'] });
    const grandchild = await organization(organizationId);
    const events = await eventsDuring(app, async () => {
      await admin.client.post(at(organizationId, `/users/${admin.id}/roles`), { roleId: 'viewer' }).expect(201);
      await admin.client.post(at(grandchild, '/members'), { userId: admin.id, role: 'admin' }).expect(201);
      await admin.client.post(at(organizationId, `/users/${await user(organizationId)}/roles`), { roleId: 'viewer' }).expect(201);
    });
    // The service publishes at most one event per rule and user within an hour.
    expect(events.filter(({ type }) => type === 'security.suspicious_activity')).toEqual([
      {
        type: 'security.suspicious_activity',
        organization: { id: organizationId, name: 'Selfish' },
        data: {
          rule: 'role_granted_to_self',
          riskLevel: 'medium',
          signals: { userId: admin.id, roleId: 'role_viewer', roleName: 'viewer' },
          action: 'none',
        },
      },
    ]);
  });

  it('can’t change accounts with privileges in any organization, also in a deleted one, and the own account', async () => {
    const changeEmail = (client: TestClient, id: string) => client.patch(at(child, `/users/${id}`), { email: newAddress() });
    const admin = await signedIn(app, child, { roles: ['admin'] });
    const owner = await user(child, { roles: ['owner'] });
    const elsewhere = await user(child);
    await give(elsewhere, sibling, 'viewer');
    const above = await user(child);
    await give(above, top, 'admin');
    const equal = await user(child, { roles: ['admin'] });
    const lower = await user(child, { roles: ['viewer'] });

    for (const id of [owner, elsewhere, above]) {
      await changeEmail(admin.client, id).expect(403, 'forbidden', 'has permissions that the caller does not have');
      await admin.client.patch(at(child, `/users/${id}`), { firstName: 'Free' }).expect(200);
    }
    for (const change of [{ phoneNumber: '+49 30 1' }, { externalId: 'hr-1' }])
      await admin.client.patch(at(child, `/users/${owner}`), change).expect(403);
    for (const id of [equal, lower]) await changeEmail(admin.client, id).expect(200);
    await changeEmail(app.api.platform, owner).expect(200);
    const person = await user(child);
    const below = await organization(child);
    await give(person, below, 'owner');
    await app.api.platform.delete(at(below)).expect(204);
    for (const request of [changeEmail(admin.client, person), admin.client.delete(at(child, `/users/${person}`))])
      await request.expect(403, 'forbidden');
    const self = await signedIn(app, child, { roles: ['owner'] });
    await changeEmail(self.client, self.id).expect(403, 'forbidden', 'own account');
  });

  it('can’t grant an application permission without permissions:grant', async () => {
    const treasurer = await role(child, ['payments:approve']);
    const lead = await signedIn(app, child, { roles: [await role(child, ['members:*', 'roles:*'])] });
    for (const request of [
      lead.client.post(at(child, `/users/${lead.id}/roles`), { roleId: treasurer }),
      lead.client.post(at(child, '/members'), { userId: lead.id, role: treasurer }),
      lead.client.post(at(child, '/roles'), { name: 'own', permissions: ['payments:approve'] }),
      lead.client.post(at(child, '/roles'), { name: 'own', permissions: ['payments:*'] }),
    ])
      await request.expect(403, 'forbidden', 'payments:');
  });
});
