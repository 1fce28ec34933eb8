import { beforeAll, describe, expect, it } from '@jest/globals';
import { dataOf, expectEach, expectFields } from '../support/fields.js';
import type { PendingResponse, TestBody, TestClient } from '../support/http-client.js';
import { at, keyClient, made, newOrganization, read } from '../support/organizations.js';
import { openSession, signedIn } from '../support/signed-in.js';
import { CREATED_ORGANIZATION, LIST, LISTED_ORGANIZATION, ORGANIZATION, PAGINATION } from '../support/specification-tables.js';
import { testApp } from '../support/test-app.js';
import { eventsDuring } from '../support/events-during.js';

const DAY_MS = 86_400_000;

const app = testApp();
const make = async (name: string, fields: object = {}): Promise<string> => (await newOrganization(app, { name, ...fields })).id;
const post = (body: object): PendingResponse => app.api.platform.post('/v1/organizations', body);

describe('an organization', () => {
  const change = (id: string, body: object): PendingResponse => app.api.platform.patch(at(id), body);
  const names = (body: TestBody): string[] => body.data.map(({ name }: { name: string }) => name);

  describe('a response', () => {
    const ACME = {
      name: 'Acme Corporation',
      description: 'Makers of everything',
      settings: { requireMfa: true, sessionTimeout: 3600, allowedDomains: ['acme.example', 'acme.test'] },
      metadata: { plan: 'enterprise', seats: 25 },
    };

    it('to a creation, a list and a read has the fields of sections 2.5 and 4.2', async () => {
      const created = dataOf((await post({ ...ACME, slug: 'acme-corp' }).expect(201)).body);
      expectFields(created, CREATED_ORGANIZATION);
      expect(created).toMatchObject({ name: ACME.name, slug: 'acme-corp', parentId: null, status: 'active', memberCount: 0 });
      const engines = await make('Engines', { parentId: created.id, settings: { sessionTimeout: 7200 } });

      for (const reference of [created.id, 'acme-corp']) {
        const whole = dataOf((await app.api.platform.get(at(reference)).expect(200)).body);
        expectFields(whole, ORGANIZATION);
        expect(whole).toMatchObject({
          ...ACME,
          id: created.id,
          type: 'standard',
          children: [{ id: engines, name: 'Engines', memberCount: 0 }],
        });
        // The default is 8 if MFA is required, else 15.
        expect(whole.settings.passwordPolicy.minLength).toBe(8);
      }
      expect((await read(app, at(engines))).settings).toMatchObject({ ...ACME.settings, sessionTimeout: 7200 });

      for (const client of [app.api.platform, await keyClient(app, 'acme-corp', ['organizations:read'])]) {
        const { body } = await client.get('/v1/organizations?limit=2').expect(200);
        expect(Object.keys(body).toSorted()).toEqual(LIST);
        expectFields(body.pagination, PAGINATION);
        expectEach(body.data, LISTED_ORGANIZATION);
        expect(names(body)).toEqual(['Engines', ACME.name]);
      }
    });

    it.each<Record<string, unknown>>([
      { name: 'Acme Worldwide', description: 'Makers of all things' },
      { metadata: { seats: 50, region: 'eu' } },
      { settings: { requireMfa: false } },
    ])('to the change %j has the changed fields (section 4.2)', async (body) => {
      const id = await make('Changed', ACME);
      const before = await read(app, at(id));
      const updated = dataOf((await change(id, body).expect(200)).body);
      expect(Object.keys(updated).toSorted()).toEqual(['id', ...Object.keys(body), 'updatedAt'].toSorted());
      const after = await read(app, at(id));
      expect(after).toMatchObject({ ...body, updatedAt: updated.updatedAt });
      // Settings and metadata that the request omits stay.
      if (body['metadata']) expect(after.metadata).toEqual({ ...ACME.metadata, ...body['metadata'] });
      if (body['settings']) expect(after.settings).toMatchObject({ ...ACME.settings, ...body['settings'] });
      else expect(after.settings).toEqual(before.settings);
    });

    it('to the hierarchy has the fields of section 2.7', async () => {
      const id = await make('Root');
      const child = await make('Child', { parentId: id });
      const leaf = await make('Leaf', { parentId: child });
      await made(app, at(child, '/users'), { email: 'h@x.example' });
      const below = { id: leaf, name: 'Leaf', memberCount: 0, children: [] };
      const hierarchy = async (of: string) => dataOf((await app.api.platform.get(at(of, '/hierarchy')).expect(200)).body);
      expect(await hierarchy(id)).toEqual({
        id,
        name: 'Root',
        children: [{ id: child, name: 'Child', memberCount: 1, children: [below] }],
      });
      expect(await hierarchy(child)).toEqual({ id: child, name: 'Child', children: [below] });
    });
  });

  describe('the creation', () => {
    it('gives each organization its own slug, even if the name is taken, and stores type, logo and branding', async () => {
      const created = await Promise.all(['Twin', 'Twin', 'Twin'].map((name) => newOrganization(app, { name })));
      expect(new Set(created.map(({ slug }) => slug)).size).toBe(3);
      for (const { slug } of created) {
        expect(slug).toMatch(/^twin/);
        await post({ name: 'Again', slug }).expect(409, 'slug_taken');
      }
      const extra = {
        type: 'enterprise',
        logo: 'https://cdn.example.com/logo.png',
        branding: { primaryColor: '#1a2b3c', logo: 'https://cdn.example.com/l.png', favicon: 'https://cdn.example.com/f.ico' },
      };
      const id = await make('Branded', extra);
      expect(await read(app, at(id))).toMatchObject(extra);
      await change(id, { type: 'standard', branding: { favicon: null } }).expect(200);
      const { type, branding } = await read(app, at(id));
      expect(type).toBe('standard');
      expect(branding).toEqual({ primaryColor: '#1a2b3c', logo: 'https://cdn.example.com/l.png' });
    });

    it('rejects more than 32 levels', async () => {
      let parentId: string | undefined;
      for (let level = 1; level <= 32; level++) parentId = await make(`Level ${level}`, { parentId });
      await post({ name: 'Too deep', parentId }).expect(422, 'hierarchy_too_deep');
    });
  });

  describe('the organization list', () => {
    let top: string;

    beforeAll(async () => {
      top = await make('Zebra Group', { slug: 'zebra', type: 'enterprise' });
      await make('Zebra Café', { parentId: top });
      const suspended = await make('Zebra 100% Sub', { parentId: 'zebra', type: 'enterprise' });
      await app.api.platform.post(at(suspended, '/suspend'), { reason: 'r' }).expect(200);
    });

    it.each([
      ['search=zebra', ['Zebra 100% Sub', 'Zebra Café', 'Zebra Group']],
      ['search=ZEBRA&type=enterprise', ['Zebra 100% Sub', 'Zebra Group']],
      ['search=zebra&status=suspended', ['Zebra 100% Sub']],
      ['search=zebra&status=active&type=standard', ['Zebra Café']],
      ['search=cafe', ['Zebra Café']],
      ['search=100%25', ['Zebra 100% Sub']],
      ['search=%25%25%25', []],
      ['parentId=zebra', ['Zebra 100% Sub', 'Zebra Café']],
      ['parentId=null&search=zebra', ['Zebra Group']],
    ])('returns the organizations that match %s', async (query, wanted) => {
      const { body } = await app.api.platform.get(`/v1/organizations?limit=100&${query}`).expect(200);
      expect(names(body)).toEqual(wanted);
      expect(body.pagination.total).toBe(wanted.length);
    });

    it('returns equal pages for the cursor and the page number', async () => {
      const page = async (query: string) =>
        (await app.api.platform.get(`/v1/organizations?parentId=${top}&limit=1${query}`).expect(200)).body;
      const first = await page('');
      expect(first.pagination).toEqual({ total: 2, page: 1, limit: 1, hasMore: true });
      const second = await page(`&after=${first.data[0].id}`);
      expect(names(second)).toEqual(['Zebra Café']);
      expect(second.pagination).toEqual({ total: 2, page: 2, limit: 1, hasMore: false });
      expect(await page('&page=2')).toEqual(second);
    });
  });
});

