import { beforeAll, describe, expect, it } from '@jest/globals';
import { systemContext } from '#platform/common';
import { SessionService } from '#directory/sessions';
import { eventsDuring } from '../support/events-during.js';
import { dataOf, expectEach, expectFields } from '../support/fields.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { at, keyClient, made, newAddress, newOrganization, read as readAt } from '../support/organizations.js';
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

describe('the users API', () => {
  const app = testApp();
  let top: string;
  let sub: string;
  let other: string;

  const post = (organization: string, body: object): PendingResponse => app.api.platform.post(at(organization, '/users'), body);
  const user = async (organization: string, fields: object = {}): Promise<string> =>
    (await made(app, at(organization, '/users'), { email: newAddress(), ...fields })).id;
  const read = (organization: string, id: string): Promise<TestBody> => readAt(app, at(organization, `/users/${id}`));
  const change = (id: string, body: object): PendingResponse => app.api.platform.patch(at(top, `/users/${id}`), body);
  const step = async (run: () => Promise<unknown>): Promise<string[]> => (await eventsDuring(app, run)).map(({ type }) => type);

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
      const events = await step(async () => {
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
      await app.database.query(
        `INSERT INTO user_identities (tenant_id, user_id, identity_provider_id, provider, external_id, created_at)
         VALUES ($1, $2, $3, 'Okta', '00u1', now())`,
        [top, id, provider.id],
      );
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
      const events = await step(async () => {
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
        expect((await post(top, { email }).expect(409)).body.code).toBe('email_taken');
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
      for (const email of ['a@other.example', 'a@evilacme.example'])
        expect((await post(strict, { email }).expect(422)).body.code).toBe('domain_not_allowed');
      const path = at(strict, `/users/${await user(strict, { email: 'a@ACME.example' })}`);
      expect((await app.api.platform.patch(path, { email: 'a@other.example' }).expect(422)).body.code).toBe('domain_not_allowed');
      await app.api.platform.patch(path, { email: 'b@acme.example' }).expect(200);
    });

    it('is unverified after a change', async () => {
      const id = await user(top, { email: 'old@x.example' });
      await app.database.query('UPDATE users SET email_verified = true WHERE id = $1', [id]);
      expect((await read(top, id)).emailVerified).toBe(true);

      const events = await step(() => change(id, { email: 'new@x.example' }).expect(200));

      expect(events).toEqual(['user.updated']);
      expect(await read(top, id)).toMatchObject({ email: 'new@x.example', emailVerified: false });
      expect(await mailsTo(app, 'old@x.example')).toHaveLength(1);
      expect(await mailsTo(app, 'new@x.example')).toHaveLength(1);
      await user(top, { email: 'old@x.example' });
      expect((await change(id, { email: 'OLD@x.example' }).expect(409)).body.code).toBe('email_taken');
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

    it('limits metadata to 100 keys, 10 levels and 16 KB', async () => {
      const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
      let deep: unknown = 1;
      for (let i = 0; i < 11; i++) deep = { deep };
      for (const metadata of [keys(101), { deep }, { text: 'x'.repeat(16 * 1024) }, [], 'text', 5]) {
        await post(top, { email: 'm@x.example', metadata }).expect(400);
      }
      const id = await user(top, { metadata: keys(100) });
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

  describe('a new user', () => {
    it.each([
      [['admin'], ['admin']],
      [
        ['role_admin', 'viewer', 'role_viewer'],
        ['admin', 'viewer'],
      ],
      [[], ['member']],
    ])('a request with the roles %j assigns %j', async (roles, wanted) => {
      const { roles: assigned } = await read(top, await user(top, { roles }));
      expect(assigned.map(({ name }: { name: string }) => name).toSorted()).toEqual(wanted);
    });

    it('can’t have an unknown role', async () => {
      const rejected = await post(top, { email: 'r@x.example', roles: ['admin', 'nothing'] }).expect(400);
      expect(rejected.body.errors).toMatchObject([{ pointer: '/roles/1', code: 'role_not_found' }]);
      expect((await app.api.platform.get(at(top, '/users?email=r@x.example')).expect(200)).body.data).toEqual([]);
    });
  });

  it('a repeated deletion changes nothing', async () => {
    const id = await user(top);
    await app.api.platform.delete(at(top, `/users/${id}`)).expect(204);
    const { deletedAt } = await read(top, id);
    expect(await step(() => app.api.platform.delete(at(top, `/users/${id}`)))).toEqual([]);
    expect((await read(top, id)).deletedAt).toBe(deletedAt);
    await app.api.platform.delete(at(top, `/users/${id}?permanent=maybe`)).expect(400);
  });
});
