import { beforeAll, describe, expect, it } from '@jest/globals';
import { systemContext } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { SessionService } from '#directory/sessions';
import { UserPurgeService } from '#directory/users';
import { countDifferences } from '../support/counts.js';
import { eventsDuring } from '../support/events-during.js';
import { invitationToken } from '../support/mailbox.js';
import { later } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const DAY_MS = 24 * 3_600_000;
const PASSWORD = 'lantern orbit velvet quarry';

describe('the user lifecycle', () => {
  const app = testApp();
  beforeAll(async () => {
    await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    await app.api.platform.post('/v1/organizations', { name: 'Club', slug: 'club', parentId: 'acme' }).expect(201);
  });

  const users = '/v1/organizations/acme/users';
  const create = async (body: object): Promise<string> =>
    (await app.api.platform.post(users, body).expect(201)).body.data.id as string;
  const get = async (id: string) => (await app.api.platform.get(`${users}/${id}`).expect(200)).body.data;
  const typesOf = async (run: () => Promise<unknown>) => (await eventsDuring(app, run)).map(({ type }) => type);

  it('publishes one event for each change of status', async () => {
    const id = await create({ email: 'life@example.com' });
    const [activated] = await eventsDuring(app, () => app.api.platform.post(`${users}/${id}/activate`).expect(200));
    expect(activated).toMatchObject({
      type: 'user.activated',
      data: { id, status: 'active', previousStatus: 'pending' },
    });
    expect(await typesOf(() => app.api.platform.post(`${users}/${id}/activate`).expect(200))).toEqual([]);

    await app.api.platform.post(`${users}/${id}/suspend`, { reason: 'Holiday' }).expect(200);
    expect(await get(id)).toMatchObject({ status: 'suspended', suspendedReason: 'Holiday' });
    const [again] = await eventsDuring(app, () => app.api.platform.post(`${users}/${id}/activate`).expect(200));
    expect(again).toMatchObject({ data: { previousStatus: 'suspended' } });
    const shown = await get(id);
    expect(shown.status).toBe('active');
    expect(shown).not.toHaveProperty('suspendedAt');
  });

  it('restores the status, roles, memberships and metadata of a deleted user', async () => {
    const id = await create({ email: 'kept@example.com', roles: ['admin', 'viewer'], metadata: { a: [1] } });
    const shownIn = async () => {
      const lists = [
        'acme/users?role=admin',
        'acme/users?role=viewer',
        'club/users?role=viewer',
        'club/members?status=suspended',
      ];
      const pages = await Promise.all(
        lists.map((list) => app.api.platform.get(`/v1/organizations/${list}&search=kept`).expect(200)),
      );
      return pages.map(({ body }) => body.pagination.total);
    };
    await app.api.platform.post('/v1/organizations/club/members', { userId: id, role: 'viewer' }).expect(201);
    await app.api.platform.post(`${users}/${id}/suspend`, { reason: 'x' }).expect(200);
    const before = await get(id);
    expect(await shownIn()).toEqual([1, 1, 1, 1]);
    await app.api.platform.delete(`${users}/${id}`).expect(204);
    expect(await shownIn()).toEqual([0, 0, 0, 0]);
    const deleted = await get(id);
    expect(deleted).toMatchObject({ status: 'deleted' });
    expect(Date.parse(deleted.restorableUntil as string) - Date.parse(deleted.deletedAt as string)).toBe(30 * DAY_MS);
    for (const rejected of [
      ...['suspend', 'activate', 'invitation'].map((path) => app.api.platform.post(`${users}/${id}/${path}`, {})),
      app.api.platform.patch(`${users}/${id}`, { firstName: 'A' }),
    ])
      expect((await rejected.expect(409)).body.code).toBe('user_deleted');
    await app.api.platform.post(`${users}/${id}/roles`, { roleId: 'admin' }).expect(404);

    const [restored] = await eventsDuring(app, () => app.api.platform.post(`${users}/${id}/restore`).expect(200));
    expect(restored).toMatchObject({
      type: 'user.updated',
      data: { changes: { status: { from: 'deleted', to: 'suspended' } } },
    });
    const after = await get(id);
    expect({ ...after, updatedAt: 0 }).toEqual({ ...before, updatedAt: 0 });
    expect(await shownIn()).toEqual([1, 1, 1, 1]);
    expect(await typesOf(() => app.api.platform.post(`${users}/${id}/restore`).expect(200))).toEqual([]);
  });

  it('restores the credentials but no sessions of a deleted user', async () => {
    const ctx = systemContext('test');
    const [passwords, sessions] = [PasswordsService, SessionService].map((each) => app.app.get(each, { strict: false })) as [
      PasswordsService,
      SessionService,
    ];
    const email = 'credentials@example.com';
    const id = await create({ email, firstName: 'Ada', externalId: 'hr-1', sendInvitation: true });
    const accepted = { token: await invitationToken(app, email), password: PASSWORD };
    await app.api.anonymous.post('/v1/auth/accept-invitation', accepted).expect(200);
    const [{ tenantId }] = (await app.database.query('SELECT tenant_id AS "tenantId" FROM users WHERE id = $1', [id])) as [
      { tenantId: string },
    ];
    const opening = { user: { tenantId, id }, organizationId: tenantId, authenticationMethods: ['password'] };
    const tokens = [await sessions.create(ctx, opening), await sessions.create(ctx, opening)].map(({ token }) => token);
    const isLive = (token: string) => sessions.authenticate(token, () => 3_600).then((session) => session !== null);
    const before = await get(id);
    expect(before).toMatchObject({ status: 'active', emailVerified: true, externalId: 'hr-1' });
    expect(await Promise.all(tokens.map(isLive))).toEqual([true, true]);

    const types = await typesOf(() => app.api.platform.delete(`${users}/${id}`).expect(204));
    expect(types).toEqual(['security.session_revoked', 'security.session_revoked', 'user.deleted']);
    await app.api.platform.post(`${users}/${id}/restore`).expect(200);

    expect({ ...(await get(id)), updatedAt: 0 }).toEqual({ ...before, updatedAt: 0 });
    expect(await passwords.verify(ctx, { tenantId, id }, PASSWORD)).toBe(true);
    expect(await passwords.verify(ctx, { tenantId, id }, `${PASSWORD}!`)).toBe(false);
    expect(await Promise.all(tokens.map(isLive))).toEqual([false, false]);
    expect(await sessions.listOrganizationIds(ctx, { tenantId, id })).toEqual([]);
    expect(await isLive((await sessions.create(ctx, opening)).token)).toBe(true);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it.each(['a new user', 'an existing user'])('releases the email address of a deleted user for %s', async (how) => {
    const first = await create({ email: 'Same@example.com', metadata: { of: 'first' } });
    await app.api.platform.delete(`${users}/${first}`).expect(204);
    const isNew = how === 'a new user';
    const second = await create({ email: isNew ? 'same@EXAMPLE.com' : 'other@example.com' });
    if (!isNew) await app.api.platform.patch(`${users}/${second}`, { email: 'SAME@example.com' }).expect(200);
    const before = await get(first);

    const types = await typesOf(async () => {
      const rejected = await app.api.platform.post(`${users}/${first}/restore`).expect(409);
      expect(rejected.body).toMatchObject({ status: 409, code: 'email_conflict' });
    });

    expect(types).toEqual([]);
    expect(await get(first)).toEqual(before);
    const found = await app.api.platform.get(`${users}?email=same@example.com`).expect(200);
    expect(found.body.data).toMatchObject([{ id: second, status: 'pending' }]);
    await app.api.platform.delete(`${users}/${second}?permanent=true`).expect(204);
    await app.api.platform.post(`${users}/${first}/restore`).expect(200);
    expect(await get(first)).toMatchObject({ email: 'Same@example.com', metadata: { of: 'first' } });
    await app.api.platform.post(`${users}/${second}/restore`).expect(404);
    await app.api.platform.delete(`${users}/${first}?permanent=true`).expect(204);
  });

  it('releases the externalId of a deleted user, which is unique in the tenant', async () => {
    const first = await create({ email: 'b@example.com', externalId: 'hr-3' });
    const other = await create({ email: 'c@example.com' });
    const set = (externalId: string | null) => app.api.platform.patch(`${users}/${other}`, { externalId });
    for (const response of [
      await app.api.platform.post('/v1/organizations/club/users', { email: 'e@example.com', externalId: 'hr-3' }).expect(409),
      await set('hr-3').expect(409),
    ])
      expect(response.body.code).toBe('external_id_taken');
    await app.api.platform.delete(`${users}/${first}`).expect(204);
    await set('hr-3').expect(200);
    expect((await app.api.platform.post(`${users}/${first}/restore`).expect(409)).body.code).toBe('external_id_conflict');
    await set(null).expect(200);
    await app.api.platform.post(`${users}/${first}/restore`).expect(200);
  });

  it('purges a deleted user after 30 days', async () => {
    const [kept, gone] = [
      await create({ email: 'day29@example.com' }),
      await create({ email: 'day31@example.com', sendInvitation: true }),
    ];
    await app.api.platform.post('/v1/organizations/club/members', { userId: gone }).expect(201);
    for (const id of [kept, gone]) await app.api.platform.delete(`${users}/${id}`).expect(204);
    const purge = () => app.app.get(UserPurgeService, { strict: false }).purgeDue();

    await later(app, 29 * DAY_MS, async () => {
      expect(await purge()).toBe(0);
      await app.api.platform.post(`${users}/${kept}/restore`).expect(200);
    });

    const events = await later(app, 31 * DAY_MS, async () => {
      await app.api.platform.post(`${users}/${gone}/restore`).expect(404);
      return eventsDuring(app, purge);
    });
    expect(events.filter(({ data }) => data.id === gone)).toMatchObject([
      { type: 'user.deleted', data: { id: gone, permanent: true, purgeAt: null } },
    ]);
    await app.api.platform.get(`${users}/${gone}`).expect(404);
    for (const table of ['directory_entries', 'memberships', 'role_assignments', 'one_time_tokens', 'sessions']) {
      expect(await app.database.query(`SELECT FROM ${table} WHERE user_id = $1`, [gone])).toEqual([]);
    }
    expect((await get(kept)).status).toBe('pending');
  });

  it('allows a new invitation only while the user is pending', async () => {
    const id = await create({ email: 'invited@example.com' });
    const response = await app.api.platform.post(`${users}/${id}/invitation`).expect(200);
    expect(response.body.data).toMatchObject({ userId: id, email: 'invited@example.com' });
    await app.api.platform.post(`${users}/${id}/activate`).expect(200);
    expect((await app.api.platform.post(`${users}/${id}/invitation`).expect(409)).body.code).toBe('user_not_pending');
  });
});
