import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsDuring, withEvents, type WrittenEvent } from '../support/events-during.js';
import { expectFields } from '../support/fields.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { at, keyClient, made, newAddress, newOrganization, newUser, read } from '../support/organizations.js';
import { ADDED_MEMBER, LISTED_MEMBER } from '../support/specification-tables.js';
import { testApp } from '../support/test-app.js';
import { newId, systemContext } from '#platform/common';
import { EventRedaction } from '#platform/event-log';
import { OrganizationPurgeService, OwnerAddresses } from '#directory/organizations';
import { UserGrantsQuery } from '#directory/memberships';
import { countDifferences } from '../support/counts.js';
import { numberedEvents } from '../support/event-log.js';
import { HOUR_MS, later } from '../support/sign-in.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { DataSource } from 'typeorm';
import { TenantsOfGuests1796000000000 } from '../../libs/platform/database/src/migrations/1796000000000-tenants-of-guests.js';

describe('a member', () => {
  const app = testApp();
  let top: string;
  let home: string;
  let team: string;

  const make = async (name: string, parentId?: string): Promise<string> => (await newOrganization(app, { name, parentId })).id;
  const user = async (organization = home, fields: object = {}): Promise<{ id: string; email: string }> => {
    const email = newAddress();
    return { email, id: (await made(app, at(organization, '/users'), { email, ...fields })).id };
  };
  const add = (organization: string, userId: string, fields: object = {}): PendingResponse =>
    app.api.platform.post(at(organization, '/members'), { userId, ...fields });
  const remove = (organization: string, userId: string): PendingResponse =>
    app.api.platform.delete(at(organization, `/members/${userId}`));
  const list = async (organization: string, query = ''): Promise<TestBody> =>
    (await app.api.platform.get(at(organization, `/members?limit=100&${query}`)).expect(200)).body;
  const listed = async (userId: string): Promise<TestBody> =>
    (await list(team)).data.find((member: TestBody) => member.userId === userId);
  const rolesOf = async (organization: string, id: string): Promise<string[]> =>
    (await read(app, at(organization, `/users/${id}`))).roles.map(({ name }: TestBody) => name).toSorted();
  const memberCount = async (id: string): Promise<number> => (await read(app, at(id))).memberCount;
  const change = (type: 'role.assigned' | 'role.revoked', person: { id: string; email: string }, name: string) =>
    ({
      type,
      organization: { id: team, name: 'Team' },
      data: { organization: { id: team, name: 'Team' }, user: person, role: { id: `role_${name}`, name } },
    }) satisfies WrittenEvent;

  beforeAll(async () => {
    top = await make('Top');
    home = await make('Home', top);
    team = await make('Team', top);
  });

  it('can be added, get another role and be removed', async () => {
    const person = await user(home, { displayName: 'Ada' });
    const set = async (role?: string): Promise<TestBody> => (await add(team, person.id, { role }).expect(201)).body.data;
    const [added, addition] = await withEvents(app, () => set('viewer'));
    expectFields(added, ADDED_MEMBER);
    const event = { organization: { id: team, name: 'Team' } };
    const data = { organizationId: team, userId: person.id, email: person.email };
    expect(addition).toEqual([
      { ...event, type: 'organization.member_added', data: { ...data, role: 'viewer', joinedAt: added.joinedAt } },
    ]);
    expectFields(await listed(person.id), LISTED_MEMBER);

    for (const role of ['viewer', undefined]) expect(await eventsDuring(app, () => set(role))).toEqual([]);
    const promotion = await eventsDuring(app, () => set('admin'));
    expect(promotion).toEqual([change('role.revoked', person, 'viewer'), change('role.assigned', person, 'admin')]);
    expect(await listed(person.id)).toMatchObject({ role: 'admin', joinedAt: added.joinedAt, displayName: 'Ada' });

    const removal = await eventsDuring(app, () => remove(team, person.id).expect(204));
    const removedAt = expect.stringMatching(/Z$/);
    expect(removal).toEqual([{ ...event, type: 'organization.member_removed', data: { ...data, role: 'admin', removedAt } }]);
    expect(await listed(person.id)).toBeUndefined();
    expect(await eventsDuring(app, () => remove(team, person.id).expect(404))).toEqual([]);
    await app.api.platform.get(at(team, `/users/${person.id}`)).expect(404);
  });

  it('keeps a directly assigned role when the role of the membership changes, and gets the default role when it is revoked', async () => {
    const person = await user();
    await add(team, person.id, { role: 'viewer' });
    const assign = () => app.api.platform.post(at(team, `/users/${person.id}/roles`), { roleId: 'viewer' }).expect(200);
    expect(await eventsDuring(app, assign)).toEqual([]);
    const set = (role: string) => eventsDuring(app, () => add(team, person.id, { role }).expect(201));
    expect(await set('admin')).toEqual([change('role.assigned', person, 'admin')]);
    expect(await set('viewer')).toEqual([change('role.revoked', person, 'admin')]);
    const other = await user();
    await add(team, other.id, { role: 'admin' });
    const revoke = (role: string, status: number) =>
      eventsDuring(app, () => app.api.platform.delete(at(team, `/users/${other.id}/roles/${role}`)).expect(status));
    expect(await revoke('admin', 204)).toEqual([
      change('role.revoked', other, 'admin'),
      change('role.assigned', other, 'member'),
    ]);
    expect(await revoke('member', 204)).toEqual([]);
    expect(await listed(other.id)).toMatchObject({ role: 'member' });
    expect(await revoke('admin', 404)).toEqual([]);
  });

  it('gets the inherited default role only from a caller with its permissions', async () => {
    const parent = await make('Default role', top);
    await app.api.platform.patch(at(parent), { settings: { defaultRole: 'admin' } }).expect(200);
    const child = await make('Default role below', parent);
    const { id } = await user(child);
    expect(await rolesOf(child, id)).toEqual(['admin']);
    const key = await keyClient(app, top, ['members:write']);
    const addMember = (role?: string) => key.post(at(parent, '/members'), { userId: id, role });
    for (const role of ['admin', 'owner', 'member', undefined]) await addMember(role).expect(403, 'forbidden');
    await app.api.platform.patch(at(parent), { settings: { defaultRole: 'member' } }).expect(200);
    expect((await addMember().expect(201)).body.data.role).toBe('member');
  });

  it("can't get an unknown role or a role of a sibling organization, and can't be a deleted user", async () => {
    const { id } = await user(top);
    const own = await made(app, at(team, '/roles'), { name: 'own', permissions: ['x:y'] });
    for (const role of ['nothing', 'role_nothing', 'own', own.id]) await add(home, id, { role }).expect(404, 'role_not_found');
    expect((await add(team, id, { role: own.id }).expect(201)).body.data.role).toBe('own');
    for (const query of ['', '?permanent=true']) {
      const { id } = await user(top);
      await app.api.platform.delete(at(top, `/users/${id}${query}`)).expect(204);
      await add(team, id).expect(404, 'user_not_found');
    }
  });

  it('is neither counted nor listed after the removal from the managing organization', async () => {
    const organization = await make('Removal', top);
    const { id } = await user(organization);
    await remove(organization, id).expect(204);
    expect([await memberCount(organization), (await list(organization)).pagination.total]).toEqual([0, 0]);
    const shown = await read(app, at(organization, `/users/${id}`));
    expect(shown).toMatchObject({ status: 'pending', organizations: [], roles: [] });
    expect(await read(app, at(organization, '/users'))).toHaveLength(1);
    await app.api.platform.post(at(organization, `/users/${id}/roles`), { roleId: 'role_admin' }).expect(404);
    await add(organization, id).expect(201);
  });

  it('is counted exactly after deletion, restoration and concurrent writes', async () => {
    const organization = await make('Counting', top);
    const ids = (await Promise.all(Array.from({ length: 12 }, () => user(top)))).map(({ id }) => id);
    await Promise.all(ids.map((id) => add(organization, id).expect(201)));
    expect(await memberCount(organization)).toBe(12);
    await Promise.all([
      ...ids.slice(0, 4).map((id) => remove(organization, id).expect(204)),
      ...ids.slice(4, 6).map((id) => app.api.platform.delete(at(top, `/users/${id}`)).expect(204)),
      app.api.platform.delete(at(top, `/users/${ids[6]}?permanent=true`)).expect(204),
      ...ids.slice(7, 10).map((id) => add(organization, id, { role: 'viewer' }).expect(201)),
      ...Array.from({ length: 4 }, () => add(organization, ids[10]!).expect(201)),
    ]);
    expect(await memberCount(organization)).toBe(5);
    const { data, pagination } = await list(organization);
    expect(data.map(({ userId }: TestBody) => userId).toSorted()).toEqual(ids.slice(7).toSorted());
    expect(pagination.total).toBe(5);
    expect((await read(app, at(top))).children).toContainEqual({ id: organization, name: 'Counting', memberCount: 5 });
  });

  it('can be found by role, status and search', async () => {
    const organization = await make('Filtered', top);
    const { id: a } = await user(organization, { firstName: 'Álvaro', roles: ['admin'] });
    const { id: b } = await user(organization, { firstName: 'Bea' });
    const { id: c } = await user(organization, { firstName: 'Cem', roles: ['admin', 'viewer'] });
    await app.api.platform.post(at(organization, `/users/${c}/suspend`)).expect(200);
    for (const [query, wanted] of [
      ['role=admin', [c, a]],
      ['role=role_viewer', [c]],
      ['status=suspended', [c]],
      ['status=pending&role=admin', [a]],
      ['search=alvaro', [a]],
      ['search=bea&role=admin', []],
      ['role=nothing', []],
      ['role=user', []],
      [`after=${c}`, [b, a]],
    ] as const)
      expect([query, (await list(organization, query)).data.map(({ userId }: TestBody) => userId)]).toEqual([query, wanted]);
    const { pagination } = (await app.api.platform.get(at(organization, `/members?limit=2&after=${b}`)).expect(200)).body;
    expect(pagination).toEqual({ total: 3, page: 2, limit: 2, hasMore: false });
  });

  it('gets an email only if sendNotification is true', async () => {
    const { id, email } = await user(top);
    await add(home, id, { sendNotification: false }).expect(201);
    expect(await mailsTo(app, email)).toEqual([]);
    await add(team, id, { role: 'admin', sendNotification: true }).expect(201);
    expect(await mailsTo(app, email)).toMatchObject([{ to: email, text: expect.stringContaining('Team') }]);
  });

  it('of another tenant can be added only by the platform, and can be changed only in the managing organization and the ancestors', async () => {
    const otherTenant = await make('Other tenant');
    const guest = await user(otherTenant);
    const own = await keyClient(app, top, ['*']);
    await own.post(at(team, '/members'), { userId: guest.id }).expect(404);
    await add(team, guest.id, { role: 'viewer' }).expect(201);

    const path = at(team, `/users/${guest.id}`);
    const seen = await read(own, path);
    expect(seen.organizations).toEqual([{ id: team, name: 'Team', role: 'viewer' }]);
    expect(JSON.stringify(seen)).not.toContain(otherTenant);
    for (const request of [
      own.patch(path, { firstName: 'Changed' }),
      own.post(`${path}/suspend`, { reason: 'r' }),
      own.delete(path),
      own.delete(`${path}?permanent=true`),
    ])
      await request.expect(403, 'managed_elsewhere');
    await own.post(`${path}/roles`, { roleId: 'admin' }).expect(201);
    expect(await rolesOf(team, guest.id)).toEqual(['admin', 'viewer']);
    expect(await rolesOf(otherTenant, guest.id)).toEqual(['member']);
    await own.delete(at(team, `/members/${guest.id}`)).expect(204);
    await own.get(path).expect(404);
    const { id } = await user(home);
    await add(team, id).expect(201);
    const changed = async (from: string, where: string) =>
      (await keyClient(app, from, ['*'])).patch(at(where, `/users/${id}`), { firstName: from });
    expect((await changed(team, team)).body.code).toBe('managed_elsewhere');
    expect([(await changed(home, home)).status, (await changed(top, team)).status]).toEqual([200, 200]);
  });
});