describe('the tree of organizations', () => {
  let top: string;
  let left: string;
  let right: string;
  let leaf: string;
  let otherTenant: string;
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
    left = await make('Left', { parentId: top });
    right = await make('Right', { parentId: top });
    leaf = await make('Leaf', { parentId: left });
    otherTenant = await make('Separate');
  });

  it('starts with the topmost organizations that the caller has access to, and shows which have child organizations', async () => {
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
    const hasChildrenById = new Map(
      [
        ...(await list(platform, 'topmost=true')),
        ...(await list(platform, `parentId=${top}`)),
        ...(await list(platform, `parentId=${left}`)),
      ].map(({ id, hasChildren }) => [id, hasChildren]),
    );
    expect([top, left, right, leaf, otherTenant].map((id) => hasChildrenById.get(id))).toEqual([true, true, false, false, false]);
    const only = await make('Only', { parentId: right });
    const ofRight = async () => (await list(platform, `parentId=${top}&search=right`)).map(({ hasChildren }) => hasChildren);
    expect(await ofRight()).toEqual([true]);
    await remove(only);
    expect(await ofRight()).toEqual([false]);
  });

  describe('the list of deleted organizations', () => {
    let base: string;
    let deleted: string;
    beforeAll(async () => {
      base = await make('Base');
      deleted = await make('Gone', { parentId: base, slug: 'gone' });
      await make('Gone below', { parentId: deleted });
      await remove(deleted, '?cascade=true');
    });

    it('contains only organizations that can be restored separately, and that the caller has access to', async () => {
      const found = (await list(app.api.platform, 'status=deleted')).find(({ id }) => id === deleted);
      expect(found).toMatchObject({ name: 'Gone', slug: 'gone', parentId: base, status: 'deleted' });
      expect(Date.parse(found.restorableUntil) - Date.parse(found.deletedAt)).toBe(30 * DAY_MS);
      const all = await names(app.api.platform, '');
      expect(all).toEqual(expect.not.arrayContaining(['Gone']));
      expect(await names(app.api.platform, 'status=deleted')).toEqual(expect.not.arrayContaining(['Gone below']));
      expect(await names(app.api.platform, 'status=active&search=gone')).toEqual([]);
      expect(await names(app.api.platform, `status=deleted&parentId=${base}&search=GONE`)).toEqual(['Gone']);
      for (const each of await list(app.api.platform, '')) expect(each).not.toHaveProperty('deletedAt');
      const owner = await signedIn(app, base, { roles: ['owner'] });
      const reader = await signedIn(app, base, { roles: ['member'] });
      const elsewhere = await signedIn(app, otherTenant, { roles: ['owner'] });
      expect(await names(owner.client, 'status=deleted')).toEqual(['Gone']);
      expect(await names(reader.client, 'status=deleted')).toEqual(['Gone']);
      expect(await names(elsewhere.client, 'status=deleted')).toEqual([]);
      const key = (org: string) => keyClient(app, org, ['organizations:read']);
      expect(await names(await key(base), 'status=deleted')).toEqual(['Gone']);
      expect(await names(await key(otherTenant), 'status=deleted')).toEqual([]);
      const parent = await make('Parent');
      const restored = await make('Removed', { parentId: parent });
      await make('Removed below', { parentId: restored });
      await remove(restored, '?cascade=true');
      await remove(await make('Removed for good', { parentId: parent }));
      await app.api.platform.post(at(restored, '/restore')).expect(200);
      expect(await names(app.api.platform, `status=deleted&parentId=${parent}&search=removed`)).toEqual(['Removed for good']);
      expect(await names(app.api.platform, 'search=removed')).toEqual(['Removed', 'Removed below']);
    });

    it('omits deleted organizations that require MFA if the session has no MFA', async () => {
      const organizationId = await make('Home of the strict one');
      const owner = await signedIn(app, organizationId, { roles: ['owner'] });
      const strict = await make('Strict and gone', { parentId: organizationId, settings: { requireMfa: true } });
      await remove(strict);
      expect(await names(owner.client, 'status=deleted&search=strict')).toEqual([]);
      await owner.client.post(at(strict, '/restore')).expect(404);
      const mfaSession = await openSession(app, owner, { at: organizationId, methods: ['password', 'totp'] });
      expect(await names(mfaSession.client, 'status=deleted&search=strict')).toEqual(['Strict and gone']);
    });
  });
});

