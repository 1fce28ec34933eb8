import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeyOwnerCheckService } from '#identity/auth';
import { eventually } from '../support/delivery-app.js';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody } from '../support/http-client.js';
import { newOrganization } from '../support/organizations.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const DAY_MS = 86_400_000;

describe('an API key', () => {
  const app = testApp();
  let org: string;
  let at: string;
  beforeEach(async () => {
    org = (await newOrganization(app)).id;
    at = `/v1/organizations/${org}`;
  });

  const settings = (values: object) => app.api.platform.patch(at, { settings: values }).expect(200);

  describe('the creator check', () => {
    let creator: SignedIn;
    let key: TestBody;
    beforeEach(async () => {
      creator = await signedIn(app, org, { roles: ['admin'] });
      key = (await creator.client.post(`${at}/api-keys`, { name: 'sync', scopes: ['users:read', 'roles:read'] }).expect(201)).body
        .data;
    });

    const user = () => `${at}/users/${creator.id}`;
    /** Checks all API keys once. The worker does this repeatedly. */
    const check = async (): Promise<void> => {
      while (await app.app.get(ApiKeyOwnerCheckService).run());
    };
    const shown = async (): Promise<TestBody> => (await app.api.platform.get(`${at}/api-keys/${key.id}`).expect(200)).body.data;
    const status = async (): Promise<number> => (await app.api.as(key.key).get(`${at}/users`)).status;

    it.each([
      ['is suspended', 'owner_suspended', [], () => app.api.platform.post(`${user()}/suspend`).expect(200)],
      ['is deleted', 'owner_deleted', [], () => app.api.platform.delete(user()).expect(204)],
      [
        'belongs to an organization that is suspended',
        'owner_suspended',
        [],
        async () => {
          const { id: child } = (await app.api.platform.post('/v1/organizations', { name: 'Child', parentId: org }).expect(201))
            .body.data;
          await app.database.query('UPDATE users SET organization_id = $2 WHERE id = $1', [creator.id, child]);
          await app.api.platform.post(`/v1/organizations/${child}/suspend`, { reason: 'x' }).expect(200);
        },
      ],
      ['is permanently deleted', 'owner_deleted', [], () => app.api.platform.delete(`${user()}?permanent=true`).expect(204)],
      [
        'loses permissions of the key',
        'permissions_lost',
        ['roles:read'],
        async () => {
          const { id } = (await app.api.platform.post(`${at}/roles`, { name: 'reader', permissions: ['users:read'] }).expect(201))
            .body.data;
          await app.api.platform.post(`${at}/members`, { userId: creator.id, role: id }).expect(201);
          await app.api.platform.delete(`${user()}/roles/role_admin`);
        },
      ],
    ])('flags a valid API key if the creator %s', async (_what, flag, missing, lose) => {
      await check();
      expect(await shown()).toMatchObject({ flag: null, flaggedAt: null, disabled: false });
      await lose();
      const events = await eventsDuring(app, check);
      expect(events).toMatchObject([
        { type: 'security.api_key_flagged', data: { id: key.id, name: 'sync', flag, missing, disabled: false } },
      ]);
      expect(await shown()).toMatchObject({ flag, flaggedAt: expect.any(String), disabled: false });
      expect(await status()).toBe(200);
      // The event is published only once.
      expect(await eventsDuring(app, check)).toEqual([]);
    });

    it('flags an API key that another API key of the creator created or rotated', async () => {
      const scopes = ['api_keys:write', 'users:read'];
      const maker = (await creator.client.post(`${at}/api-keys`, { name: 'maker', scopes }).expect(201)).body.data;
      const made = (
        await app.api
          .as(maker.key)
          .post(`${at}/api-keys`, { name: 'made', scopes: ['users:read'] })
          .expect(201)
      ).body.data;
      const rotated = (await app.api.as(maker.key).post(`${at}/api-keys/${made.id}/rotate`).expect(201)).body.data;
      await app.api.platform.post(`${user()}/suspend`).expect(200);
      await check();
      const { flag, createdBy } = (await app.api.platform.get(`${at}/api-keys/${rotated.id}`).expect(200)).body.data;
      expect([flag, createdBy]).toEqual(['owner_suspended', { type: 'key', id: maker.id }]);
    });

    it('disables a flagged API key if the organization sets disableFlaggedApiKeys', async () => {
      await settings({ disableFlaggedApiKeys: true });
      expect(await status()).toBe(200);
      await app.api.platform.post(`${user()}/suspend`).expect(200);
      await check();
      expect(await shown()).toMatchObject({ flag: 'owner_suspended', disabled: true });
      await eventually(async () => (await status()) === 401, 5_000, 'the key is refused');
      await app.api.platform.post(`${user()}/activate`).expect(200);
      expect(await eventsDuring(app, check)).toMatchObject([{ data: { id: key.id, flag: null, disabled: false } }]);
      await eventually(async () => (await status()) === 200, 5_000, 'the key works again');
    });
  });

  it('expires within the maxApiKeyLifetime of the organization', async () => {
    await settings({ maxApiKeyLifetime: 30 * 86_400 });
    const create = (body: object) => app.api.platform.post(`${at}/api-keys`, { name: 'k', scopes: ['users:read'], ...body });
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    const { errors } = (await create({ expiresAt: inDays(31) }).expect(400)).body;
    expect(errors).toMatchObject([{ pointer: '/expiresAt', code: 'too_late' }]);
    const sooner = inDays(10);
    expect((await create({ expiresAt: sooner }).expect(201)).body.data.expiresAt).toBe(sooner);
    const { id, expiresAt } = (await create({}).expect(201)).body.data;
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 29.9 * DAY_MS);
    expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now() + 30 * DAY_MS);
    // A rotated API key expires no later than a new API key.
    await settings({ maxApiKeyLifetime: 86_400 });
    const rotated = (await app.api.platform.post(`${at}/api-keys/${id}/rotate`).expect(201)).body.data;
    expect(Date.parse(rotated.expiresAt)).toBeLessThanOrEqual(Date.now() + DAY_MS);
  });

  it('works only from the allowed networks, even after a rotation', async () => {
    const create = (allowedNetworks: string[]) =>
      app.api.platform.post(`${at}/api-keys`, { name: 'k', scopes: ['users:read'], allowedNetworks });
    const { errors } = (await create(['10.0.0.0/8', 'example.com']).expect(400)).body;
    expect(errors).toMatchObject([{ pointer: '/allowedNetworks/1', code: 'invalid_network' }]);
    const localKey = (await create(['127.0.0.1', '2001:db8::/32']).expect(201)).body.data;
    expect(localKey.allowedNetworks).toEqual(['127.0.0.1/32', '2001:db8::/32']);
    await app.api.as(localKey.key).get(`${at}/users`).expect(200);
    const elsewhere = (await create(['203.0.113.0/24']).expect(201)).body.data;
    expect((await app.api.as(elsewhere.key).get(`${at}/users`).expect(403)).body.code).toBe('network_not_allowed');
    const { data: successor } = (await app.api.platform.post(`${at}/api-keys/${elsewhere.id}/rotate`).expect(201)).body;
    await app.api.as(successor.key).get(`${at}/users`).expect(403);
  });

  it('lists the permissions that no request used in the last 90 days', async () => {
    const body = { name: 'k', scopes: ['users:*', 'roles:read'] };
    const { id, key } = (await app.api.platform.post(`${at}/api-keys`, body).expect(201)).body.data;
    const unused = async (): Promise<string[]> =>
      (await app.api.platform.get(`${at}/api-keys/${id}`).expect(200)).body.data.unusedPermissions;
    expect(await unused()).toEqual(['users:read', 'users:write', 'users:delete', 'roles:read']);
    await app.api.as(key).get(`${at}/users`).expect(200);
    // A rejected request does not use a permission.
    await app.api.as(key).get(`${at}/api-keys`).expect(403);
    await eventually(async () => (await unused()).length === 3, 5_000, 'the use is noted');
    expect(await unused()).toEqual(['users:write', 'users:delete', 'roles:read']);
    // No operation requires this permission.
    const granting = await app.api.platform.post(`${at}/api-keys`, { name: 'g', scopes: ['permissions:grant'] }).expect(201);
    expect(granting.body.data.unusedPermissions).toEqual([]);
    const rotated = (await app.api.platform.post(`${at}/api-keys/${id}/rotate`).expect(201)).body.data;
    expect(rotated.unusedPermissions).toEqual(['users:write', 'users:delete', 'roles:read']);
    await app.database.query(`UPDATE api_keys SET permissions_used = '{"users:read":"2000-01-01"}' WHERE id = $1`, [rotated.id]);
    const later = (await app.api.platform.get(`${at}/api-keys/${rotated.id}`).expect(200)).body.data;
    expect(later.unusedPermissions).toContain('users:read');
  });

  it("can't create API keys with more allowed networks or a later expiration", async () => {
    const ends = new Date(Date.now() + 10 * DAY_MS).toISOString();
    const scopes = ['api_keys:write', 'users:read'];
    const limited = { name: 'limited', scopes, expiresAt: ends, allowedNetworks: ['127.0.0.0/8'] };
    const { key } = (await app.api.platform.post(`${at}/api-keys`, limited).expect(201)).body.data;
    const create = (fields: object) => app.api.as(key).post(`${at}/api-keys`, { name: 'n', scopes: ['users:read'], ...fields });

    expect((await create({}).expect(201)).body.data).toMatchObject({ expiresAt: ends, allowedNetworks: ['127.0.0.0/8'] });
    const sooner = new Date(Date.now() + DAY_MS).toISOString();
    const less = await create({ expiresAt: sooner, allowedNetworks: ['127.0.0.1'] }).expect(201);
    expect(less.body.data).toMatchObject({ expiresAt: sooner, allowedNetworks: ['127.0.0.1/32'] });
    for (const more of [{ allowedNetworks: ['0.0.0.0/0'] }, { expiresAt: new Date(Date.now() + 11 * DAY_MS).toISOString() }])
      expect((await create(more).expect(403)).body.detail).toMatch(
        /can't work from networks that the API key of this request does not allow, and can't expire later/,
      );
    const open = (await app.api.platform.post(`${at}/api-keys`, { name: 'open', scopes }).expect(201)).body.data;
    await app.api.as(key).post(`${at}/api-keys/${open.id}/rotate`).expect(403);
  });
});
