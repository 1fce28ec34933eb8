import { describe, expect, it } from '@jest/globals';
import { OrganizationPurgeService } from '#directory/organizations';
import { countDifferences } from '../support/counts.js';
import { eventsDuring, withEvents } from '../support/events-during.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { at, checkPermission, made, newOrganization, newUser, read } from '../support/organizations.js';
import { activeUser, DAY_MS, later, login, mailedToken, PASSWORD, sessionToken } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const EMAIL = 'ada@example.com';
const OTHER_PASSWORD = 'harbor meadow cobalt thunder';

const app = testApp();
const make = async (name: string, parentId?: string): Promise<string> => (await newOrganization(app, { name, parentId })).id;
const user = async (organization: string, fields: object = {}): Promise<string> => (await newUser(app, organization, fields)).id;
const remove = (id: string, query = ''): PendingResponse => app.api.platform.delete(at(id, query));
const restore = (id: string): PendingResponse => app.api.platform.post(at(id, '/restore'));
/** Runs the purge as if this many days had passed. */
const purgeAfter = (days: number): Promise<number> =>
  later(app, days * DAY_MS, () => app.app.get(OrganizationPurgeService).purgeDue());

describe('the deletion of an organization', () => {
  it('requires cascade for child organizations, and publishes one event per organization, ancestors first', async () => {
    const top = await make('Cascading');
    const left = await make('Cascading left', top);
    const right = await make('Cascading right', top);
    const leaf = await make('Cascading leaf', left);
    for (const query of ['', '?cascade=false']) expect(await eventsDuring(app, () => remove(top, query).expect(409))).toEqual([]);
    expect((await read(app, at(top))).children).toHaveLength(2);

    const events = await eventsDuring(app, () => remove(top, '?cascade=true').expect(204));

    expect(events.map(({ type }) => type)).toEqual(Array(4).fill('organization.deleted'));
    const order = events.map(({ organization }) => organization.id);
    expect(order.toSorted()).toEqual([top, left, right, leaf].toSorted());
    expect(order[0]).toBe(top);
    expect(order.indexOf(leaf)).toBeGreaterThan(order.indexOf(left));
    for (const { organization, data } of events) {
      expect(data).toMatchObject({ id: organization.id, name: organization.name, status: 'active' });
      expect(data.settings.defaultRole).toBe('role_member');
      expect(Date.parse(data.purgeAt) - Date.parse(data.deletedAt)).toBe(30 * DAY_MS);
      expect(data.deletedAt).toBe(events[0]!.data.deletedAt);
    }
  });

  it('has a preview with the organizations and users to delete', async () => {
    const top = await make('Previewed');
    const leaf = await make('Previewed leaf', await make('Previewed below', top));
    for (const organization of [top, leaf, await make('Not previewed')]) await user(organization);
    await app.api.platform.delete(at(leaf, `/users/${await user(leaf)}`)).expect(204);
    const askedAt = Date.now();
    const preview = await read(app, at(top, '/deletion'));
    expect(preview).toMatchObject({ organizationsBelow: 2, users: 2 });
    expect(Date.parse(preview.restorableUntil) - askedAt - 30 * DAY_MS).toBeLessThan(60_000);
    expect(await read(app, at(leaf, '/deletion'))).toMatchObject({ organizationsBelow: 0, users: 1 });
  });

  it('removes the users from lists, counts and checks until the restoration', async () => {
    const top = await make('Losing');
    const [home, other] = [await make('Losing home', top), await make('Losing other', top)];
    const id = await user(home, { firstName: 'Lost' });
    await user(other);
    await made(app, at(other, '/members'), { userId: id, role: 'admin' });
    await made(app, at(other, `/users/${id}/roles`), { roleId: 'role_owner' });
    const lists = ['/users', '/members', '/users?role=owner', '/users?search=lost'];
    const readState = async () => {
      const pages = await Promise.all(lists.map((list) => app.api.platform.get(at(other, list)).expect(200)));
      return {
        totals: pages.map(({ body }) => body.pagination.total),
        listed: pages.map(({ body }) => body.data.some((each: TestBody) => [each.id, each.userId].includes(id))),
        memberCount: (await read(app, at(other))).memberCount,
        inTree: (await read(app, at(top, '/hierarchy'))).children.map(({ name }: TestBody) => name).toSorted(),
        allowed: (await checkPermission(app, other, id, 'users:read')).allowed,
      };
    };
    const before = {
      totals: [2, 2, 1, 1],
      listed: [true, true, true, true],
      memberCount: 2,
      inTree: ['Losing home', 'Losing other'],
      allowed: true,
    };
    expect(await readState()).toEqual(before);

    await remove(home).expect(204);
    expect(await readState()).toEqual({
      totals: [1, 1, 0, 0],
      listed: [false, false, false, false],
      memberCount: 1,
      inTree: ['Losing other'],
      allowed: false,
    });
    await app.api.platform.get(at(other, `/users/${id}`)).expect(404);
    await app.api.platform.post(at(other, '/members'), { userId: id }).expect(404);

    await restore(home).expect(200);
    expect(await readState()).toEqual(before);
  });

  it('is reversed by the restoration, except for descendants that were deleted earlier', async () => {
    const { id: top, slug } = await newOrganization(app, { name: 'Coming back' });
    const middle = await make('Coming back middle', top);
    const leaf = await make('Coming back leaf', middle);
    const earlier = await make('Gone earlier', middle);
    const { key } = await made(app, at(top, '/api-keys'), { name: 'k', scopes: ['*'] });
    await remove(earlier).expect(204);
    await remove(top, '?cascade=true').expect(204);
    await app.api.as(key).get(at(top)).expect(401);

    for (const descendant of [middle, leaf, earlier]) await restore(descendant).expect(409, 'parent_deleted');

    const [response, events] = await withEvents(app, async () => (await restore(slug).expect(200)).body.data);
    expect(response).toEqual({ id: top, status: 'active', updatedAt: expect.any(String) });
    expect(events.map(({ type, organization }) => [type, organization.id]).toSorted()).toEqual(
      [top, middle, leaf].map((id) => ['organization.updated', id]).toSorted(),
    );
    for (const { data } of events) {
      expect(data.changes).toEqual({ deletedAt: { from: expect.stringMatching(/Z$/), to: null } });
      expect(data.updatedAt).toBe(response.updatedAt);
    }
    await app.api.as(key).get(at(leaf)).expect(200);
    await app.api.platform.get(at(earlier)).expect(404);

    expect(await eventsDuring(app, () => restore(top).expect(200))).toEqual([]);
    expect(await eventsDuring(app, () => restore(earlier).expect(200))).toHaveLength(1);
    await read(app, at(earlier));
  });
});

