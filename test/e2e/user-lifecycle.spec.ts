import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '#common';
import { UserPurge } from '#users';
import { startApp, type TestApp } from '../support/app.js';
import { eventsDuring } from '../support/events-during.js';

const DAY_MS = 24 * 3_600_000;

describe("a user's life", () => {
  let app: TestApp;
  let offsetMs = 0;
  beforeAll(async () => {
    app = await startApp();
    app.app.get(Clock).now = () => new Date(Date.now() + offsetMs);
    await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    await app.api.platform.post('/v1/organizations', { name: 'Club', slug: 'club', parentId: 'acme' }).expect(201);
  });
  afterAll(() => app.close());

  const users = '/v1/organizations/acme/users';
  const create = async (body: object): Promise<string> =>
    (await app.api.platform.post(users, body).expect(201)).body.data.id as string;
  const get = async (id: string) => (await app.api.platform.get(`${users}/${id}`).expect(200)).body.data;
  const typesOf = async (run: () => Promise<unknown>) => (await eventsDuring(app, run)).map(({ type }) => type);

  it('pending → active → suspended → active, each with its event; a repetition says nothing', async () => {
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

  it('deleted and restored, it keeps status, roles, memberships and metadata', async () => {
    const id = await create({ email: 'kept@example.com', roles: ['admin', 'viewer'], metadata: { a: [1] } });
    await app.api.platform.post('/v1/organizations/club/members', { userId: id, role: 'viewer' }).expect(201);
    await app.api.platform.post(`${users}/${id}/suspend`, { reason: 'x' }).expect(200);
    const before = await get(id);
    await app.api.platform.delete(`${users}/${id}`).expect(204);
    const deleted = await get(id);
    expect(deleted).toMatchObject({ status: 'deleted' });
    expect(Date.parse(deleted.restorableUntil as string) - Date.parse(deleted.deletedAt as string)).toBe(30 * DAY_MS);
    for (const [path, code] of [
      ['suspend', 'user_deleted'],
      ['activate', 'user_deleted'],
      ['invitation', 'user_deleted'],
    ] as const) {
      expect((await app.api.platform.post(`${users}/${id}/${path}`, {}).expect(409)).body.code).toBe(code);
    }

    const [restored] = await eventsDuring(app, () => app.api.platform.post(`${users}/${id}/restore`).expect(200));
    expect(restored).toMatchObject({
      type: 'user.updated',
      data: { changes: { status: { from: 'deleted', to: 'suspended' } } },
    });
    const after = await get(id);
    expect({ ...after, updatedAt: 0 }).toEqual({ ...before, updatedAt: 0 });
    expect((await app.api.platform.get('/v1/organizations/club/members?search=kept').expect(200)).body.pagination.total).toBe(1);
    expect(await typesOf(() => app.api.platform.post(`${users}/${id}/restore`).expect(200))).toEqual([]);
  });

  it("a deleted user's address can be used anew, and then stands in the way of restoring", async () => {
    const first = await create({ email: 'Same@example.com' });
    await app.api.platform.delete(`${users}/${first}`).expect(204);
    const second = await create({ email: 'same@EXAMPLE.com' });
    expect((await app.api.platform.post(`${users}/${first}/restore`).expect(409)).body.code).toBe('email_conflict');
    await app.api.platform.delete(`${users}/${second}`).expect(204);
    await app.api.platform.post(`${users}/${first}/restore`).expect(200);
  });

  it('is restorable on day 29, and purged with all its rows after day 30', async () => {
    const [kept, gone] = [
      await create({ email: 'day29@example.com' }),
      await create({ email: 'day31@example.com', sendInvitation: true }),
    ];
    await app.api.platform.post('/v1/organizations/club/members', { userId: gone }).expect(201);
    for (const id of [kept, gone]) await app.api.platform.delete(`${users}/${id}`).expect(204);
    const purge = () => app.app.get(UserPurge, { strict: false }).purgeDue();

    offsetMs += 29 * DAY_MS;
    expect(await purge()).toBe(0);
    await app.api.platform.post(`${users}/${kept}/restore`).expect(200);

    offsetMs += 2 * DAY_MS;
    await app.api.platform.post(`${users}/${gone}/restore`).expect(404);
    const events = await eventsDuring(app, purge);
    expect(events.filter(({ data }) => data.id === gone)).toMatchObject([
      { type: 'user.deleted', data: { id: gone, permanent: true, purgeAt: null } },
    ]);
    await app.api.platform.get(`${users}/${gone}`).expect(404);
    for (const table of ['directory_entries', 'memberships', 'role_assignments', 'one_time_tokens', 'sessions']) {
      expect(await app.database.query(`SELECT FROM ${table} WHERE user_id = $1`, [gone])).toEqual([]);
    }
    expect((await get(kept)).status).toBe('pending');
  });

  it('is invited again only while pending', async () => {
    const id = await create({ email: 'invited@example.com' });
    const answer = await app.api.platform.post(`${users}/${id}/invitation`).expect(200);
    expect(answer.body.data).toMatchObject({ userId: id, email: 'invited@example.com' });
    await app.api.platform.post(`${users}/${id}/activate`).expect(200);
    expect((await app.api.platform.post(`${users}/${id}/invitation`).expect(409)).body.code).toBe('user_not_pending');
  });
});
