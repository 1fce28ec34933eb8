import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody, TestClient, TestResponse } from '../support/http-client.js';
import { at, keyClient, made, newAddress, newOrganization, read } from '../support/organizations.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorsService } from '#identity/auth';
import { missingInOutput } from '../packages/samples/shown-output.js';
import { PageClient } from '../support/page-client.js';
import { later, login, MINUTE_MS } from '../support/sign-in.js';

describe('the session API', () => {
  const app = testApp();
  let top: TestBody;
  let child: TestBody;
  let otherTenant: TestBody;

  beforeAll(async () => {
    top = await organization('Top');
    child = await organization('Child', { parentId: top.id });
    otherTenant = await organization('Other tenant');
  });

  const organization = (name: string, fields: object = {}): Promise<TestBody> => newOrganization(app, { name, ...fields });
  const backend = (where: string): Promise<TestClient> => keyClient(app, where, ['sessions:read']);
  const verify = async (client: TestClient, token: string, more: object = {}): Promise<TestBody> =>
    (await client.post('/v1/sessions/verify', { token, ...more }).expect(200)).body.data;
  const ids = ({ data }: TestBody): string[] => data.map(({ id }: { id: string }) => id);
  const works = async ({ client }: SignedIn): Promise<boolean> => (await client.get('/v1/auth/me')).status === 200;

  it('returns the user with organizations, roles, permissions and the session from GET /v1/auth/me', async () => {
    const user = await signedIn(app, child.id, { roles: ['viewer', 'member'], methods: ['password', 'totp'] });
    await made(app, at(top.id, '/members'), { userId: user.id, role: 'member' });
    const { organizations, session, ...profile } = await read(user.client, '/v1/auth/me');
    const { organizations: _, ...expected } = await read(app, at(child.id, `/users/${user.id}`));
    expect(profile).toEqual(expected);
    const roles = ['member', 'viewer'].map((name) => ({ id: `role_${name}`, name }));
    const permissions = expect.arrayContaining(['users:read', 'members:read']);
    expect(organizations).toEqual([
      { id: child.id, name: 'Child', slug: 'child', role: 'viewer', roles, permissions },
      { ...organizations[1], id: top.id, role: 'member', permissions: ['organizations:read', 'members:read'] },
    ]);
    expect(session).toMatchObject({ id: user.sessionId, organizationId: child.id, mfaEnrolmentRequired: false });
    const { expiresAt } = session;
    const current = { kind: 'user', userId: user.id, expiresAt, session: expect.objectContaining({ organizationId: child.id }) };
    expect(await read(user.client, '/v1/auth/session')).toEqual(current);
  });

  describe('GET /v1/auth/me/permissions', () => {
    const ask = ({ client }: SignedIn, handle: string): PendingResponse =>
      client.get(`/v1/auth/me/permissions?organization=${handle}`);
    const permissionsOf = async (user: SignedIn, handle: string): Promise<TestBody> =>
      (await ask(user, handle).expect(200)).body.data;

    it('returns the permissions of roles in the organization and all ancestors, and all permissions to an owner', async () => {
      const leaf = await organization('Leaf', { parentId: child.id });
      const member = await signedIn(app, top.id, { roles: ['member'] });
      const role = await made(app, at(child.id, '/roles'), { name: 'hooks', permissions: ['webhooks:*', 'invoices:read'] });
      await made(app, at(child.id, '/members'), { userId: member.id, role: role.id });
      expect(await permissionsOf(member, top.id)).toEqual({
        organizationId: top.id,
        permissions: ['organizations:read', 'members:read'],
        servicePermissions: ['organizations:read', 'members:read'],
      });
      for (const [handle, id] of [
        [child.slug, child.id],
        [leaf.id, leaf.id],
      ] as const) {
        const { organizationId, permissions, servicePermissions } = await permissionsOf(member, handle);
        expect(organizationId).toBe(id);
        expect(permissions.toSorted()).toEqual(['invoices:read', 'members:read', 'organizations:read', 'webhooks:*']);
        expect(servicePermissions).toEqual(['organizations:read', 'members:read', 'webhooks:read', 'webhooks:write']);
        const verified = await verify(await backend(top.id), member.token, { organization: handle });
        expect(verified.permissions.toSorted()).toEqual(permissions.toSorted());
      }
      const owner = await signedIn(app, top.id, { roles: ['owner'] });
      const { permissions, servicePermissions } = await permissionsOf(owner, leaf.id);
      expect(permissions).toEqual(['*']);
      const all = await read(app, '/v1/permissions');
      expect(servicePermissions.toSorted()).toEqual(all.map(({ name }: TestBody) => name).toSorted());
    });

    it('hides whether an organization exists if the user has no role', async () => {
      const admin = await signedIn(app, child.id, { roles: ['owner'] });
      const deleted = await organization('Gone', { parentId: child.id });
      await app.api.platform.delete(at(deleted.id)).expect(204);
      for (const handle of [top.id, otherTenant.id, deleted.id, 'no-such-organization']) {
        const detail = `The organization "${handle}" does not exist, or the caller has no access to it.`;
        expect((await ask(admin, handle).expect(404)).body).toMatchObject({ code: 'organization_not_found', detail });
      }
      await admin.client.get('/v1/auth/me/permissions').expect(400, 'validation_failed');
    });

    it('requires MFA if the organization requires MFA', async () => {
      const strict = await organization('Strict', { parentId: child.id, settings: { requireMfa: true } });
      const owner = await signedIn(app, child.id, { roles: ['owner'] });
      await ask(owner, strict.id).expect(403, 'mfa_required');
      const mfaSession = await openSession(app, owner, { at: child.id, methods: ['password', 'totp'] });
      expect((await permissionsOf(mfaSession, strict.id)).permissions).toEqual(['*']);
      expect(await verify(app.api.platform, owner.token, { organization: strict.id })).toEqual({ active: false });
      expect(await verify(app.api.platform, mfaSession.token, { organization: strict.id })).toMatchObject({ active: true });
    });
  });

  describe('a session of the caller', () => {
    it('is listed with user agent and IP address', async () => {
      const first = await signedIn(app, child.id);
      const second = await openSession(app, first, { at: top.id });
      const { body } = await first.client.get('/v1/auth/sessions').expect(200);
      expect(body.data).toMatchObject([
        { id: second.sessionId, organizationId: top.id, current: false, ipAddress: '203.0.113.7', userAgent: 'Test/1.0' },
        { id: first.sessionId, organizationId: child.id, current: true },
      ]);
      expect(body.pagination).toEqual({ total: 2, page: 1, limit: 20, hasMore: false });
      expect(JSON.stringify(body)).not.toContain(first.token);
      const next = await first.client.get(`/v1/auth/sessions?limit=1&after=${second.sessionId}`).expect(200);
      expect(ids(next.body)).toEqual([first.sessionId]);
    });

    it('can be revoked separately, with an event', async () => {
      const first = await signedIn(app, child.id);
      const second = await openSession(app, first, { at: child.id });
      const otherUser = await signedIn(app, child.id);
      const path = `/v1/auth/sessions/${second.sessionId}`;
      await otherUser.client.delete(path).expect(404, 'session_not_found');

      const events = await eventsDuring(app, () => first.client.delete(path).expect(204));
      const data = { sessionId: second.sessionId, userId: first.id, reason: 'revoked_by_user' };
      expect(events).toEqual([{ type: 'security.session_revoked', organization: { id: child.id, name: 'Child' }, data }]);
      expect(await Promise.all([first, second, otherUser].map(works))).toEqual([true, false, true]);
      await first.client.delete(path).expect(404);
      expect(ids((await first.client.get('/v1/auth/sessions').expect(200)).body)).toEqual([first.sessionId]);
    });

    it('stays open as the current session when the caller revokes all sessions', async () => {
      const first = await signedIn(app, child.id);
      const others = [await openSession(app, first, { at: child.id }), await openSession(app, first, { at: top.id })];
      const kept = await first.client.delete('/v1/auth/sessions').expect(200);
      expect(kept.body).toEqual({ data: { sessionsRevoked: 2 } });
      const otherUser = await signedIn(app, child.id);
      expect(await Promise.all([first, otherUser, ...others].map(works))).toEqual([true, true, false, false]);
      const all = await first.client.delete('/v1/auth/sessions?includeCurrent=true').expect(200);
      expect(all.body).toEqual({ data: { sessionsRevoked: 1 } });
      expect(await works(first)).toBe(false);
    });

    it('publishes user.logout when the user signs out', async () => {
      const user = await signedIn(app, top.id, { at: child.id });
      const events = await eventsDuring(app, () => user.client.post('/v1/auth/logout').expect(204));
      const data = { userId: user.id, sessionId: user.sessionId, reason: 'signed_out' };
      expect(events).toEqual([{ type: 'user.logout', organization: { id: child.id, name: 'Child' }, data }]);
      await user.client.post('/v1/auth/logout').expect(401);
    });
  });

  describe('a session of another user', () => {
    const sessionsOf = (who: SignedIn, where: string): string => at(where, `/users/${who.id}/sessions`);

    it('is not listed after the idle timeout', async () => {
      const idleOrganization = await organization('Idle', { settings: { sessionTimeout: 600 } });
      const user = await signedIn(app, idleOrganization.id);
      const idle = await openSession(app, user, { at: idleOrganization.id });
      await app.database.query(`UPDATE sessions SET last_seen_at = now() - interval '11 minutes' WHERE id = $1`, [
        idle.sessionId,
      ]);
      const admin = await signedIn(app, idleOrganization.id, { roles: ['admin'] });
      const { body } = await admin.client.get(sessionsOf(user, idleOrganization.id)).expect(200);
      expect(ids(body)).toEqual([user.sessionId]);
      expect(body.pagination.total).toBe(1);
    });

    it('can be revoked by an administrator, even while the organization is suspended', async () => {
      const org = await organization('Ended', { parentId: top.id });
      const user = await signedIn(app, org.id);
      const more = [await openSession(app, user, { at: org.id }), await openSession(app, user, { at: org.id })];
      const admin = await signedIn(app, top.id, { roles: ['admin'] });
      const revoke = (id: string) => admin.client.delete(`${sessionsOf(user, org.id)}/${id}`);
      const events = await eventsDuring(app, () => revoke(user.sessionId).expect(204));
      const data = { sessionId: user.sessionId, reason: 'revoked_by_administrator' };
      expect(events).toMatchObject([{ type: 'security.session_revoked', data }]);
      for (const id of [user.sessionId, admin.sessionId]) await revoke(id).expect(404);

      await app.api.platform.post(at(org.id, '/suspend'), { reason: 'x' }).expect(200);
      const all = await admin.client.delete(sessionsOf(user, org.id)).expect(200);
      expect(all.body).toEqual({ data: { sessionsRevoked: 2 } });
      expect(await Promise.all([user, ...more, admin].map(works))).toEqual([false, false, false, true]);
    });

    it("can't be managed by an organization that does not manage the user", async () => {
      const user = await signedIn(app, top.id);
      await made(app, at(child.id, '/members'), { userId: user.id, role: 'member' });
      const admin = await signedIn(app, child.id, { roles: ['admin'] });
      const path = sessionsOf(user, child.id);
      const { client } = admin;
      for (const attempt of [client.get(path), client.delete(path), client.delete(`${path}/${user.sessionId}`)])
        await attempt.expect(403, 'managed_elsewhere');
      // The path names the child organization, but this caller has the permission in the managing organization.
      const parentAdmin = await signedIn(app, top.id, { roles: ['admin'] });
      expect(ids((await parentAdmin.client.get(path).expect(200)).body)).toEqual([user.sessionId]);
      await admin.client.get(at(child.id, '/users/usr_01kf2b8v3cf5h9r4n0j7d2q6xw/sessions')).expect(404);
    });
  });

  describe('POST /v1/sessions/verify', () => {
    it('returns a session if the caller has access to the user, without the managing organization of a guest', async () => {
      const { id, sessionId, token } = await signedIn(app, child.id);
      await app.database.query(`UPDATE sessions SET last_seen_at = now() - interval '1 hour' WHERE id = $1`, [sessionId]);
      for (const client of [await backend(child.id), await backend(top.id), app.api.platform])
        expect(await verify(client, token)).toMatchObject({ active: true, userId: id, sessionId, organizationId: child.id });
      // The verification counts as activity of the session.
      const seenNow = `SELECT FROM sessions WHERE id = $1 AND last_seen_at > now() - interval '1 minute'`;
      expect(await app.database.query(seenNow, [sessionId])).toHaveLength(1);
      const guest = await signedIn(app, otherTenant.id);
      await made(app, at(child.id, '/members'), { userId: guest.id, role: 'viewer' });
      const response = await verify(await backend(child.id), guest.token, { organization: child.id });
      expect(response).toMatchObject({ active: true, userId: guest.id, permissions: expect.arrayContaining(['users:read']) });
      expect(response).not.toHaveProperty('organizationId');
      expect(JSON.stringify(response)).not.toContain(otherTenant.id);
    });

    it('returns only `active: false` if the token has no accessible session', async () => {
      const user = await signedIn(app, top.id);
      const enrolling = await openSession(app, user, { at: top.id, enrolmentOnly: true });
      const ended = await openSession(app, user, { at: top.id });
      await ended.client.post('/v1/auth/logout').expect(204);
      const own = await backend(top.id);
      expect(await verify(await backend(otherTenant.id), user.token)).toEqual({ active: false });
      expect(await verify(await backend(child.id), user.token)).toEqual({ active: false });
      for (const token of [enrolling.token, ended.token, app.platformKey, 'x', 'A'.repeat(43)])
        expect(await verify(own, token)).toEqual({ active: false });
      await app.api.platform.post(at(top.id, `/users/${user.id}/suspend`)).expect(200);
      expect(await verify(own, user.token)).toEqual({ active: false });
      await own
        .post('/v1/sessions/verify', { token: user.token, organization: otherTenant.id })
        .expect(404, 'organization_not_found');
    });
  });
});

