import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import { expectEach, expectFields } from '../support/fields.js';
import type { TestBody } from '../support/http-client.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const SESSION = {
  id: 'string',
  organizationId: 'string',
  ipAddress: 'string|null',
  userAgent: 'string|null',
  authenticationMethods: 'strings',
  createdAt: 'timestamp',
  lastSeenAt: 'timestamp',
  expiresAt: 'timestamp',
} as const;

describe('the session API', () => {
  const app = testApp();
  let top: TestBody;
  let child: TestBody;

  beforeAll(async () => {
    top = await organization('Top');
    child = await organization('Child', { parentId: top.id });
  });

  const organization = async (name: string, fields: object = {}): Promise<TestBody> =>
    (await app.api.platform.post('/v1/organizations', { name, ...fields }).expect(201)).body.data;
  const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;
  const ids = ({ data }: TestBody): string[] => data.map(({ id }: { id: string }) => id);
  const works = async ({ client }: SignedIn): Promise<boolean> => (await client.get('/v1/auth/me')).status === 200;

  describe('GET /v1/auth/me', () => {
    it('returns the user with organizations, roles, permissions and the session', async () => {
      const user = await signedIn(app, child.id, { roles: ['viewer', 'member'], methods: ['password', 'totp'] });
      await app.api.platform.post(at(top.id, '/members'), { userId: user.id, role: 'member' }).expect(201);
      const { data } = (await user.client.get('/v1/auth/me').expect(200)).body;

      const shown = (await app.api.platform.get(at(child.id, `/users/${user.id}`)).expect(200)).body.data;
      const { organizations, session, ...profile } = data;
      const { organizations: _, ...expected } = shown;
      expect(profile).toEqual(expected);
      expect(organizations).toEqual([
        {
          id: child.id,
          name: 'Child',
          slug: 'child',
          role: 'viewer',
          roles: [
            { id: 'role_member', name: 'member' },
            { id: 'role_viewer', name: 'viewer' },
          ],
          permissions: expect.arrayContaining(['users:read', 'members:read']),
        },
        {
          id: top.id,
          name: 'Top',
          slug: 'top',
          role: 'member',
          roles: [{ id: 'role_member', name: 'member' }],
          permissions: ['organizations:read', 'members:read'],
        },
      ]);
      expectFields(session, {
        id: [user.sessionId],
        organizationId: [child.id],
        authenticationMethods: 'strings',
        mfaEnrolmentRequired: 'boolean',
        createdAt: 'timestamp',
        authenticatedAt: 'timestamp',
        recentUntil: 'timestamp',
        expiresAt: 'timestamp',
      });
    });
  });

  describe('a session of the caller', () => {
    it('is listed with user agent and IP address', async () => {
      const first = await signedIn(app, child.id);
      const second = await openSession(app, first, { at: top.id });
      const { body } = await first.client.get('/v1/auth/sessions').expect(200);
      expectEach(body.data, { ...SESSION, current: 'boolean' });
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
      expect((await otherUser.client.delete(path).expect(404)).body.code).toBe('session_not_found');

      const events = await eventsDuring(app, () => first.client.delete(path).expect(204));
      expect(events).toEqual([
        {
          type: 'security.session_revoked',
          organization: { id: child.id, name: 'Child' },
          data: { sessionId: second.sessionId, userId: first.id, reason: 'revoked_by_user' },
        },
      ]);
      expect(await Promise.all([first, second, otherUser].map(works))).toEqual([true, false, true]);
      await first.client.delete(path).expect(404);
      expect(ids((await first.client.get('/v1/auth/sessions').expect(200)).body)).toEqual([first.sessionId]);
    });

    it('stays open as the current session when the caller revokes all sessions', async () => {
      const first = await signedIn(app, child.id);
      const others = [await openSession(app, first, { at: child.id }), await openSession(app, first, { at: top.id })];
      const kept = await first.client.delete('/v1/auth/sessions').expect(200);
      expect(kept.body).toEqual({ data: { sessionsRevoked: 2 } });
      expect(await Promise.all([first, ...others].map(works))).toEqual([true, false, false]);
      const all = await first.client.delete('/v1/auth/sessions?includeCurrent=true').expect(200);
      expect(all.body).toEqual({ data: { sessionsRevoked: 1 } });
      expect(await works(first)).toBe(false);
    });

    it('publishes user.logout when the user signs out', async () => {
      const user = await signedIn(app, top.id, { at: child.id });
      const events = await eventsDuring(app, () => user.client.post('/v1/auth/logout').expect(204));
      expect(events).toEqual([
        {
          type: 'user.logout',
          organization: { id: child.id, name: 'Child' },
          data: { userId: user.id, sessionId: user.sessionId, reason: 'signed_out' },
        },
      ]);
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
      expectEach(body.data, SESSION);
      expect(ids(body)).toEqual([user.sessionId]);
      expect(body.pagination.total).toBe(1);
    });

    it('can be revoked by an administrator, even while the organization is suspended', async () => {
      const idleOrganization = await organization('Ended', { parentId: top.id });
      const user = await signedIn(app, idleOrganization.id);
      const more = [
        await openSession(app, user, { at: idleOrganization.id }),
        await openSession(app, user, { at: idleOrganization.id }),
      ];
      const admin = await signedIn(app, top.id, { roles: ['admin'] });
      const one = await eventsDuring(app, () =>
        admin.client.delete(`${sessionsOf(user, idleOrganization.id)}/${user.sessionId}`).expect(204),
      );
      expect(one).toMatchObject([
        { type: 'security.session_revoked', data: { sessionId: user.sessionId, reason: 'revoked_by_administrator' } },
      ]);
      await admin.client.delete(`${sessionsOf(user, idleOrganization.id)}/${user.sessionId}`).expect(404);
      await admin.client.delete(`${sessionsOf(user, idleOrganization.id)}/${admin.sessionId}`).expect(404);

      await app.api.platform.post(at(idleOrganization.id, '/suspend'), { reason: 'x' }).expect(200);
      const all = await admin.client.delete(sessionsOf(user, idleOrganization.id)).expect(200);
      expect(all.body).toEqual({ data: { sessionsRevoked: 2 } });
      expect(await Promise.all([user, ...more, admin].map(works))).toEqual([false, false, false, true]);
    });

    it("can't be managed by an organization that does not manage the user", async () => {
      const user = await signedIn(app, top.id);
      await app.api.platform.post(at(child.id, '/members'), { userId: user.id, role: 'member' }).expect(201);
      const admin = await signedIn(app, child.id, { roles: ['admin'] });
      const path = sessionsOf(user, child.id);
      for (const rejected of [
        await admin.client.get(path).expect(403),
        await admin.client.delete(path).expect(403),
        await admin.client.delete(`${path}/${user.sessionId}`).expect(403),
      ])
        expect(rejected.body.code).toBe('managed_elsewhere');
      // The path names the child organization, but this caller has the permission in the managing organization.
      const parentAdmin = await signedIn(app, top.id, { roles: ['admin'] });
      expect(ids((await parentAdmin.client.get(path).expect(200)).body)).toEqual([user.sessionId]);
      await admin.client.get(at(child.id, '/users/usr_01kf2b8v3cf5h9r4n0j7d2q6xw/sessions')).expect(404);
    });
  });
});
