import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestBody, TestClient } from '../support/http-client.js';
import { openSession, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const DAY_MS = 86_400_000;
const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;

describe('the list of organizations', () => {
  const app = testApp();
  let top: string;
  let left: string;
  let right: string;
  let leaf: string;
  let otherTenant: string;
  const make = async (name: string, parentId?: string, fields: object = {}): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, parentId, ...fields }).expect(201)).body.data.id;
  const list = async (caller: TestClient, query: string): Promise<TestBody[]> => {
    const { body } = await caller.get(`/v1/organizations?limit=100&${query}`).expect(200);
    expect(body.pagination.total).toBe(body.data.length);
    return body.data;
  };
  const names = async (caller: TestClient, query: string): Promise<string[]> =>
    (await list(caller, query)).map(({ name }) => name).toSorted();
  const remove = (id: string, query = ''): Promise<unknown> => app.api.platform.delete(at(id, query)).expect(204);

  beforeAll(async () => {
    top = await make('Top');
    left = await make('Left', top);
    right = await make('Right', top);
    leaf = await make('Leaf', left);
    otherTenant = await make('Separate');
  });

  it('starts with the topmost organizations that the caller has access to', async () => {
    const { platform } = app.api;
    const shared = new Set(['Top', 'Left', 'Right', 'Leaf', 'Separate']);
    const topmost = await names(platform, 'topmost=true');
    expect(topmost.filter((name) => shared.has(name))).toEqual(['Separate', 'Top']);
    const both = await signedIn(app, left, { roles: ['viewer'] });
    await platform.post(at(right, '/members'), { userId: both.id, role: 'viewer' }).expect(201);
    await platform.post(at(leaf, '/members'), { userId: both.id, role: 'admin' }).expect(201);
    expect(await names(both.client, 'topmost=true')).toEqual(['Left', 'Right']);
    expect(await names(both.client, '')).toEqual(['Leaf', 'Left', 'Right']);
    expect(await names(both.client, `parentId=${left}`)).toEqual(['Leaf']);
    const owner = await signedIn(app, top, { roles: ['owner'] });
    expect(await names(owner.client, 'topmost=true')).toEqual(['Top']);
    expect(await names(owner.client, 'topmost=true&search=lea')).toEqual([]);
    expect(await names(owner.client, 'search=lea')).toEqual(['Leaf']);
  });

  it('shows whether an organization has child organizations', async () => {
    const { platform } = app.api;
    const hasChildrenById = new Map(
      [
        ...(await list(platform, 'topmost=true')),
        ...(await list(platform, `parentId=${top}`)),
        ...(await list(platform, `parentId=${left}`)),
      ].map(({ id, hasChildren }) => [id, hasChildren]),
    );
    expect([top, left, right, leaf, otherTenant].map((id) => hasChildrenById.get(id))).toEqual([true, true, false, false, false]);
    const only = await make('Only', right);
    const ofRight = async () => (await list(platform, `parentId=${top}&search=right`)).map(({ hasChildren }) => hasChildren);
    expect(await ofRight()).toEqual([true]);
    await remove(only);
    expect(await ofRight()).toEqual([false]);
  });

  it('omits organizations that require MFA if the session has no MFA', async () => {
    const strict = await make('Strict', undefined, { settings: { requireMfa: true } });
    const organizationId = await make('Home');
    const user = await signedIn(app, organizationId, { roles: ['viewer'] });
    await app.api.platform.post(at(strict, '/members'), { userId: user.id, role: 'viewer' }).expect(201);
    expect(await names(user.client, 'topmost=true')).toEqual(['Home']);
    const mfaSession = await openSession(app, user, { at: organizationId, methods: ['password', 'totp'] });
    expect(await names(mfaSession.client, 'topmost=true')).toEqual(['Home', 'Strict']);
  });

  describe('the list of deleted organizations', () => {
    let base: string;
    let deleted: string;
    beforeAll(async () => {
      base = await make('Base');
      deleted = await make('Gone', base, { slug: 'gone' });
      await make('Gone below', deleted);
      await remove(deleted, '?cascade=true');
    });

    it('contains only organizations that can be restored separately', async () => {
      const found = (await list(app.api.platform, 'status=deleted')).find(({ id }) => id === deleted);
      expect(found).toMatchObject({ name: 'Gone', slug: 'gone', parentId: base, status: 'deleted' });
      expect(Date.parse(found.restorableUntil) - Date.parse(found.deletedAt)).toBe(30 * DAY_MS);
      const all = await names(app.api.platform, '');
      expect(all).toEqual(expect.not.arrayContaining(['Gone']));
      expect(await names(app.api.platform, 'status=deleted')).toEqual(expect.not.arrayContaining(['Gone below']));
      expect(await names(app.api.platform, 'status=active&search=gone')).toEqual([]);
      expect(await names(app.api.platform, `status=deleted&parentId=${base}&search=GONE`)).toEqual(['Gone']);
      for (const each of await list(app.api.platform, '')) expect(each).not.toHaveProperty('deletedAt');
    });

    it('contains only organizations that the caller has access to', async () => {
      const owner = await signedIn(app, base, { roles: ['owner'] });
      const reader = await signedIn(app, base, { roles: ['member'] });
      const elsewhere = await signedIn(app, otherTenant, { roles: ['owner'] });
      expect(await names(owner.client, 'status=deleted')).toEqual(['Gone']);
      expect(await names(reader.client, 'status=deleted')).toEqual(['Gone']);
      expect(await names(elsewhere.client, 'status=deleted')).toEqual([]);
      const key = async (org: string): Promise<TestClient> => {
        const body = { name: 'reader', scopes: ['organizations:read'] };
        return app.api.as((await app.api.platform.post(at(org, '/api-keys'), body).expect(201)).body.data.key);
      };
      expect(await names(await key(base), 'status=deleted')).toEqual(['Gone']);
      expect(await names(await key(otherTenant), 'status=deleted')).toEqual([]);
    });

    it('omits deleted organizations that require MFA if the session has no MFA', async () => {
      const organizationId = await make('Home of the strict one');
      const owner = await signedIn(app, organizationId, { roles: ['owner'] });
      const strict = await make('Strict and gone', organizationId, { settings: { requireMfa: true } });
      await remove(strict);
      expect(await names(owner.client, 'status=deleted&search=strict')).toEqual([]);
      await owner.client.post(at(strict, '/restore')).expect(404);
      const mfaSession = await openSession(app, owner, { at: organizationId, methods: ['password', 'totp'] });
      expect(await names(mfaSession.client, 'status=deleted&search=strict')).toEqual(['Strict and gone']);
    });

    it('omits restored organizations', async () => {
      const parent = await make('Parent');
      const restored = await make('Removed', parent);
      await make('Removed below', restored);
      await remove(restored, '?cascade=true');
      await remove(await make('Removed for good', parent));
      await app.api.platform.post(at(restored, '/restore')).expect(200);
      expect(await names(app.api.platform, `status=deleted&parentId=${parent}&search=removed`)).toEqual(['Removed for good']);
      expect(await names(app.api.platform, 'search=removed')).toEqual(['Removed', 'Removed below']);
    });
  });
});