const SERVER = join(import.meta.dirname, '../../dist/server/main.js');

describe('an operator', () => {
  const app = testApp();

  const outcome = ({ status, body }: TestResponse): unknown[] => [status, body?.code];
  const link = async (): Promise<string> => {
    const { body } = await app.api.platform.post('/v1/auth/operator-links').expect(201);
    return tokenOf(body.data.url);
  };
  const tokenOf = (url: string): string => new URL(url).hash.replace(/^#token=/, '');
  const open = async (page: PageClient, token: string): Promise<TestResponse> =>
    page.post('/v1/auth/operator-session', { token });
  const operator = async (): Promise<PageClient> => {
    const page = new PageClient(app);
    expect((await open(page, await link())).status).toBe(200);
    return page;
  };

  const fresh = testApp();

  it('gets a link at each startup until there is an organization, and no default password', async () => {
    expect(await fresh.database.query('SELECT id FROM users')).toEqual([]);
    expect(await fresh.database.query('SELECT user_id FROM user_credentials')).toEqual([]);
    for (const name of ['admin', 'root', 'sa']) await login(fresh, 'default', `${name}@example.com`, name).expect(401);
    const operators = fresh.app.get(OperatorsService);
    const first = await operators.createLinkAtStart();
    expect(first!.expiresAt.getTime() - Date.now()).toBeGreaterThan(59 * MINUTE_MS);
    const [second, third] = await later(fresh, 50 * MINUTE_MS, async () => [
      await operators.createLinkAtStart(),
      await operators.createLinkAtStart(),
    ]);
    expect([second, third].map((each) => each?.expiresAt)).toEqual([first!.expiresAt, first!.expiresAt]);
    expect(await later(fresh, 61 * MINUTE_MS, () => operators.createLinkAtStart())).toBeUndefined();

    const page = new PageClient(fresh);
    expect((await open(page, first!.token)).status).toBe(200);
    expect((await page.post('/v1/organizations', { name: 'Acme' })).status).toBe(201);
    expect(await operators.createLinkAtStart()).toBeUndefined();
    const stored = await fresh.database.query('SELECT encode(token_hash, $1) AS hash FROM operator_links', ['base64']);
    expect(JSON.stringify(stored)).not.toContain(first!.token);
    // A printed link is valid for an hour, even if an organization exists.
    expect(outcome(await later(fresh, 61 * MINUTE_MS, () => open(page, second!.token)))).toEqual([401, 'operator_link_invalid']);
    expect((await open(page, second!.token)).status).toBe(200);
  });

  it('opens a link once, even with concurrent requests, and gets the permissions of a platform key', async () => {
    const token = await link();
    const page = new PageClient(app);
    const { status, body, headers } = await open(page, token);
    expect([status, Object.keys(body.data)]).toEqual([200, ['expiresAt']]);
    const [cookie = '', ...further] = headers.getSetCookie();
    expect([cookie, further]).toEqual([
      expect.stringMatching(
        /^service-session=operator\.[\w-]{43}; Max-Age=3(?:600|59\d); Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
      ),
      [],
    ]);
    expect(outcome(await open(new PageClient(app), token))).toEqual([401, 'operator_link_invalid']);
    expect((await page.get('/v1/auth/session')).body.data).toEqual({ kind: 'operator', expiresAt: body.data.expiresAt });

    const once = { headers: { 'idempotency-key': 'first' } };
    const { id } = (await page.post('/v1/organizations', { name: 'Operated' }, once)).body.data;
    const user = await page.post(`/v1/organizations/${id}/users`, { email: newAddress(), roles: ['owner'] });
    expect(user.status).toBe(201);
    const [event] = await app.database.query<{ payload: string }>(
      "SELECT payload FROM events WHERE type = 'organization.created' AND payload LIKE $1",
      [`%${id}%`],
    );
    expect(JSON.parse(event!.payload)).toMatchObject({
      actor: { type: 'api', id: expect.stringMatching(/^ops_/) },
      metadata: { source: 'dashboard' },
    });
    const another = await link();
    for (const unknown of ['nonsense', 'A'.repeat(43)]) expect((await open(new PageClient(app), unknown)).status).toBe(401);
    const responses = await Promise.all(Array.from({ length: 8 }, () => open(new PageClient(app), another)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
  });

  it('can sign in and make changes only from pages of the service', async () => {
    const page = await operator();
    const elsewhere = { headers: { 'sec-fetch-site': 'same-site' } };
    expect(outcome(await page.post('/v1/organizations', { name: 'Acme' }, elsewhere))).toEqual([403, 'cross_origin']);
    const token = await link();
    const rejected = await app.api.anonymous.post('/v1/auth/operator-session', { token }, elsewhere);
    expect([outcome(rejected), rejected.headers.getSetCookie()]).toEqual([[403, 'cross_origin'], []]);
    expect((await open(page, token)).status).toBe(200);
  });

  it('has the session token only in a cookie, which a sign-out deletes', async () => {
    const page = await operator();
    const token = page.cookies.replace('service-session=', '');
    expect(outcome(await app.api.as(token).get('/v1/organizations'))).toEqual([401, 'unauthenticated']);
    for (const path of ['/v1/auth/me', '/v1/auth/sessions', '/v1/auth/mfa'])
      expect(outcome(await page.get(path))).toEqual([403, 'forbidden']);
    expect(outcome(await page.post('/v1/auth/operator-links'))).toEqual([403, 'forbidden']);
    const verified = await app.api.platform.post('/v1/sessions/verify', { token }).expect(200);
    expect(verified.body.data).toEqual({ active: false });
    const { cookies } = page;
    expect([(await page.post('/v1/auth/logout')).status, page.cookies]).toEqual([204, '']);
    page.cookies = cookies;
    expect((await page.get('/v1/auth/session')).status).toBe(401);
  });

  it('is signed out after 20 minutes without activity or after an hour', async () => {
    const page = await operator();
    const asked = (afterMinutes: number): Promise<TestResponse> =>
      later(app, afterMinutes * MINUTE_MS, () => page.get('/v1/auth/session'));
    for (const minutes of [15, 30, 45, 59]) expect((await asked(minutes)).status).toBe(200);
    expect(outcome(await asked(61))).toEqual([401, 'unauthenticated']);
    expect(page.cookies).toBe('');

    const idle = await operator();
    const late = await later(app, 21 * MINUTE_MS, () => idle.get('/v1/auth/session'));
    expect([outcome(late), idle.cookies]).toEqual([[401, 'unauthenticated'], '']);
  });

  it('gets a link with a platform key, but not with an API key, and from a command with access to the database', async () => {
    const client = await keyClient(app, (await newOrganization(app)).id, ['*']);
    expect(outcome(await client.post('/v1/auth/operator-links'))).toEqual([403, 'forbidden']);
    const { url, expiresAt } = (await app.api.platform.post('/v1/auth/operator-links').expect(201)).body.data;
    expect(url).toMatch(/^http:\/\/localhost:3000\/dashboard\/getting-started#token=[\w-]{43}$/);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(60 * MINUTE_MS);
    const env = { ...process.env, DATABASE_URL: app.config.databaseUrl!, BASE_URL: 'https://id.example.com/' };
    const { stdout } = await promisify(execFile)(process.execPath, [SERVER, 'dashboard-link'], { env });
    expect(missingInOutput('docs/operations.md', 'npm run dashboard-link', stdout)).toEqual([]);
    const [printed = ''] = /https:\S+/.exec(stdout) ?? [];
    expect(printed).toMatch(/^https:\/\/id\.example\.com\/dashboard\/getting-started#token=[\w-]{43}$/);
    expect((await open(new PageClient(app), tokenOf(printed))).status).toBe(200);
  });
});