describe('an organization', () => {
  it('publishes one event for each change of the suspension, and for the activation', async () => {
    const { id } = await newOrganization(app, { name: 'Told', metadata: { plan: 'pro' } });
    const responses: TestBody[] = [];
    const change = async (path: string, body?: object) =>
      responses.push((await app.api.platform.post(at(id, path), body).expect(200)).body.data);
    const events = await eventsDuring(app, async () => {
      for (let times = 0; times < 2; times++) await change('/suspend', { reason: 'Unpaid' });
      await change('/suspend');
      for (let times = 0; times < 2; times++) await change('/activate');
    });
    const [first, same, second, active] = responses;
    expect(same).toEqual(first);
    const organization = { id, name: 'Told' };
    expect(events).toMatchObject(
      [first, second, active].map(({ status, updatedAt }) => ({
        type: 'organization.updated',
        organization,
        data: { ...organization, status, updatedAt, metadata: { plan: 'pro' } },
      })),
    );
    expect(events.map(({ data }) => data.changes)).toEqual([
      {
        status: { from: 'active', to: 'suspended' },
        suspendedAt: { from: null, to: first.suspendedAt },
        suspendedReason: { from: null, to: 'Unpaid' },
      },
      {
        suspendedAt: { from: first.suspendedAt, to: second.suspendedAt },
        suspendedReason: { from: 'Unpaid', to: '' },
      },
      {
        status: { from: 'suspended', to: 'active' },
        suspendedAt: { from: second.suspendedAt, to: null },
        suspendedReason: { from: '', to: null },
      },
    ]);
  });

  describe('the suspension', () => {
    const isActive = async (token: string): Promise<boolean> =>
      (await app.api.platform.post('/v1/sessions/verify', { token }).expect(200)).body.data.active;

    it.each(['the organization', 'the parent organization'])(
      'denies access to users and API keys while %s is suspended',
      async (which) => {
        const parent = (await newOrganization(app)).id;
        const own = (await newOrganization(app, { parentId: parent })).id;
        const [key, keyOfParent] = [await keyClient(app, own, ['*']), await keyClient(app, parent, ['*'])];
        const person = await signedIn(app, own, { roles: ['owner'] });
        const above = await signedIn(app, parent, { roles: ['owner'] });
        const users = at(own, '/users');
        const changed = at(which === 'the organization' ? own : parent);
        await key.get(users).expect(200);

        await app.api.platform.post(`${changed}/suspend`).expect(200);

        const status = which === 'the organization' ? 200 : 403;
        for (const client of [above.client, keyOfParent]) await client.get(users).expect(status);
        expect([await isActive(person.token), await isActive(above.token)]).toEqual([false, status === 200]);
        for (const request of [
          () => person.client.get(users),
          () => person.client.get('/v1/auth/me'),
          () => person.client.post('/v1/auth/token', { audience: 'https://app.example.com' }),
        ])
          await request().expect(403, 'organization_suspended');
        for (const path of [users, `${users}/export`]) await key.get(path).expect(403, 'organization_suspended');

        await app.api.platform.post(`${changed}/activate`).expect(200);

        expect(await isActive(person.token)).toBe(true);
        await person.client.get(users).expect(200);
        await person.client.post('/v1/auth/token', { audience: 'https://app.example.com' }).expect(201);
        await key.get(users).expect(200);
      },
    );

    it('can be ended by the user who started the suspension', async () => {
      const own = (await newOrganization(app)).id;
      const [leaving, owner] = [await signedIn(app, own), await signedIn(app, own, { roles: ['owner'] })];
      await owner.client.post(at(own, '/suspend')).expect(200);
      await leaving.client.post('/v1/auth/logout').expect(204);
      await owner.client.get(at(own)).expect(403);
      await owner.client.post(at(own, '/activate')).expect(200);
      await owner.client.get(at(own)).expect(200);
    });
  });
});