/** A deleted organization can be restored for 30 days, and is purged after that. */
describe('the purge of deleted organizations', () => {
  /** Returns the columns that contain one of the values, except in the event log, which keeps past events. */
  const columnsWith = async (values: readonly string[]): Promise<string[]> => {
    const columns = await app.database.query<{ table_name: string; column_name: string }>(
      `SELECT c.table_name, c.column_name FROM information_schema.columns c JOIN pg_class k ON k.relname = c.table_name
       WHERE c.table_schema = 'public' AND c.data_type IN ('text', 'ARRAY') AND k.relkind IN ('r', 'p') AND NOT k.relispartition
         AND c.table_name NOT IN ('events', 'event_redactions', 'deliveries', 'delivery_attempts', 'idempotency_keys')
         AND c.column_name NOT IN ('tenant_id', 'created_by_id')`,
    );
    const matchingColumns: string[] = [];
    for (const { table_name: table, column_name: column } of columns) {
      const [row] = await app.database.query<{ named: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM ${table} WHERE to_jsonb(${column}) ?| $1 OR to_jsonb(${column}) #>> '{}' = ANY($1)) AS named`,
        [values],
      );
      if (row!.named) matchingColumns.push(`${table}.${column}`);
    }
    return matchingColumns.toSorted();
  };

  it('skips an organization that was deleted 29 days ago, and includes descendants that were deleted earlier', async () => {
    const id = await make('Kept');
    // Purges the organizations of other tests.
    await purgeAfter(31);
    await remove(id).expect(204);
    expect(await purgeAfter(29)).toBe(0);
    await restore(id).expect(200);
    expect(await purgeAfter(31)).toBe(0);
    await read(app, at(id));
    const top = await make('Tree');
    const early = await make('Tree early', top);
    for (const id of [early, top]) await remove(id).expect(204);
    await purgeAfter(31);
    expect(await columnsWith([top, early])).toEqual([]);
  });

  it('deletes all rows of an organization that was deleted 31 days ago', async () => {
    const other = await make('Purge other tree');
    const top = await make('Purge top');
    const sibling = await make('Purge sibling', top);
    const { id: purged } = await newOrganization(app, { name: 'Purged', slug: 'purged', parentId: top });
    const { id: below } = await newOrganization(app, { name: 'Purged below', slug: 'purged-below', parentId: purged });
    const one = await user(purged, { email: 'purged@x.example', roles: ['admin', 'viewer'] });
    const userBelow = await user(below, { email: 'purged-below@x.example', sendInvitation: true });
    const stays = await user(sibling);
    await made(app, at(sibling, '/members'), { userId: one, role: 'admin' });
    await made(app, at(other, '/members'), { userId: userBelow, role: 'viewer' });
    await made(app, at(purged, '/members'), { userId: stays });
    const role = (await made(app, at(purged, '/roles'), { name: 'purged', permissions: ['x:y'] })).id;
    await made(app, at(below, `/users/${userBelow}/roles`), { roleId: role });
    await app.api.platform.patch(at(below), { settings: { defaultRole: 'purged' } }).expect(200);
    const { id: keyId, key } = await made(app, at(purged, '/api-keys'), { name: 'k', scopes: ['*'] });
    const [group, kept] = [
      await made(app, at(purged, '/groups'), { name: 'g' }),
      await made(app, at(sibling, '/groups'), { name: 'g' }),
    ];
    for (const [organization, { id }] of [
      [purged, group],
      [sibling, kept],
    ] as const)
      await app.api.platform.post(at(organization, `/groups/${id}/members`), { userIds: [one, stays] }).expect(200);
    await made(app, at(purged, `/groups/${group.id}/roles`), { roleId: 'viewer' });
    const others = [
      made(app, at(purged, '/webhooks'), { url: 'http://127.0.0.1:9/', events: ['user.login'] }),
      made(app, at(below, '/identity-providers'), { name: 'P', issuer: 'https://login.example.com', clientId: 'c' }),
      made(app, at(purged, '/setup-links'), { steps: ['domain'] }),
      made(app, at(purged, '/domains'), { name: 'purged.example' }),
      made(app, at(purged, '/scim-connections'), { name: 'Okta' }),
    ];
    const names = [group.id, purged, below, one, userBelow, role, keyId, 'purged', 'purged-below'];
    for (const { id } of await Promise.all(others)) names.push(id);
    await remove(purged, '?cascade=true').expect(204);
    await app.api.platform.post('/v1/organizations', { name: 'Too early', slug: 'purged' }).expect(409);
    expect(await columnsWith([one])).toContain('users.id');

    await purgeAfter(31);

    expect(await columnsWith(names)).toEqual([]);
    for (const path of [at(purged, '/restore'), at('purged', '/restore'), at(below, '/restore')])
      await app.api.platform.post(path).expect(404);
    await app.api.as(key).get(at(purged)).expect(401);
    await app.api.platform.get(at(sibling, `/users/${one}`)).expect(404);
    expect((await newOrganization(app, { slug: 'purged' })).id).not.toBe(purged);

    expect((await read(app, at(sibling, `/groups/${kept.id}`))).memberCount).toBe(1);
    expect(await countDifferences(app.database)).toEqual([]);
    expect([(await read(app, at(sibling))).memberCount, (await read(app, at(other))).memberCount]).toEqual([1, 0]);
    expect((await read(app, at(sibling, `/users/${stays}`))).organizations).toMatchObject([{ id: sibling }]);
    await user(sibling, { email: 'purged@x.example' });
    expect(await purgeAfter(31)).toBe(0);
  });
});