const MONTH_MS = 31 * 24 * HOUR_MS;

/** A guest is a user who is a member of an organization in another tenant. */
describe('a guest', () => {
  const app = testApp();

  const get = (path: string) => read(app, path);
  const organization = async (parentId?: string): Promise<string> => (await newOrganization(app, { parentId })).id;
  const tenants = async (): Promise<[string, string, string]> => [
    await organization(),
    await organization(),
    await organization(),
  ];
  const user = async (where: string, fields: object = {}): Promise<string> => (await newUser(app, where, fields)).id;
  const add = (where: string, userId: string, role = 'member') => made(app, at(where, '/members'), { userId, role });
  const idsOf = (items: readonly TestBody[]): string[] => items.map(({ id, userId }) => id ?? userId);
  const guestTenantsOf = async (id: string): Promise<string[]> =>
    (await app.database.query<{ ids: string[] }>('SELECT guest_tenant_ids AS ids FROM users WHERE id = $1', [id]))[0]!.ids;
  /** Returns the number of rows about a user, by table and tenant. */
  const rowsAbout = async (id: string): Promise<string[]> => {
    const ofTables = ['directory_entries', 'memberships', 'role_assignments', 'event_redactions'].map(
      (table) => `SELECT '${table} ' || tenant_id AS row FROM ${table} WHERE user_id = $1`,
    );
    const requests = `SELECT 'break_glass_requests ' || tenant_id FROM break_glass_requests WHERE requester_id = $1`;
    const sql = `${[...ofTables, requests].join(' UNION ALL ')} ORDER BY 1`;
    return (await app.database.query<{ row: string }>(sql, [id])).map(({ row }) => row);
  };

  it('is listed between the users of the tenant', async () => {
    const [home, host] = await tenants();
    const first = await user(host);
    const guest = await user(home, { firstName: 'Gast', email: 'gast@home.example', roles: ['admin'] });
    const last = await user(host);
    await add(host, guest, 'viewer');

    const { data, pagination } = (await app.api.platform.get(at(host, '/users')).expect(200)).body;
    expect([idsOf(data), pagination.total]).toEqual([[last, guest, first], 3]);
    expect(data[1]).toMatchObject({ email: 'gast@home.example', firstName: 'Gast', status: 'pending', metadata: {} });
    expect(data[1].roles.map(({ name }: { name: string }) => name)).toEqual(['viewer']);
    for (const query of ['email=gast@home.example', 'search=gast', 'role=viewer', `limit=1&after=${last}`, 'limit=1&page=2'])
      expect(idsOf(await get(at(host, `/users?${query}`)))).toEqual([guest]);
    const members = await get(at(host, '/members'));
    expect(idsOf(members)).toEqual([last, guest, first]);
    expect(members[1]).toMatchObject({ email: 'gast@home.example', displayName: 'Gast', role: 'viewer' });
    const { body: exported } = await app.api.platform.get(at(host, '/users/export')).expect(200);
    const lines: TestBody[] = exported.trim().split('\n').map(JSON.parse);
    expect([idsOf(lines), lines[1]]).toEqual([[last, guest, first], expect.objectContaining({ roles: ['viewer'] })]);
  });

  it('has memberships of several tenants, oldest first', async () => {
    const [home, host, other] = await tenants();
    const child = await organization(home);
    const guest = await user(home);
    await add(host, guest, 'viewer');
    await add(child, guest, 'admin');
    await add(other, guest);
    await add(other, guest, 'admin');
    const rows = (await get(at(host, `/users/${guest}`))).organizations.map(({ id, role }: TestBody) => [id, role]);
    expect(rows).toEqual([
      [home, 'member'],
      [host, 'viewer'],
      [child, 'admin'],
      [other, 'admin'],
    ]);
    expect((await get(at(home, `/users/${guest}`))).organizations).toHaveLength(4);
    expect((await get(at(host, `/users/${guest}`))).roles).toMatchObject([{ name: 'viewer' }]);
    expect(await guestTenantsOf(guest)).toEqual([host, other]);
    await app.api.platform.delete(at(host, `/members/${guest}`)).expect(204);
    await app.api.platform.get(at(host, `/users/${guest}`)).expect(404);
    await add(host, guest);
    expect(await guestTenantsOf(guest)).toEqual([host, other]);
  });

  it('has the name, email address and status of the user', async () => {
    const [home, host] = await tenants();
    const guest = await user(home);
    await add(host, guest, 'viewer');
    await app.api.platform.patch(at(home, `/users/${guest}`), { email: 'renamed@home.example', lastName: 'Rename' }).expect(200);
    expect(await get(at(host, '/users?search=rename'))).toMatchObject([{ id: guest, email: 'renamed@home.example' }]);
    await app.api.platform.post(at(home, `/users/${guest}/activate`)).expect(200);
    for (const [change, status] of [
      [() => app.api.platform.post(at(home, `/users/${guest}/suspend`), { reason: 'r' }), 'suspended'],
      [() => app.api.platform.post(at(home, `/users/${guest}/activate`)), 'active'],
      [() => app.api.platform.delete(at(home, `/users/${guest}`)), 'deleted'],
      [() => app.api.platform.post(at(home, `/users/${guest}/restore`)), 'active'],
    ] as const) {
      expect((await change()).status).toBeLessThan(300);
      expect(await get(at(host, `/users/${guest}`))).toMatchObject({ status });
      const { body } = await app.api.platform.get(at(host, `/users?role=viewer&status=${status}`)).expect(200);
      expect(body).toMatchObject({ data: [{ id: guest, status }], pagination: { total: 1 } });
      const check = { userId: guest, permission: 'users:read' };
      const answer = (await app.api.platform.post(at(host, '/permissions/check'), check).expect(200)).body.data;
      expect(answer.allowed).toBe(status === 'active');
    }
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('has the permissions of all tenants in a session', async () => {
    const [home, host, other] = await tenants();
    const guest = await signedIn(app, home, { roles: ['member'] });
    await add(host, guest.id, 'admin');
    await add(other, guest.id, 'viewer');
    await guest.client.post(at(host, '/users'), { email: newAddress() }).expect(201);
    await guest.client.get(at(other, '/users')).expect(200);
    await guest.client.post(at(other, '/users'), { email: 'x@x.example' }).expect(403);
    const me = await read(guest.client, '/v1/auth/me');
    expect(me.organizations.map(({ id, roles }: TestBody) => [id, roles[0].name])).toEqual([
      [home, 'member'],
      [host, 'admin'],
      [other, 'viewer'],
    ]);
    const owners = await app.app.get(UserGrantsQuery).listOwners(systemContext(newId('request')), [
      { tenantId: home, id: guest.id },
      { tenantId: host, id: await user(host) },
    ]);
    expect(owners.map(({ grants }) => grants.map(({ organizationId }) => organizationId).toSorted())).toEqual([
      [home, host, other].toSorted(),
      [host],
    ]);
    await app.api.platform.delete(at(other)).expect(204);
    await guest.client.get(at(other, '/users')).expect(404);
    await app.api.platform.delete(at(host, `/members/${guest.id}`)).expect(204);
    await guest.client.get(at(host, '/users')).expect(404);
  });

  it('can be the only owner and receives the emails of the organization', async () => {
    const [home, host] = await tenants();
    const guest = await user(home, { email: 'owner@home.example' });
    const own = await user(host, { email: 'owner@host.example' });
    await add(host, guest, 'owner');
    await add(host, own, 'owner');
    const ctx = systemContext(newId('request'));
    const recipients = await app.app.get(OwnerAddresses).find(ctx, { tenantId: host, id: host, ancestorIds: [] });
    expect(recipients.map(({ email }) => email)).toEqual(['owner@home.example', 'owner@host.example']);
    const admin = await signedIn(app, home, { roles: ['owner'] });
    await app.api.platform.delete(at(host, `/members/${own}`)).expect(204);
    expect((await admin.client.post(at(home, `/users/${guest}/suspend`), { reason: 'r' })).body.code).toBe('forbidden');
    await add(host, admin.id, 'owner');
    await app.api.platform.delete(at(host, `/members/${guest}`)).expect(204);
    await admin.client.delete(at(host, `/members/${admin.id}`)).expect(409, 'last_owner');
  });

  const guestWithAccess = async (home: string, host: string): Promise<SignedIn> => {
    const guest = await signedIn(app, home);
    await add(host, guest.id, 'admin');
    await guest.client.post(at(host, '/break-glass'), { reason: 'Nobody else is there', durationSeconds: 600 }).expect(201);
    return guest;
  };

  it('is removed from all tenants and redacted in all logs', async () => {
    const [home, host] = await tenants();
    const guest = await guestWithAccess(home, host);
    await app.api.platform.delete(at(home, `/users/${guest.id}?permanent=true`)).expect(204);
    expect(await rowsAbout(guest.id)).toEqual([home, host].toSorted().map((id) => `event_redactions ${id}`));
    expect(await countDifferences(app.database)).toEqual([]);

    await numberedEvents(app);
    await later(app, 2 * HOUR_MS, () => app.app.get(EventRedaction).run());
    const traces = await app.database.query(`SELECT type FROM events WHERE payload LIKE '%' || $1 || '%'`, [guest.email]);
    expect(traces).toEqual([]);
    for (const id of [home, host]) {
      const verified = await get(at(id, '/events/verify'));
      expect(verified).toMatchObject({ valid: true });
      expect(verified.redacted).toBeGreaterThan(0);
    }
    const open = await app.database.query('SELECT FROM event_redactions WHERE user_id = $1 AND completed_at IS NULL', [guest.id]);
    expect(open).toEqual([]);
  });

  it('leaves other tenants with the deletion and the purge of the managing organization', async () => {
    const [home, host] = await tenants();
    const guest = await guestWithAccess(home, host);
    const listed = async (): Promise<string[]> => idsOf(await get(at(host, '/users')));
    await app.api.platform.delete(at(home)).expect(204);
    expect(await listed()).toEqual([]);
    await app.api.platform.get(at(host, `/users/${guest.id}`)).expect(404);
    expect(await countDifferences(app.database)).toEqual([]);
    await app.api.platform.post(at(home, '/restore')).expect(200);
    expect(await listed()).toEqual([guest.id]);
    expect(await countDifferences(app.database)).toEqual([]);

    await app.api.platform.delete(at(home)).expect(204);
    await later(app, MONTH_MS, () => app.app.get(OrganizationPurgeService).purgeDue());
    expect(await rowsAbout(guest.id)).toEqual([home, host].toSorted().map((id) => `event_redactions ${id}`));
    expect(await countDifferences(app.database)).toEqual([]);
  });

  // The migration runs before the tables are distributed (test/citus/migrations.spec.ts).
  const beforeCitus = process.env['TEST_CITUS'] ? it.skip : it;
  beforeCitus('is found with its tenants by the migration, also after the membership or the user was deleted', async () => {
    const [home, host] = await tenants();
    const [current, former, deleted, never] = [await user(home), await user(home), await user(home), await user(home)];
    for (const id of [current, former, deleted]) await add(host, id);
    await app.api.platform.delete(at(host, `/members/${former}`)).expect(204);
    await app.api.platform.delete(at(home, `/users/${deleted}?permanent=true`)).expect(204);
    await app.database.query('DELETE FROM event_redactions WHERE tenant_id = $1', [host]);

    const migration = new TenantsOfGuests1796000000000();
    const runner = app.app.get(DataSource).createQueryRunner();
    try {
      await runner.startTransaction();
      await migration.down(runner);
      await migration.up(runner);
      await runner.commitTransaction();
    } finally {
      await runner.release();
    }

    const users = await app.database.query('SELECT id, guest_tenant_ids AS tenants FROM users WHERE tenant_id = $1 ORDER BY id', [
      home,
    ]);
    expect(users).toEqual(
      [
        { id: current, tenants: [host] },
        { id: former, tenants: [host] },
        { id: never, tenants: [] },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    const requests = await app.database.query(
      'SELECT tenant_id, user_id FROM event_redactions WHERE user_id = $1 ORDER BY tenant_id',
      [deleted],
    );
    expect(requests).toEqual([home, host].toSorted().map((id) => ({ tenant_id: id, user_id: deleted })));
  });
});