/** The service runs with `ORGANIZATION_APPROVAL=true`. */
describe('an organization that needs approval', () => {
  const app = testApp({ organizationApproval: true });
  let top: string;
  let key: TestClient;
  const make = async (caller = key, parentId = top): Promise<TestBody> =>
    await made(caller, '/v1/organizations', { name: 'Waiting', parentId });

  beforeAll(async () => {
    top = (await newOrganization(app)).id;
    key = await keyClient(app, top, ['*']);
  });

  it('is pending unless the platform creates the organization, until the platform approves it, also after deletion and restoration', async () => {
    expect([(await make(app.api.platform)).status, (await make()).status]).toEqual(['active', 'pending']);
    const { id } = await make();
    await key.delete(at(id)).expect(204);
    expect((await key.post(at(id, '/restore')).expect(200)).body.data.status).toBe('pending');
    await key.post(at(id, '/activate')).expect(403);
    await key.post(at(id, '/suspend')).expect(409);
    await key.post(at(id, '/activate')).expect(403);

    const events = await eventsDuring(app, () => app.api.platform.post(at(id, '/activate')).expect(200));
    expect(events).toMatchObject([{ type: 'organization.updated', data: { status: 'active' } }]);
    expect(events[0]!.data.changes).toEqual({ status: { from: 'pending', to: 'active' } });
    await key.post(at(id, '/users'), { email: 'approved@x.example' }).expect(201);
  });

  it("can't be activated below the ancestor that suspended the organization", async () => {
    const middle = (await make(app.api.platform)).id;
    const leaf = (await make(app.api.platform, middle)).id;
    const [topKey, middleKey, leafKey] = [key, await keyClient(app, middle, ['*']), await keyClient(app, leaf, ['*'])];

    await leafKey.post(at(leaf, '/suspend')).expect(200);
    await leafKey.post(at(leaf, '/activate')).expect(200);

    await middleKey.post(at(leaf, '/suspend'), { reason: 'from the middle' }).expect(200);
    expect((await leafKey.post(at(leaf, '/activate')).expect(403)).body.detail).toContain(
      'suspended with a platform key or by an ancestor organization',
    );
    await leafKey.post(at(leaf, '/suspend'), { reason: 'mine' }).expect(403);
    await topKey.post(at(leaf, '/suspend'), { reason: 'from the top' }).expect(200);
    await middleKey.post(at(leaf, '/activate')).expect(403);
    await topKey.post(at(leaf, '/activate')).expect(200);

    await app.api.platform.post(at(top, '/suspend'), { reason: 'unpaid' }).expect(200);
    await topKey.post(at(top, '/activate')).expect(403);
    await app.api.platform.post(at(top, '/activate')).expect(200);
  });
});