/** Credentials and links of a deleted user or organization must not work for a new user or organization with its name. */
describe('a recreated resource', () => {
  /** Creates an organization with a user, a key and emailed links. */
  async function usedOrganization(slug: string) {
    const { id } = await newOrganization(app, { slug });
    const { id: userId } = await activeUser(app, slug, { email: EMAIL, roles: ['admin'] });
    const session = await sessionToken(app, slug, EMAIL);
    const { key } = await made(app, at(slug, '/api-keys'), { name: 'k', scopes: ['*'] });
    await app.api.anonymous.post('/v1/auth/forgot-password', { organization: slug, email: EMAIL }).expect(202);
    const reset = await mailedToken(app, EMAIL, 'password_reset');
    for (const credential of [key, session]) await app.api.as(credential).get(at(slug)).expect(200);
    return { id, userId: userId as string, session, key: key as string, reset };
  }

  /** Expects that the previous session, API key and password and the mailed link are refused. */
  async function expectUnauthenticated(slug: string, credentials: readonly string[], reset?: string): Promise<void> {
    for (const credential of credentials)
      for (const path of [at(slug), at(slug, '/users'), '/v1/auth/me'])
        expect([path, (await app.api.as(credential).get(path)).status]).toEqual([path, 401]);
    if (reset === undefined) return;
    await login(app, slug, EMAIL, PASSWORD).expect(401);
    await app.api.anonymous.post('/v1/auth/reset-password', { token: reset, password: PASSWORD }).expect(400);
  }

  it('does not reactivate credentials of a purged organization', async () => {
    const { id, userId, session, key, reset } = await usedOrganization('phoenix');
    await remove('phoenix').expect(204);
    await expectUnauthenticated('phoenix', [session, key]);
    const taken = await app.api.platform.post('/v1/organizations', { name: 'Second', slug: 'phoenix' }).expect(409);
    const { restorableUntil } = (await read(app, '/v1/organizations?status=deleted'))[0];
    expect(taken.body).toMatchObject({
      code: 'slug_taken',
      detail: expect.stringContaining(`deleted organization ${id}, which can be restored until ${restorableUntil}`),
    });
    await purgeAfter(31);

    expect((await newOrganization(app, { slug: 'phoenix' })).id).not.toBe(id);
    await expectUnauthenticated('phoenix', [session, key]);
    await login(app, 'phoenix', EMAIL).expect(401);
    await activeUser(app, 'phoenix', { email: EMAIL, password: OTHER_PASSWORD });
    await expectUnauthenticated('phoenix', [session, key], reset);
    await login(app, 'phoenix', EMAIL, OTHER_PASSWORD).expect(200);
    await app.api.platform.get(at('phoenix', `/users/${userId}`)).expect(404);
  });

  it('does not reactivate credentials of a permanently deleted user', async () => {
    const { userId, session, reset } = await usedOrganization('griffin');
    await app.api.platform.delete(at('griffin', `/users/${userId}?permanent=true`)).expect(204);
    await expectUnauthenticated('griffin', [session]);

    const { id } = await activeUser(app, 'griffin', { email: EMAIL, password: OTHER_PASSWORD });
    expect(id).not.toBe(userId);
    await expectUnauthenticated('griffin', [session], reset);
    const client = app.api.as(await sessionToken(app, 'griffin', EMAIL, OTHER_PASSWORD));
    const me = await read(client, '/v1/auth/me');
    expect(me.id ?? me.user.id).toBe(id);
    expect((await read(app, at('griffin', `/users/${id}`))).roles).toMatchObject([{ name: 'member' }]);
  });
});
