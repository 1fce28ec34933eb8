import { beforeAll, describe, expect, it } from '@jest/globals';
import { systemContext } from '#platform/common';
import { SessionService } from '#directory/sessions';
import { UserPurgeService } from '#directory/users';
import { countDifferences } from '../support/counts.js';
import { eventsDuring, typesDuring } from '../support/events-during.js';
import { dataOf, expectEach, expectFields } from '../support/fields.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { linkIdentity } from '../support/oidc.js';
import { at, keyClient, made, newOrganization, newUser, read as readAt } from '../support/organizations.js';
import { activeUser, DAY_MS, later, login, PASSWORD, sessionToken } from '../support/sign-in.js';
import {
  CREATED_USER,
  LIST,
  PAGINATION,
  REDUCED_USER,
  SUSPENDED_USER,
  UPDATED_USER,
  USER,
} from '../support/specification-tables.js';
import { testApp } from '../support/test-app.js';

const app = testApp();

describe('the users API', () => {
  let top: string;
  let sub: string;
  let other: string;

  const post = (organization: string, body: object): PendingResponse => app.api.platform.post(at(organization, '/users'), body);
  const user = async (organization: string, fields: object = {}): Promise<string> =>
    (await newUser(app, organization, fields)).id;
  const read = (organization: string, id: string): Promise<TestBody> => readAt(app, at(organization, `/users/${id}`));
  const change = (id: string, body: object): PendingResponse => app.api.platform.patch(at(top, `/users/${id}`), body);

  beforeAll(async () => {
    top = (await newOrganization(app)).id;
    sub = (await newOrganization(app, { name: 'Sub', parentId: top })).id;
    other = (await newOrganization(app)).id;
  });

  describe('a response', () => {
    const ADA = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      displayName: 'Ada Lovelace',
      phoneNumber: '+49 30 123456',
      picture: 'https://cdn.acme.example/ada.png',
      metadata: { department: 'Engines', tags: ['a', 'b'], nested: { deep: true } },
      roles: ['role_admin', 'role_viewer'],
    };

    it('to a creation has the fields of section 4.1, with only an email or with all fields', async () => {
      const bare = dataOf((await post(top, { email: 'bare@x.example' }).expect(201)).body);
      expectFields(bare, CREATED_USER);
      expect(Object.keys(bare).toSorted()).toEqual(['createdAt', 'email', 'emailVerified', 'id', 'status']);
      const events = await typesDuring(app, async () => {
        const response = await post(top, { ...ADA, email: 'Ada@x.example', sendInvitation: false }).expect(201);
        expectFields(dataOf(response.body), CREATED_USER);
        const { firstName, lastName } = ADA;
        expect(response.body.data).toMatchObject({ email: 'Ada@x.example', firstName, lastName, emailVerified: false });
      });
      expect(events).toEqual(['user.created']);
      expect(await mailsTo(app, 'Ada@x.example')).toEqual([]);
    });

    it('has every field of sections 2.1 to 2.4', async () => {
      const id = await user(top, { ...ADA, email: 'whole@x.example' });
      const times = { lastLoginAt: '2026-02-03T04:05:06.007Z', lastPasswordChangeAt: '2026-01-02T03:04:05.006Z' };
      await app.database.query(
        `UPDATE users SET mfa_enabled = true, mfa_methods = '{totp,passkey}', email_verified = true, phone_verified = true,
           last_login_at = $2, last_password_change_at = $3 WHERE id = $1`,
        [id, times.lastLoginAt, times.lastPasswordChangeAt],
      );
      const okta = { name: 'Okta', issuer: 'https://acme.okta.example', clientId: 'acme' };
      const provider = await made(app, at(top, '/identity-providers'), okta);
      await linkIdentity(app, { tenantId: top, id }, provider, '00u1');
      await made(app, at(sub, '/members'), { userId: id, role: 'viewer' });

      const shown = await read(top, id);
      expectFields(shown, USER);
      expect(Object.keys(shown).toSorted()).toEqual(Object.keys(USER).toSorted());
      const { roles, ...fields } = ADA;
      expect(shown).toMatchObject({
        ...fields,
        ...times,
        mfaMethods: ['totp', 'passkey'],
        identityProviders: [{ provider: 'Okta', externalId: '00u1' }],
      });
      expect(shown.roles.map((role: { id: string }) => role.id).toSorted()).toEqual(roles);
      for (const { permissions } of shown.roles) expect(permissions).toContainEqual(expect.stringMatching(/^[a-z_*]+:[a-z_*]+$/));
      expect(shown.organizations).toContainEqual({ id: sub, name: 'Sub', role: 'viewer' });

      const { body } = await app.api.platform.get(at(top, '/users?email=whole@x.example')).expect(200);
      expect(Object.keys(body).toSorted()).toEqual(LIST);
      expectFields(body.pagination, PAGINATION);
      expectEach(body.data, REDUCED_USER);
      expect(Object.keys(body.data[0]).toSorted()).toEqual(Object.keys(REDUCED_USER).toSorted());
      expect(shown).toMatchObject(body.data[0]);
    });

    it.each<Record<string, unknown>>([
      { firstName: 'Augusta' },
      { lastName: 'King', displayName: 'Countess' },
      { phoneNumber: '+44 20 123456' },
      { picture: 'https://cdn.acme.example/augusta.png' },
      { email: 'Augusta@x.example' },
      { externalId: 'hr-2' },
      { metadata: { nested: { other: 1 }, added: 'x' } },
    ])('to the change %j has the fields of section 4.1', async (body) => {
      const id = await user(top, ADA);
      const before = await read(top, id);
      const updated = dataOf((await change(id, body).expect(200)).body);
      const other = Object.keys(body).find((field) => !(field in UPDATED_USER));
      expectFields(updated, other ? { ...UPDATED_USER, [other]: 'string' } : UPDATED_USER);
      const { metadata } = body as { metadata?: object };
      // Only the keys of the metadata in the request change.
      const expected = { ...before, ...body, metadata: { ...before.metadata, ...metadata }, updatedAt: updated.updatedAt };
      expect(await read(top, id)).toEqual(expected);
      expect(expected).toMatchObject(updated);
    });

    it.each<[string, { reason?: string; revokeActiveSessions: boolean } | undefined]>([
      ['pending', { reason: 'Now', revokeActiveSessions: true }],
      ['activate', { reason: 'Now', revokeActiveSessions: false }],
      ['suspend', { revokeActiveSessions: true }],
      ['activate', undefined],
    ])('to the suspension of a user after "%s" has the fields of sections 3.1 and 4.1 (%j)', async (before, body) => {
      const id = await user(top);
      if (before !== 'pending') await app.api.platform.post(at(top, `/users/${id}/${before}`)).expect(200);
      const sessions = app.app.get(SessionService, { strict: false });
      const key = { tenantId: top, id };
      await sessions.create(systemContext('test'), { user: key, organizationId: top, authenticationMethods: ['password'] });
      const events = await typesDuring(app, async () => {
        const response = await app.api.platform.post(at(top, `/users/${id}/suspend`), body).expect(200);
        expectFields(dataOf(response.body), SUSPENDED_USER);
        expect(response.body.data).toMatchObject({ id, suspendedReason: body?.reason ?? '' });
      });
      const isRevoked = body?.revokeActiveSessions === true;
      expect(await sessions.listOrganizationIds(systemContext('test'), key)).toHaveLength(isRevoked ? 0 : 1);
      expect(events.toSorted()).toEqual([...(isRevoked ? ['security.session_revoked'] : []), 'user.suspended']);
    });
  });

  it('the response for a user lists only organizations that the caller can access', async () => {
    const id = await user(top);
    for (const place of [sub, other]) await made(app, at(place, '/members'), { userId: id });
    const shownIn = async (place: string): Promise<string[]> => {
      const { body } = await (await keyClient(app, place, ['*'])).get(at(place, `/users/${id}`)).expect(200);
      return body.data.organizations.map((each: TestBody) => each.id).toSorted();
    };
    expect([await shownIn(sub), await shownIn(other)]).toEqual([[sub], [other]]);
    expect(await shownIn(top)).toEqual([top, sub].toSorted());
  });

  describe('an email address', () => {
    it('can have a domain in Unicode, which is compared in ASCII', async () => {
      const id = await user(top, { email: 'Hans@Bücher.example' });
      expect((await read(top, id)).email).toBe('Hans@Bücher.example');
      for (const email of ['hans@bücher.example', 'hans@xn--bcher-kva.example']) {
        await post(top, { email }).expect(409, 'email_taken');
        for (const filter of ['email', 'search']) {
          const { body } = await app.api.platform.get(at(top, `/users?${new URLSearchParams({ [filter]: email })}`)).expect(200);
          expect(body.data).toMatchObject([{ id }]);
        }
      }
      const { body } = await post(top, { email: 'jürgen@bücher.example' }).expect(400);
      expect(body.errors).toMatchObject([{ pointer: '/email', message: expect.stringContaining('before the "@"') }]);
    });

    it('must have a domain in allowedDomains', async () => {
      const allowedDomains = ['acme.example', 'XN--BCHER-KVA.example', 'bücher.example'];
      const strict = (await newOrganization(app, { settings: { allowedDomains } })).id;
      expect((await readAt(app, at(strict))).settings.allowedDomains).toEqual(['acme.example', 'bücher.example']);
      await user(strict, { email: 'hans@BÜCHER.example' });
      await post(strict, { email: 'a@evilacme.example' }).expect(422, 'domain_not_allowed');
      const path = at(strict, `/users/${await user(strict, { email: 'a@ACME.example' })}`);
      await app.api.platform.patch(path, { email: 'a@other.example' }).expect(422, 'domain_not_allowed');
      await app.api.platform.patch(path, { email: 'b@acme.example' }).expect(200);
    });

    it('is unverified after a change', async () => {
      const id = await user(top, { email: 'old@x.example' });
      await app.database.query('UPDATE users SET email_verified = true WHERE id = $1', [id]);
      expect((await read(top, id)).emailVerified).toBe(true);

      const events = await typesDuring(app, () => change(id, { email: 'new@x.example' }).expect(200));

      expect(events).toEqual(['user.updated']);
      expect(await read(top, id)).toMatchObject({ email: 'new@x.example', emailVerified: false });
      expect(await mailsTo(app, 'old@x.example')).toHaveLength(1);
      expect(await mailsTo(app, 'new@x.example')).toHaveLength(1);
      await user(top, { email: 'old@x.example' });
      await change(id, { email: 'OLD@x.example' }).expect(409, 'email_taken');
    });
  });

  describe('a user field', () => {
    it('is removed by a change to null', async () => {
      const nothing = { firstName: null, roles: null, metadata: null, sendInvitation: null, phoneNumber: null, locale: null };
      const id = await user(top, nothing);
      expect(await read(top, id)).not.toHaveProperty('firstName');
      const picture = 'https://cdn.example.com/a.png';
      const fields = { firstName: 'Ada', phoneNumber: '+49 30 1', picture, locale: 'de', externalId: 'hr-1' };
      await change(id, fields).expect(200);
      expect(await read(top, id)).toMatchObject(fields);
      await change(id, Object.fromEntries(Object.keys(fields).map((field) => [field, null]))).expect(200);
      const now = await read(top, id);
      for (const field of Object.keys(fields)) expect(now).not.toHaveProperty(field);
    });

    it('limits the metadata after a change to 100 keys', async () => {
      const keys = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, i]));
      const id = await user(top, { metadata: keys });
      await change(id, { metadata: { one: 'more' } }).expect(400);
      await change(id, { metadata: { k0: null, one: 'more', nested: null } }).expect(200);
      const { metadata } = await read(top, id);
      expect(Object.keys(metadata)).toHaveLength(100);
      expect(metadata).not.toHaveProperty('k0');
    });

    it('keeps the metadata of all concurrent changes', async () => {
      const id = await user(top, { metadata: { kept: true } });
      await Promise.all(Array.from({ length: 16 }, (_, i) => change(id, { metadata: { [`w${i}`]: i } }).expect(200)));
      const { metadata } = await read(top, id);
      expect(metadata).toEqual({ kept: true, ...Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`w${i}`, i])) });
    });
  });

  it('a new user has each role once, by name or by ID, and can’t have an unknown role', async () => {
    const { roles } = await read(top, await user(top, { roles: ['role_admin', 'viewer', 'role_viewer'] }));
    expect(roles.map(({ name }: TestBody) => name).toSorted()).toEqual(['admin', 'viewer']);
    const rejected = await post(top, { email: 'r@x.example', roles: ['admin', 'nothing'] }).expect(400);
    expect(rejected.body.errors).toMatchObject([{ pointer: '/roles/1', code: 'role_not_found' }]);
  });
});

