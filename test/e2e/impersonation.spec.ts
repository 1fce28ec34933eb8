import { beforeEach, describe, expect, it } from '@jest/globals';
import { sessionCookieName } from '#platform/http';
import { decodeJwt } from 'jose';
import { ImpersonationSweepService } from '../../libs/identity/impersonation/src/impersonation-sweep.service.js';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody, TestClient } from '../support/http-client.js';
import { generatedDocument, operationsOf, pathOf } from '../support/operations.js';
import { at, made, newOrganization, read } from '../support/organizations.js';
import { PageClient } from '../support/page-client.js';
import { becomeStale, HOUR_MS, later, MINUTE_MS } from '../support/sign-in.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const REASON = 'Ticket 4711: the invoice page is empty';
const REQUEST = { reason: REASON, durationSeconds: 1_800 };
const operations = operationsOf(await generatedDocument());

/** Operations that change the own account and are allowed while impersonating. */
const ALLOWED = new Set(['issueAccessToken', 'logout']);
const REFUSED_PERMISSIONS = new Set([
  'api_keys:write',
  'break_glass:approve',
  'break_glass:request',
  'oauth_clients:write',
  'oauth_grants:write',
  'organizations:delete',
  'scim:write',
  'sessions:write',
  'setup_links:write',
  'users:delete',
  'users:impersonate',
  'webhooks:write',
]);

