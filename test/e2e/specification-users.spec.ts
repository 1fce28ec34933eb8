import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemContext } from '#platform/common';
import { SessionService } from '#directory/sessions';
import { startApp, type TestApp } from '../support/app.js';
import { dataOf, expectEach, expectFields } from '../support/fields.js';
import { mailsTo } from '../support/mailbox.js';
import { made, newOrganization } from '../support/organizations.js';
import {
  ASSIGNED_ROLE,
  CREATED_USER,
  LIST,
  PAGINATION,
  REDUCED_USER,
  SUSPENDED_USER,
  UPDATED_USER,
  USER,
} from '../support/specification-tables.js';

const USERS = '/v1/organizations/acme-corp/users';

const ALL_FIELDS = {
  email: 'Ada.Lovelace@acme.example',
  firstName: 'Ada',
  lastName: 'Lovelace',
  displayName: 'Ada Lovelace',
  phoneNumber: '+49 30 123456',
  roles: ['role_admin', 'role_viewer'],
  metadata: { department: 'Engines', level: 3, tags: ['a', 'b'], nested: { deep: true } },
  sendInvitation: true,
};

/** Tests each row of specification 2.1 to 2.4, 3.1 and 4.1. */
describe('the users API (specification)', () => {
  let app: TestApp;
  let acme: string;

  const step = async <T>(run: () => Promise<T>): Promise<{ response: T; events: string[] }> => {
    const before = (await app.eventTypes()).length;
    const response = await run();
    return { response, events: (await app.eventTypes()).slice(before) };
  };
  const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id);
  const newUsers = async (): Promise<{ organization: string; users: string }> => {
    const { id } = await newOrganization(app, { name: 'Acme' });
    return { organization: id, users: `/v1/organizations/${id}/users` };
  };
  /** Creates the user Ada in a new organization. */
  const newAda = async () => {
    const { organization, users } = await newUsers();
    const { id } = await made(app, users, ALL_FIELDS);
    return { organization, users, ada: id as string, path: `${users}/${id}` };
  };

  beforeAll(async () => {
    app = await startApp();
    acme = (await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme-corp' }).expect(201)).body.data.id;
  });
  afterAll(() => app.close());

  it('creates a user', async () => {
    const { users } = await newUsers();
    const { response, events } = await step(() => app.api.platform.post(users, ALL_FIELDS).expect(201));

    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const created = dataOf(response.body);
    expectFields(created, CREATED_USER);
    expect(created).toMatchObject({
      email: 'Ada.Lovelace@acme.example',
      firstName: 'Ada',
      lastName: 'Lovelace',
      status: 'pending',
      emailVerified: false,
    });
    expect(events).toEqual(['user.created']);
  });

  it('sends an invitation only if sendInvitation is true', async () => {
    const email = 'Invited.Ada@acme.example';
    await made(app, USERS, { email, sendInvitation: true });
    await made(app, USERS, { email: 'silent@acme.example', sendInvitation: false });
    const mails = await mailsTo(app, email);

    expect(mails.map(({ to }) => to)).toEqual([email]);
    expect(await mailsTo(app, 'silent@acme.example')).toEqual([]);
    expect(mails[0]!.links).toContainEqual(expect.stringMatching(/\/accept-invitation\?token=.+/));
  });

  it.each(['firstName', 'lastName', 'displayName', 'phoneNumber', 'roles', 'metadata', 'sendInvitation'])(
    'creates a user without %s',
    async (left) => {
      const body: Record<string, unknown> = { ...ALL_FIELDS, email: `without-${left}@acme.example` };
      delete body[left];
      const created = dataOf((await app.api.platform.post(USERS, body).expect(201)).body);
      expectFields(created, CREATED_USER);
      expect(left in created).toBe(false);

      const user = dataOf((await app.api.platform.get(`${USERS}/${created.id}`).expect(200)).body);
      expectFields(user, USER);
      if (['firstName', 'lastName', 'displayName', 'phoneNumber'].includes(left)) expect(user).not.toHaveProperty(left);
      if (left === 'roles') expect(user.roles).toMatchObject([{ id: 'role_member', name: 'member' }]);
    },
  );

  it('requires only the email to create a user', async () => {
    const created = dataOf((await app.api.platform.post(USERS, { email: 'bare@acme.example' }).expect(201)).body);
    expect(created).toEqual({
      id: expect.any(String),
      email: 'bare@acme.example',
      status: 'pending',
      emailVerified: false,
      createdAt: expect.any(String),
    });
    const rejected = await app.api.platform.post(USERS, { firstName: 'Nobody' }).expect(400);
    expect(rejected.body.errors).toMatchObject([{ pointer: '/email' }]);
  });

  describe('the user list', () => {
    let users: string;
    let ada: string;

    beforeAll(async () => {
      ({ users, ada } = await newAda());
      const administrators = Array.from({ length: 6 }, (_, i) => ({ ...ALL_FIELDS, email: `admin${i}@acme.example` }));
      const others = Array.from({ length: 18 }, (_, i) => ({ email: `u${i}@acme.example` }));
      for (const fields of administrators) await made(app, users, fields);
      for (const [index, fields] of others.entries()) {
        const { id } = await made(app, users, fields);
        if (index < 6) await app.api.platform.post(`${users}/${id}/suspend`).expect(200);
        else if (index < 8) await app.api.platform.post(`${users}/${id}/activate`).expect(200);
      }
    });

    it('returns 20 users per page by default', async () => {
      const { body } = await app.api.platform.get(users).expect(200);

      expect(Object.keys(body).toSorted()).toEqual(LIST);
      expectEach(body.data, REDUCED_USER);
      expect(body.data).toHaveLength(20);
      expectFields(body.pagination, PAGINATION);
      expect(body.pagination).toEqual({ total: 25, page: 1, limit: 20, hasMore: true });
    });

    it('accepts a limit from 1 to 100', async () => {
      for (const limit of [1, 7, 25, 100]) {
        const { body } = await app.api.platform.get(`${users}?limit=${limit}`).expect(200);
        expect(body.data).toHaveLength(Math.min(limit, 25));
        expect(body.pagination).toEqual({ total: 25, page: 1, limit, hasMore: limit < 25 });
      }
      for (const limit of ['0', '101', '-1', '1.5', 'ten', '']) await app.api.platform.get(`${users}?limit=${limit}`).expect(400);
    });

    it('continues after a given user', async () => {
      const all = ids((await app.api.platform.get(`${users}?limit=100`).expect(200)).body.data);
      const walked: string[] = [];
      for (let after = ''; ;) {
        const { body } = await app.api.platform.get(`${users}?limit=10${after && `&after=${after}`}`).expect(200);
        walked.push(...ids(body.data));
        if (!body.pagination.hasMore) break;
        after = walked.at(-1)!;
      }
      expect(walked).toEqual(all);
      expect(walked).toHaveLength(25);
    });

    it('matches email addresses case-insensitively', async () => {
      for (const [email, found] of [
        ['ada.lovelace@ACME.example', [ada]],
        ['ada.lovelace@acme', []],
        ['lovelace@acme.example', []],
      ] as const) {
        const { body } = await app.api.platform.get(`${users}?email=${encodeURIComponent(email)}`).expect(200);
        expect(ids(body.data)).toEqual(found);
        expect(body.pagination.total).toBe(found.length);
      }
    });

    it('filters by the id of a role', async () => {
      const { body } = await app.api.platform.get(`${users}?role=role_admin&limit=100`).expect(200);
      expect(body.data.length).toBe(7);
      for (const { roles } of body.data) expect(ids(roles)).toContain('role_admin');
      for (const role of ['role_that_nobody_has', 'user']) {
        const empty = await app.api.platform.get(`${users}?role=${role}`).expect(200);
        expect(empty.body).toEqual({ data: [], pagination: { total: 0, page: 1, limit: 20, hasMore: false } });
      }
    });

    it.each(['active', 'suspended', 'pending'])('returns only users whose status is %s', async (status) => {
      const { body } = await app.api.platform.get(`${users}?status=${status}&limit=100`).expect(200);
      expectEach(body.data, REDUCED_USER);
      for (const user of body.data) expect(user.status).toBe(status);
      expect(body.pagination.total).toBe({ active: 2, suspended: 6, pending: 17 }[status]);
    });
  });

  it('finds users by name or email', async () => {
    const { users } = await newAda();
    await made(app, users, { email: 'zoe@acme.example', firstName: 'Zoë', lastName: 'Åström', displayName: 'The Zed' });
    for (const term of ['zoe@', 'Zoë', 'zoe', 'ASTROM', 'the zed', 'Zoë Åström']) {
      const { body } = await app.api.platform.get(`${users}?search=${encodeURIComponent(term)}`).expect(200);
      expect(body.data).toMatchObject([{ email: 'zoe@acme.example' }]);
    }
    const { body } = await app.api.platform.get(`${users}?search=nobody-has-this`).expect(200);
    expect(body).toEqual({ data: [], pagination: { total: 0, page: 1, limit: 20, hasMore: false } });
  });

  it('returns the full user', async () => {
    const { ada, organization, path } = await newAda();
    const user = dataOf((await app.api.platform.get(path).expect(200)).body);

    expectFields(user, USER);
    expect(user).toMatchObject({
      id: ada,
      email: 'Ada.Lovelace@acme.example',
      firstName: 'Ada',
      lastName: 'Lovelace',
      displayName: 'Ada Lovelace',
      phoneNumber: '+49 30 123456',
      status: 'pending',
      emailVerified: false,
      phoneVerified: false,
      mfaEnabled: false,
      organizations: [{ id: organization, name: 'Acme', role: expect.stringMatching(/^(admin|viewer)$/) }],
      metadata: ALL_FIELDS.metadata,
    });
    expect(user.roles.map(({ name }: { name: string }) => name).toSorted()).toEqual(['admin', 'viewer']);
    for (const { permissions } of user.roles) {
      expect(permissions.length).toBeGreaterThan(0);
      for (const permission of permissions) expect(permission).toMatch(/^[a-z_*]+:[a-z_*]+$/);
    }
    expect(user).not.toHaveProperty('lastLoginAt');
    expect(user).not.toHaveProperty('lastPasswordChangeAt');
  });

  it.each<[Record<string, unknown>]>([
    [{ firstName: 'Augusta' }],
    [{ lastName: 'King' }],
    [{ displayName: 'Countess' }],
    [{ firstName: 'Augusta Ada', lastName: 'King-Noel', displayName: 'Ada' }],
  ])('changes the names of a user with the body %j', async (body) => {
    const { ada, path } = await newAda();
    const { response, events } = await step(() => app.api.platform.patch(path, body).expect(200));

    const updated = dataOf(response.body);
    expectFields(updated, UPDATED_USER);
    expect(updated).toMatchObject({ id: ada, email: 'Ada.Lovelace@acme.example', ...body });
    for (const field of ['firstName', 'lastName', 'displayName', 'metadata']) expect(updated).toHaveProperty(field);
    expect(events).toEqual(['user.updated']);
    const read = (await app.api.platform.get(path).expect(200)).body.data;
    expect(read).toMatchObject(updated);
  });

  it('changes the phone number of a user', async () => {
    const { path } = await newAda();
    const updated = dataOf((await app.api.platform.patch(path, { phoneNumber: '+44 20 123456' }).expect(200)).body);
    expectFields(updated, { ...UPDATED_USER, phoneNumber: 'string' });
    expect(updated.phoneNumber).toBe('+44 20 123456');
  });

  it('changes only the metadata keys in the request', async () => {
    const { path } = await newAda();
    const { response, events } = await step(() =>
      app.api.platform.patch(path, { metadata: { level: 4, nested: { other: 1 }, added: 'x' } }).expect(200),
    );

    expectFields(dataOf(response.body), UPDATED_USER);
    expect(response.body.data.metadata).toEqual({
      department: 'Engines',
      level: 4,
      tags: ['a', 'b'],
      nested: { other: 1 },
      added: 'x',
    });
    expect(events).toEqual(['user.updated']);
  });

  it('assigns and revokes a role', async () => {
    const { ada, organization, users, path } = await newAda();
    const given = await step(() => app.api.platform.post(`${path}/roles`, { roleId: 'role_member' }).expect(201));
    expectFields(dataOf(given.response.body), ASSIGNED_ROLE);
    expect(given.response.body.data).toMatchObject({
      userId: ada,
      roleId: 'role_member',
      roleName: 'member',
      organizationId: organization,
    });
    expect(given.events).toEqual(['role.assigned']);
    const listed = (await app.api.platform.get(`${users}?role=role_member&limit=100`).expect(200)).body.data;
    expect(ids(listed)).toContain(ada);

    const taken = await step(() => app.api.platform.delete(`${path}/roles/role_member`).expect(204));
    expect(taken.response.body).toBeUndefined();
    expect(taken.events).toEqual(['role.revoked']);
    const { roles } = (await app.api.platform.get(path).expect(200)).body.data;
    expect(ids(roles).toSorted()).toEqual(['role_admin', 'role_viewer']);
  });

  it.each<[object | undefined, string]>([
    [{ reason: 'Violation of the terms', revokeActiveSessions: true }, 'Violation of the terms'],
    [{ reason: 'Left', revokeActiveSessions: false }, 'Left'],
    [{ reason: 'Left' }, 'Left'],
    [{ revokeActiveSessions: true }, ''],
    [{}, ''],
    [undefined, ''],
  ])('suspends a user with the body %j', async (body, reason) => {
    const { id } = (await app.api.platform.post(USERS, { email: `s${Math.random()}@acme.example` }).expect(201)).body.data;
    const { response, events } = await step(() => app.api.platform.post(`${USERS}/${id}/suspend`, body).expect(200));

    const suspended = dataOf(response.body);
    expectFields(suspended, SUSPENDED_USER);
    expect(suspended).toMatchObject({ id, status: 'suspended', suspendedReason: reason });
    expect(events).toEqual(['user.suspended']);
    expect((await app.api.platform.get(`${USERS}/${id}`).expect(200)).body.data.status).toBe('suspended');
  });

  it.each(['?permanent=false', ''])('soft-deletes a user with DELETE users/:id%s', async (query) => {
    const { id } = (await app.api.platform.post(USERS, { email: `d${Math.random()}@acme.example` }).expect(201)).body.data;
    const { response, events } = await step(() => app.api.platform.delete(`${USERS}/${id}${query}`).expect(204));

    expect(response.body).toBeUndefined();
    expect(events).toEqual(['user.deleted']);
    const shown = (await app.api.platform.get(`${USERS}/${id}`).expect(200)).body.data;
    expectFields(shown, { ...USER, deletedAt: 'timestamp', restorableUntil: 'timestamp' });
    expect(shown.status).toBe('deleted');
    const days = (Date.parse(shown.restorableUntil) - Date.parse(shown.deletedAt)) / 86_400_000;
    expect(days).toBe(30);
    expect(ids((await app.api.platform.get(`${USERS}?limit=100`).expect(200)).body.data)).not.toContain(id);
  });

  it('deletes a user permanently after a soft deletion', async () => {
    for (const softFirst of [false, true]) {
      const { id } = (await app.api.platform.post(USERS, { email: 'gone@acme.example' }).expect(201)).body.data;
      if (softFirst) await app.api.platform.delete(`${USERS}/${id}`).expect(204);
      const { response, events } = await step(() => app.api.platform.delete(`${USERS}/${id}?permanent=true`).expect(204));
      expect(response.body).toBeUndefined();
      expect(events).toEqual(['user.deleted']);
      expect((await app.api.platform.get(`${USERS}/${id}`).expect(404)).body.code).toBe('user_not_found');
    }
  });

  it.each([
    ['picture', 'https://cdn.acme.example/ada.png'],
    ['phoneNumber', '+44 20 654321'],
    ['email', 'Augusta@acme.example'],
  ])('changes only the field %s', async (field, value) => {
    const { path } = await newAda();
    const before = dataOf((await app.api.platform.get(path).expect(200)).body);
    const updated = dataOf((await app.api.platform.patch(path, { [field]: value }).expect(200)).body);
    expectFields(updated, { ...UPDATED_USER, [field]: 'string' });
    const after = dataOf((await app.api.platform.get(path).expect(200)).body);
    expectFields(after, USER);
    expect({ ...after, updatedAt: 0 }).toEqual({ ...before, [field]: value, updatedAt: 0 });
  });

  it('returns a user with every field (sections 2.1 to 2.4)', async () => {
    const body = { ...ALL_FIELDS, email: 'whole@acme.example', picture: 'https://cdn.acme.example/whole.png' };
    const { organization, users } = await newUsers();
    const { id } = (await app.api.platform.post(users, body).expect(201)).body.data;
    const times = { lastLoginAt: '2026-02-03T04:05:06.007Z', lastPasswordChangeAt: '2026-01-02T03:04:05.006Z' };
    await app.database.query(
      `UPDATE users SET mfa_enabled = true, mfa_methods = '{totp,passkey}', email_verified = true, phone_verified = true,
         last_login_at = $2, last_password_change_at = $3 WHERE id = $1`,
      [id, times.lastLoginAt, times.lastPasswordChangeAt],
    );
    const okta = { name: 'Okta', issuer: 'https://acme.okta.example', clientId: 'acme' };
    const provider = await app.api.platform.post(`/v1/organizations/${organization}/identity-providers`, okta).expect(201);
    await app.database.query(
      `INSERT INTO user_identities (tenant_id, user_id, identity_provider_id, provider, external_id, created_at)
       VALUES ($1, $2, $3, 'Okta', '00u1', now())`,
      [organization, id, provider.body.data.id],
    );
    const club = await newOrganization(app, { name: 'Club', parentId: organization });
    const member = { userId: id, role: 'viewer' };
    const joined = await app.api.platform.post(`/v1/organizations/${club.id}/members`, member).expect(201);

    const user = dataOf((await app.api.platform.get(`${users}/${id}`).expect(200)).body);
    expectFields(user, USER);
    expect(Object.keys(user).toSorted()).toEqual(Object.keys(USER).toSorted());
    expect(user).toMatchObject({
      ...times,
      emailVerified: true,
      phoneVerified: true,
      mfaEnabled: true,
      mfaMethods: ['totp', 'passkey'],
      identityProviders: [{ provider: 'Okta', externalId: '00u1' }],
    });
    expect(user.organizations).toContainEqual({ id: joined.body.data.organizationId, name: 'Club', role: 'viewer' });
    const [listed] = (await app.api.platform.get(`${users}?email=whole@acme.example`).expect(200)).body.data;
    expectFields(listed, REDUCED_USER);
    expect(Object.keys(listed).toSorted()).toEqual(Object.keys(REDUCED_USER).toSorted());
  });

  it.each([
    ['pending', true],
    ['active', true],
    ['active', false],
    ['suspended', true],
  ])('suspends a user if status is %s and revokeActiveSessions is %s (section 3.1)', async (status, revokeActiveSessions) => {
    const email = `from-${status}-${revokeActiveSessions}@acme.example`;
    const { id } = (await app.api.platform.post(USERS, { email }).expect(201)).body.data;
    if (status === 'active') await app.api.platform.post(`${USERS}/${id}/activate`).expect(200);
    if (status === 'suspended') await app.api.platform.post(`${USERS}/${id}/suspend`, { reason: 'before' }).expect(200);
    const sessions = app.app.get(SessionService, { strict: false });
    const key = { tenantId: acme, id };
    await sessions.create(systemContext('test'), { user: key, organizationId: acme, authenticationMethods: ['password'] });

    const body = { reason: 'Now', revokeActiveSessions };
    const { response, events } = await step(() => app.api.platform.post(`${USERS}/${id}/suspend`, body).expect(200));

    expectFields(dataOf(response.body), SUSPENDED_USER);
    expect(response.body.data).toMatchObject({ id, status: 'suspended', suspendedReason: 'Now' });
    expect(await sessions.listOrganizationIds(systemContext('test'), key)).toHaveLength(revokeActiveSessions ? 0 : 1);
    expect(events.toSorted()).toEqual([...(revokeActiveSessions ? ['security.session_revoked'] : []), 'user.suspended']);
  });

  it.each(['GET', 'PATCH', 'DELETE', 'POST /suspend', 'POST /roles', 'DELETE /roles/role_member'])(
    'returns 404 to %s if the user is unknown',
    async (operation) => {
      const [method, rest = ''] = operation.split(' ');
      for (const id of ['usr_01kf2b8v3cf5h9r4n0j7d2q6xw', 'nonsense']) {
        const body = rest === '/roles' ? '{"roleId":"role_member"}' : method === 'PATCH' ? '{"firstName":"A"}' : undefined;
        const type: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
        const rejected = await app.api.platform.raw(method!, `${USERS}/${id}${rest}`, body, type).expect(404);
        expect(rejected.body).toMatchObject({ status: 404, code: expect.stringMatching(/_not_found$/) });
      }
    },
  );
});