describe('the user lifecycle', () => {
  beforeAll(async () => {
    await newOrganization(app, { slug: 'acme' });
    await newOrganization(app, { slug: 'club', parentId: 'acme' });
  });

  const users = '/v1/organizations/acme/users';
  const create = async (body: object): Promise<string> => (await made(app, users, body)).id;
  const get = (id: string) => readAt(app, `${users}/${id}`);

  it('publishes one event for each change of status, and gets invitations only while pending', async () => {
    const email = 'life@example.com';
    const id = await create({ email });
    const post = (path: string, body?: object) => app.api.platform.post(`${users}/${id}/${path}`, body);
    expect((await post('invitation').expect(200)).body.data).toMatchObject({ userId: id, email });
    const activate = () => eventsDuring(app, () => post('activate').expect(200));
    const data = { id, status: 'active' };
    expect(await activate()).toMatchObject([{ type: 'user.activated', data: { ...data, previousStatus: 'pending' } }]);
    expect(await activate()).toEqual([]);
    await post('invitation').expect(409, 'user_not_pending');

    await post('suspend', { reason: 'Holiday' }).expect(200);
    expect(await get(id)).toMatchObject({ status: 'suspended', suspendedReason: 'Holiday' });
    expect(await activate()).toMatchObject([{ data: { ...data, previousStatus: 'suspended' } }]);
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
    expect(await typesDuring(app, () => app.api.platform.delete(`${users}/${id}`))).toEqual([]);
    expect((await get(id)).deletedAt).toBe(deleted.deletedAt);
    expect(Date.parse(deleted.restorableUntil as string) - Date.parse(deleted.deletedAt as string)).toBe(30 * DAY_MS);
    for (const rejected of [
      ...['suspend', 'activate', 'invitation'].map((path) => app.api.platform.post(`${users}/${id}/${path}`, {})),
      app.api.platform.patch(`${users}/${id}`, { firstName: 'A' }),
    ])
      await rejected.expect(409, 'user_deleted');
    await app.api.platform.post(`${users}/${id}/roles`, { roleId: 'admin' }).expect(404);

    const [restored] = await eventsDuring(app, () => app.api.platform.post(`${users}/${id}/restore`).expect(200));
    expect(restored).toMatchObject({
      type: 'user.updated',
      data: { changes: { status: { from: 'deleted', to: 'suspended' } } },
    });
    const after = await get(id);
    expect({ ...after, updatedAt: 0 }).toEqual({ ...before, updatedAt: 0 });
    expect(await shownIn()).toEqual([1, 1, 1, 1]);
    expect(await typesDuring(app, () => app.api.platform.post(`${users}/${id}/restore`).expect(200))).toEqual([]);
  });

  it('restores the credentials but no sessions of a deleted user', async () => {
    const email = 'credentials@example.com';
    const { id } = await activeUser(app, 'acme', { email, firstName: 'Ada' });
    await app.api.platform.patch(`${users}/${id}`, { externalId: 'hr-1' }).expect(200);
    const tokens = [await sessionToken(app, 'acme', email), await sessionToken(app, 'acme', email)];
    const statuses = () => Promise.all(tokens.map(async (token) => (await app.api.as(token).get('/v1/auth/me')).status));
    const before = await get(id);
    expect(before).toMatchObject({ status: 'active', emailVerified: true, externalId: 'hr-1' });
    expect(await statuses()).toEqual([200, 200]);

    const types = await typesDuring(app, () => app.api.platform.delete(`${users}/${id}`).expect(204));
    expect(types).toEqual(['security.session_revoked', 'security.session_revoked', 'user.deleted']);
    await app.api.platform.post(`${users}/${id}/restore`).expect(200);

    expect({ ...(await get(id)), updatedAt: 0 }).toEqual({ ...before, updatedAt: 0 });
    expect(await statuses()).toEqual([401, 401]);
    await login(app, 'acme', email, `${PASSWORD}!`).expect(401);
    await login(app, 'acme', email).expect(200);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it.each(['a new user', 'an existing user'])('releases the email address of a deleted user for %s', async (how) => {
    const first = await create({ email: 'Same@example.com', metadata: { of: 'first' } });
    await app.api.platform.delete(`${users}/${first}`).expect(204);
    const isNew = how === 'a new user';
    const second = await create({ email: isNew ? 'same@EXAMPLE.com' : 'other@example.com' });
    if (!isNew) await app.api.platform.patch(`${users}/${second}`, { email: 'SAME@example.com' }).expect(200);
    const before = await get(first);

    const types = await typesDuring(app, async () => {
      await app.api.platform.post(`${users}/${first}/restore`).expect(409, 'email_conflict');
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
    const inClub = app.api.platform.post('/v1/organizations/club/users', { email: 'e@example.com', externalId: 'hr-3' });
    for (const request of [inClub, set('hr-3')]) await request.expect(409, 'external_id_taken');
    await app.api.platform.delete(`${users}/${first}`).expect(204);
    await set('hr-3').expect(200);
    await app.api.platform.post(`${users}/${first}/restore`).expect(409, 'external_id_conflict');
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
});