describe('impersonation', () => {
  const app = testApp({ role: 'api' });
  let root: string;
  let acme: string;
  let support: SignedIn;
  let ada: SignedIn;

  beforeEach(async () => {
    root = (await newOrganization(app)).id;
    acme = (await newOrganization(app, { parentId: root })).id;
    support = await signedIn(app, root, { roles: ['owner'] });
    ada = await signedIn(app, acme, { roles: ['admin'] });
  });

  const request = (
    user: { id: string } = ada,
    { client }: { client: TestClient } = support,
    body: object = {},
  ): PendingResponse => client.post(at(acme, `/users/${user.id}/impersonations`), { ...REQUEST, ...body });
  const requested = async (user = ada, by = support): Promise<TestBody> => (await request(user, by).expect(201)).body.data;
  const act = ({ id }: TestBody, verb: string, { client } = support): PendingResponse =>
    client.post(at(acme, `/impersonations/${id}/${verb}`));
  const start = async (user = ada, by = support): Promise<{ id: string; token: string; client: TestClient }> => {
    const { id } = await requested(user, by);
    const { sessionToken: token } = (await act({ id }, 'start', by).expect(201)).body.data;
    return { id, token, client: app.api.as(token) };
  };
  const works = async (client: TestClient): Promise<boolean> => (await client.get('/v1/auth/session')).status === 200;
  const own = (id: string, verb: string, { client } = ada): PendingResponse =>
    client.post(`/v1/auth/impersonations/${id}/${verb}`);
  const settings = (organization: string, values: object): PendingResponse =>
    app.api.platform.patch(at(organization), { settings: values });
  const sweep = (): Promise<boolean> => app.app.get(ImpersonationSweepService, { strict: false }).run();
  const status = async (id: string): Promise<TestBody> => {
    await sweep();
    return read(support.client, at(acme, `/impersonations/${id}`));
  };

  it('signs in as the user once, and says so in every answer about the session', async () => {
    const impersonation = await requested();
    expect(impersonation).toMatchObject({ organizationId: acme, userId: ada.id, impersonatorId: support.id, status: 'approved' });
    const { session, sessionToken } = (await act(impersonation, 'start').expect(201)).body.data;
    const impersonator = { id: support.id, email: support.email, impersonationId: impersonation.id };
    expect(session).toMatchObject({ userId: ada.id, impersonator });
    const client = app.api.as(sessionToken);
    expect(await read(client, '/v1/auth/me')).toMatchObject({ id: ada.id, session: { impersonator } });
    expect((await read(client, '/v1/auth/session')).session).toMatchObject({ id: session.id, impersonator });
    const verified = (await app.api.platform.post('/v1/sessions/verify', { token: sessionToken }).expect(200)).body.data;
    expect(verified).toMatchObject({ active: true, userId: ada.id, impersonator });
    const { accessToken } = (await client.post('/v1/auth/token', {}).expect(201)).body.data;
    expect(decodeJwt(accessToken)).toMatchObject({ sub: ada.id, act: { sub: support.id } });
    const sessions = await ada.client.get('/v1/auth/sessions').expect(200);
    const ids = sessions.body.data.map(({ impersonationId, ipAddress }: TestBody) => [impersonationId, ipAddress]);
    expect(ids).toEqual([
      [impersonation.id, null],
      [null, '203.0.113.7'],
    ]);
    await act(impersonation, 'start').expect(409, 'impersonation_not_open');
    await request().expect(409, 'impersonation_open');
  });

  it('ends after the time, cannot be extended, and publishes an event and an email for each step', async () => {
    let ended = false;
    const events = await eventsDuring(app, async () => {
      const { client, id } = await start();
      expect((await client.post(at(acme, '/users'), { email: `made-${ada.id}@example.com` }).expect(201)).status).toBe(201);
      await later(app, 31 * MINUTE_MS, async () => {
        ended = !(await works(client));
        await sweep();
      });
      expect(await status(id)).toMatchObject({ status: 'ended', endedReason: 'time_over' });
    });
    expect(ended).toBe(true);
    const ofUser = events.filter(({ type, data }) => type.startsWith('user.impersonation') && data.userId === ada.id);
    expect(ofUser).toMatchObject([
      { type: 'user.impersonation_requested', organization: { id: acme }, data: { userId: ada.id, impersonatorId: support.id } },
      { type: 'user.impersonation_started', data: { reason: REASON } },
      { type: 'user.impersonation_ended', data: { started: true, endedReason: 'time_over' } },
    ]);
    const mails = await app.database.query('SELECT template FROM messages WHERE recipient = $1 ORDER BY id', [ada.email]);
    expect(mails).toMatchObject([{ template: 'impersonation_started' }, { template: 'impersonation_ended' }]);
    const caused = await app.database.query(
      `SELECT payload::json -> 'actor' AS actor FROM events WHERE impersonator_id = $1 AND type = 'user.created'`,
      [support.id],
    );
    expect(caused).toEqual([{ actor: { type: 'user', id: ada.id, email: ada.email, impersonator: { id: support.id } } }]);
    const { body } = await app.api.platform.get(at(acme, `/events?impersonatorId=${support.id}`)).expect(200);
    expect(body.data.every(({ actor }: TestBody) => actor.impersonator.id === support.id)).toBe(true);
  });

  describe('ends at once', () => {
    const suspend = (organization: string, { id }: { id: string }) =>
      app.api.platform.post(at(organization, `/users/${id}/suspend`), { reason: 'x' }).expect(200);
    const assign = (organization: string, { id }: { id: string }, roleId: string) =>
      app.api.platform.post(at(organization, `/users/${id}/roles`), { roleId }).expect(201);

    const ends: readonly [string, (started: { id: string; client: TestClient }) => Promise<unknown>][] = [
      ['the user ends it', ({ id }) => own(id, 'end').expect(200)],
      [
        'another administrator ends it',
        async ({ id }) => act({ id }, 'end', await signedIn(app, root, { roles: ['owner'] })).expect(200),
      ],
      ['the impersonator ends it', ({ id }) => act({ id }, 'end').expect(200)],
      ['the impersonator signs out of it', ({ client }) => client.post('/v1/auth/logout').expect(204)],
      ['the impersonator signs out of the own session', () => support.client.post('/v1/auth/logout').expect(204)],
      [
        'the impersonator is suspended',
        async () => {
          await signedIn(app, root, { roles: ['owner'] });
          await suspend(root, support);
        },
      ],
      ['the user is suspended', () => suspend(acme, ada)],
      ['the user ends all sessions', () => ada.client.delete('/v1/auth/sessions').expect(200)],
      ['the organization is suspended', () => app.api.platform.post(at(acme, '/suspend'), { reason: 'x' }).expect(200)],
      [
        'the impersonator loses the role',
        async () => {
          await signedIn(app, root, { roles: ['owner'] });
          await app.api.platform.delete(at(root, `/members/${support.id}`)).expect(204);
        },
      ],
      [
        'the impersonator loses the permission',
        async () => {
          await signedIn(app, root, { roles: ['owner'] });
          await assign(root, support, 'role_admin');
          await app.api.platform.delete(at(root, `/users/${support.id}/roles/role_owner`)).expect(204);
        },
      ],
      [
        'the user gets more than the impersonator has',
        async () => {
          const elsewhere = (await newOrganization(app)).id;
          await made(app, at(elsewhere, '/members'), { userId: ada.id, role: 'member' });
        },
      ],
      ['the organization of the user requires a second factor', () => settings(acme, { requireMfa: true }).expect(200)],
      [
        'the organization of the user requires single sign-on',
        () => app.database.query(`UPDATE organizations SET settings_overrides = '{"ssoRequired": true}' WHERE id = $1`, [acme]),
      ],
    ];

    it.each(ends)('when %s', async (_, end) => {
      const started = await start();
      expect(await works(started.client)).toBe(true);
      await end(started);
      expect(await works(started.client)).toBe(false);
      const verified = await app.api.platform.post('/v1/sessions/verify', { token: started.token }).expect(200);
      expect(verified.body.data).toEqual({ active: false });
      await sweep();
      const rows = await app.database.query('SELECT status FROM impersonations WHERE id = $1', [started.id]);
      expect(rows).toEqual([{ status: 'ended' }]);
    });

    it('stays ended when the impersonator gets back what was missing', async () => {
      const { client } = await start();
      await settings(acme, { requireMfa: true }).expect(200);
      await sweep();
      await settings(acme, { requireMfa: null }).expect(200);
      expect(await works(client)).toBe(false);
    });

    const move = (parentId: string) => app.api.platform.post(at(acme, '/move'), { parentId }).expect(200);

    it.each<[string, (member: SignedIn, roleOfMember: string) => Promise<unknown>]>([
      ['a role of the user', (member) => assign(acme, member, 'role_admin')],
      ['a role in an ancestor', (member) => made(app, at(root, '/members'), { userId: member.id, role: 'viewer' })],
      [
        'a role of a group',
        async (member) => {
          const { id } = await made(app, at(acme, '/groups'), { name: 'Engineering' });
          await made(app, at(acme, `/groups/${id}/roles`), { roleId: 'role_admin' });
          await app.api.platform.post(at(acme, `/groups/${id}/members`), { userIds: [member.id] }).expect(200);
        },
      ],
      [
        'a permission of a role',
        (_, role) => app.api.platform.patch(at(root, `/roles/${role}`), { permissions: ['api_keys:read'] }).expect(200),
      ],
      ['a move away from the role of the impersonator', () => move(root)],
    ])('never has what the user gets after the start and the impersonator lacks, by %s', async (_, gain) => {
      const division = (await newOrganization(app, { parentId: root })).id;
      await move(division);
      const roleOf = async (name: string, permissions: string[]): Promise<string> =>
        (await made(app, at(root, '/roles'), { name, permissions })).id;
      const ofSupport = await roleOf('support', ['users:impersonate', 'users:*', 'organizations:read', 'members:read']);
      const ofMember = await roleOf('reader', ['members:read']);
      const helper = await signedIn(app, division, { roles: [ofSupport] });
      const member = await signedIn(app, acme, { roles: [ofMember] });
      const { client } = await start(member, helper);
      expect(await works(client)).toBe(true);
      await gain(member, ofMember);
      await client.get(at(acme, '/members')).expect(401);
    });
  });

  describe('is rejected', () => {
    const forbidden = (response: PendingResponse): Promise<unknown> => response.expect(403, 'forbidden');

    it('without the permission, as oneself, for weaker callers and with an API key', async () => {
      const admin = await signedIn(app, root, { roles: ['admin'] });
      await forbidden(request(ada, admin));
      await forbidden(support.client.post(at(root, `/users/${support.id}/impersonations`), REQUEST));
      const role = await made(app, at(root, '/roles'), { name: 'support', permissions: ['users:impersonate', 'users:read'] });
      await forbidden(request(ada, await signedIn(app, root, { roles: [role.id] })));
      await forbidden(request(ada, { client: app.api.platform }));
      const key = await made(app, at(root, '/api-keys'), { name: 'k', scopes: ['*'] });
      await forbidden(request(ada, { client: app.api.as(key.key) }));
      await forbidden(act(await requested(), 'start', { ...support, client: app.api.as(key.key) }));
    });

    it('for a user who has anything in an organization where the caller has less', async () => {
      const elsewhere = (await newOrganization(app)).id;
      await made(app, at(elsewhere, '/members'), { userId: ada.id, role: 'member' });
      await forbidden(request());
    });

    it('for a guest whom another organization manages, and for users of other tenants', async () => {
      const guest = await signedIn(app, (await newOrganization(app)).id, { roles: ['member'] });
      await made(app, at(acme, '/members'), { userId: guest.id, role: 'member' });
      await request(guest).expect(403, 'managed_elsewhere');
      const stranger = await signedIn(app, (await newOrganization(app)).id);
      await request(stranger).expect(404, 'user_not_found');
    });

    it.each(['pending', 'suspended', 'deleted'])('for a %s user', async (state) => {
      const user = await made(app, at(acme, '/users'), { email: `${state}-${ada.id}@example.com` });
      if (state !== 'pending') await app.api.platform.post(at(acme, `/users/${user.id}/activate`)).expect(200);
      if (state === 'suspended') await app.api.platform.post(at(acme, `/users/${user.id}/suspend`), { reason: 'x' }).expect(200);
      if (state === 'deleted') await app.api.platform.delete(at(acme, `/users/${user.id}`)).expect(204);
      await request(user).expect(409, 'user_not_active');
    });

    it('without a recent sign-in, and for rules that the session does not satisfy', async () => {
      await settings(acme, { requireMfa: true }).expect(200);
      await request().expect(403, 'mfa_required');
      await settings(acme, { requireMfa: null }).expect(200);
      const { id } = await requested();
      await becomeStale(app);
      await act({ id }, 'start').expect(401, 'reauthentication_required');
      await request(await signedIn(app, acme)).expect(401, 'reauthentication_required');
    });

    it('with what break glass lends', async () => {
      const requester = await signedIn(app, root, { roles: ['admin'] });
      const { id } = await made(requester.client, at(root, '/break-glass'), { reason: REASON, durationSeconds: 3_600 });
      await support.client.post(at(root, `/break-glass/${id}/approve`)).expect(200);
      await forbidden(request(ada, requester));
    });

    it('when more than an hour or no reason is asked for', async () => {
      await request(ada, support, { durationSeconds: 3_601 }).expect(400, 'validation_failed');
      await request(ada, support, { reason: ' ' }).expect(400, 'validation_failed');
    });

    it('when it is started by another user, or after an hour', async () => {
      const impersonation = await requested();
      await forbidden(act(impersonation, 'start', await signedIn(app, root, { roles: ['owner'] })));
      await later(app, HOUR_MS, () => act(impersonation, 'start').expect(409, 'impersonation_not_open'));
    });
  });

  describe('with an approval', () => {
    it('needs a second person with the same power', async () => {
      await settings(root, { impersonationApproval: 'second_person' }).expect(200);
      const impersonation = await requested();
      expect(impersonation).toMatchObject({ status: 'pending', approval: 'second_person' });
      await act(impersonation, 'start').expect(409, 'impersonation_not_open');
      await act(impersonation, 'approve').expect(403, 'second_person_required');
      await own(impersonation.id, 'approve').expect(403, 'forbidden');
      const role = await made(app, at(root, '/roles'), { name: 'support', permissions: ['users:impersonate'] });
      await act(impersonation, 'approve', await signedIn(app, root, { roles: [role.id] })).expect(403, 'forbidden');
      const second = await signedIn(app, root, { roles: ['owner'] });
      expect((await act(impersonation, 'approve', second).expect(200)).body.data).toMatchObject({
        status: 'approved',
        decidedById: second.id,
      });
      await act(impersonation, 'start').expect(201);
    });

    it('needs the user, who can also deny, and the lock of a parent cannot be avoided', async () => {
      await app.api.platform
        .patch(at(root), { settings: { impersonationApproval: 'user' }, lockedSettings: ['impersonationApproval'] })
        .expect(200);
      await settings(acme, { impersonationApproval: 'none' }).expect(422, 'setting_locked');
      const denied = await requested();
      await act(denied, 'approve', await signedIn(app, root, { roles: ['owner'] })).expect(403, 'forbidden');
      await own(denied.id, 'approve', await signedIn(app, acme)).expect(404, 'impersonation_not_found');
      await own(denied.id, 'deny').expect(200);
      await act(denied, 'start').expect(409, 'impersonation_not_open');
      const { id } = await requested();
      await own(id, 'approve').expect(200);
      await act({ id }, 'start').expect(201);
      const { body } = await ada.client.get('/v1/auth/impersonations').expect(200);
      expect(body.data.map((each: TestBody) => each.status)).toEqual(['active', 'denied']);
    });

    it('cannot start without the approval that the organization wants since the request', async () => {
      const impersonation = await requested();
      await settings(acme, { impersonationApproval: 'user' }).expect(200);
      await act(impersonation, 'start').expect(409, 'impersonation_not_open');
    });

    it('expires without an approval', async () => {
      await settings(acme, { impersonationApproval: 'user' }).expect(200);
      const { id } = await requested();
      await app.database.query('UPDATE impersonations SET expires_at = now() WHERE id = $1', [id]);
      await own(id, 'approve').expect(409, 'impersonation_not_open');
      expect(await status(id)).toMatchObject({ status: 'expired', endedReason: 'not_started' });
    });
  });

  describe('cannot be used', () => {
    it('for the own account, credentials, sessions and accounts, by OpenAPI', async () => {
      const owner = await signedIn(app, acme, { roles: ['owner'] });
      const { client } = await start(owner);
      const refused = operations.filter(({ id, method, isOwnAccount, permission }) => {
        const changesAccount = isOwnAccount && method !== 'GET' && !ALLOWED.has(id);
        return changesAccount || (permission !== undefined && REFUSED_PERMISSIONS.has(permission));
      });
      expect(refused.length).toBeGreaterThan(60);
      for (const operation of refused) {
        const path = pathOf(operation, (name) => (name === 'org' ? acme : name === 'userId' ? ada.id : 'x'));
        const send = client[operation.method.toLowerCase() as 'post'].bind(client);
        await (operation.method === 'GET' ? client.get(path) : send(path, {})).expect(403, 'not_while_impersonating');
      }
    });

    it('for what needs a recent sign-in, and about the user', async () => {
      const owner = await signedIn(app, acme, { roles: ['owner'] });
      const { client } = await start(owner);
      const below = (await newOrganization(app, { parentId: acme })).id;
      const group = await made(app, at(acme, '/groups'), { name: 'Without roles' });
      const refusals = [
        client.post(at(below, '/members'), { userId: owner.id, role: 'viewer' }),
        client.post(at(acme, `/groups/${group.id}/members`), { userIds: [ada.id, owner.id] }),
        client.post(at(acme, `/users/${ada.id}/roles`), { roleId: 'role_owner' }),
        client.patch(at(acme), { settings: { requireMfa: true } }),
        client.get(at(acme, '/users/export')),
        client.get(at(acme, `/users/${ada.id}/export`)),
        client.get('/v1/auth/me/export'),
        client.get(at(acme, '/configuration')),
        client.post(at(acme, '/configuration/plan'), { document: { version: 1, organizations: [{ slug: 'acme' }] } }),
        client.patch(at(acme, `/users/${owner.id}`), { firstName: 'X' }),
        client.post(at(acme, `/users/${owner.id}/suspend`), { reason: 'x' }),
      ];
      const codes = await Promise.all(refusals.map(async (each) => (await each).body?.code));
      expect(codes).toEqual(refusals.map(() => 'not_while_impersonating'));
      const line = JSON.stringify({ email: owner.email, firstName: 'X' });
      const imported = await client.raw('POST', at(acme, '/users/import'), line, { 'content-type': 'application/x-ndjson' });
      expect([imported.body.code, imported.body.data?.errors?.[0]?.code]).toContain('not_while_impersonating');
    });
  });

  it('uses a cookie of its own, so that the own session continues at the end', async () => {
    const page = new PageClient(app);
    page.cookies = `${sessionCookieName(app.config)}=${support.token}`;
    const { id } = await requested();
    const { body } = await page.post(at(acme, `/impersonations/${id}/start`));
    expect(body.data.session.userId).toBe(ada.id);
    expect(body.data.sessionToken).toBeUndefined();
    expect((await page.get('/v1/auth/session')).body.data.userId).toBe(ada.id);
    expect((await page.post('/v1/auth/logout')).status).toBe(204);
    expect((await page.get('/v1/auth/session')).body.data.userId).toBe(support.id);
  });

  it('is in the export of the user, and forgets an impersonator who is deleted permanently', async () => {
    const { id } = await start();
    const { body } = await ada.client.get('/v1/auth/me/export').expect(200);
    expect(body.impersonations ?? body.data?.impersonations).toMatchObject([
      { id, impersonatorEmail: support.email, reason: REASON },
    ]);
    await openSession(app, support, { at: root });
    await signedIn(app, root, { roles: ['owner'] });
    await app.api.platform.delete(at(root, `/users/${support.id}?permanent=true`)).expect(204);
    const rows = await app.database.query('SELECT impersonator_email FROM impersonations WHERE id = $1', [id]);
    expect(rows).toEqual([{ impersonator_email: '' }]);
  });
});
