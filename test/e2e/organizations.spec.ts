import { beforeAll, describe, expect, it } from '@jest/globals';
import { dataOf, expectEach, expectFields } from '../support/fields.js';
import type { TestBody } from '../support/http-client.js';
import { CREATED_ORGANIZATION, LIST, LISTED_ORGANIZATION, ORGANIZATION, PAGINATION } from '../support/specification-tables.js';
import { testApp } from '../support/test-app.js';

describe('an organization', () => {
  const app = testApp();

  const make = async (name: string, rest: object = {}): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, ...rest }).expect(201)).body.data.id;
  const read = async (id: string): Promise<TestBody> =>
    (await app.api.platform.get(`/v1/organizations/${id}`).expect(200)).body.data;
  const change = (id: string, body: object) => app.api.platform.patch(`/v1/organizations/${id}`, body);
  const keyOf = async (organization: string, scopes: string[]) =>
    app.api.as(
      (await app.api.platform.post(`/v1/organizations/${organization}/api-keys`, { name: 'k', scopes }).expect(201)).body.data
        .key,
    );
  const names = (body: TestBody): string[] => body.data.map(({ name }: { name: string }) => name);

  describe('a response', () => {
    const ACME = {
      name: 'Acme Corporation',
      description: 'Makers of everything',
      settings: { requireMfa: true, sessionTimeout: 3600, allowedDomains: ['acme.example', 'acme.test'] },
      metadata: { plan: 'enterprise', seats: 25 },
    };

    it('to a creation, a list and a read has the fields of sections 2.5 and 4.2', async () => {
      const created = dataOf((await app.api.platform.post('/v1/organizations', { ...ACME, slug: 'acme-corp' }).expect(201)).body);
      expectFields(created, CREATED_ORGANIZATION);
      expect(created).toMatchObject({ name: ACME.name, slug: 'acme-corp', parentId: null, status: 'active', memberCount: 0 });
      const engines = await make('Engines', { parentId: created.id, settings: { sessionTimeout: 7200 } });

      for (const reference of [created.id, 'acme-corp']) {
        const whole = dataOf((await app.api.platform.get(`/v1/organizations/${reference}`).expect(200)).body);
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
      expect((await read(engines)).settings).toMatchObject({ ...ACME.settings, sessionTimeout: 7200 });

      for (const client of [app.api.platform, await keyOf('acme-corp', ['organizations:read'])]) {
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
      const before = await read(id);
      const updated = dataOf((await change(id, body).expect(200)).body);
      expect(Object.keys(updated).toSorted()).toEqual(['id', ...Object.keys(body), 'updatedAt'].toSorted());
      const after = await read(id);
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
      await app.api.platform.post(`/v1/organizations/${child}/users`, { email: 'h@x.example' }).expect(201);
      const below = { id: leaf, name: 'Leaf', memberCount: 0, children: [] };
      const hierarchy = async (of: string) =>
        dataOf((await app.api.platform.get(`/v1/organizations/${of}/hierarchy`).expect(200)).body);
      expect(await hierarchy(id)).toEqual({
        id,
        name: 'Root',
        children: [{ id: child, name: 'Child', memberCount: 1, children: [below] }],
      });
      expect(await hierarchy(child)).toEqual({ id: child, name: 'Child', children: [below] });
    });
  });

  describe('the slug', () => {
    it('is unique, even if the name is taken', async () => {
      const slugs = await Promise.all(['Twin', 'Twin', 'Twin'].map(async (name) => (await read(await make(name))).slug));
      expect(new Set(slugs).size).toBe(3);
      for (const slug of slugs) expect(slug).toMatch(/^twin/);
    });

    it("can't be the slug of an existing or deleted organization", async () => {
      const id = await make('Once', { slug: 'once' });
      for (const deleted of [false, true]) {
        if (deleted) await app.api.platform.delete(`/v1/organizations/${id}`).expect(204);
        const rejected = await app.api.platform.post('/v1/organizations', { name: 'Again', slug: 'once' }).expect(409);
        expect(rejected.body).toMatchObject({ code: 'slug_taken', status: 409 });
      }
    });
  });

  describe('the creation', () => {
    it.each(['nowhere', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd'])('rejects the unknown parent %s', async (parentId) => {
      const rejected = await app.api.platform.post('/v1/organizations', { name: 'Orphan', parentId });
      expect([400, 404]).toContain(rejected.status);
      expect(JSON.stringify(rejected.body)).toMatch(/parent|organization/i);
    });

    it('returns an error for every unknown and invalid field', async () => {
      const body = { name: '', color: 'red', id: 'org_x', metadata: [], settings: { requireMfa: 'yes', other: 1 } };
      const rejected = await app.api.platform.post('/v1/organizations', body).expect(400);
      expect(rejected.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(rejected.body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
        '/color',
        '/id',
        '/metadata',
        '/name',
        '/settings/other',
        '/settings/requireMfa',
      ]);
    });

    it('stores type, logo and branding', async () => {
      const extra = {
        type: 'enterprise',
        logo: 'https://cdn.example.com/logo.png',
        branding: { primaryColor: '#1a2b3c', logo: 'https://cdn.example.com/l.png', favicon: 'https://cdn.example.com/f.ico' },
      };
      const id = await make('Branded', extra);
      expect(await read(id)).toMatchObject(extra);
      await change(id, { type: 'standard', branding: { favicon: null } }).expect(200);
      const { type, branding } = await read(id);
      expect(type).toBe('standard');
      expect(branding).toEqual({ primaryColor: '#1a2b3c', logo: 'https://cdn.example.com/l.png' });
    });

    it('rejects more than 32 levels', async () => {
      let parentId: string | undefined;
      for (let level = 1; level <= 32; level++) parentId = await make(`Level ${level}`, { parentId });
      const rejected = await app.api.platform.post('/v1/organizations', { name: 'Too deep', parentId }).expect(422);
      expect(rejected.body.code).toBe('hierarchy_too_deep');
    });

    it('allows an API key of an organization to create only descendants', async () => {
      const organizationId = await make('Home', { slug: 'home' });
      const key = await keyOf('home', ['organizations:*']);
      const { parentId } = (await key.post('/v1/organizations', { name: 'Sub', parentId: 'home' }).expect(201)).body.data;
      expect(parentId).toBe(organizationId);
      expect((await key.post('/v1/organizations', { name: 'Top' }).expect(403)).body.code).toBe('forbidden');
    });
  });

  describe('the organization list', () => {
    let top: string;

    beforeAll(async () => {
      top = await make('Zebra Group', { slug: 'zebra', type: 'enterprise' });
      await make('Zebra Café', { parentId: top });
      const suspended = await make('Zebra 100% Sub', { parentId: 'zebra', type: 'enterprise' });
      await app.api.platform.post(`/v1/organizations/${suspended}/suspend`, { reason: 'r' }).expect(200);
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
      const { body } = await app.api.platform.get(`/v1/organizations?parentId=${top}&limit=1`).expect(200);
      expect(body.pagination).toEqual({ total: 2, page: 1, limit: 1, hasMore: true });
      const after = await app.api.platform.get(`/v1/organizations?parentId=${top}&limit=1&after=${body.data[0].id}`).expect(200);
      const page = await app.api.platform.get(`/v1/organizations?parentId=${top}&limit=1&page=2`).expect(200);
      expect(names(after.body)).toEqual(['Zebra Café']);
      expect(after.body).toEqual(page.body);
      expect(page.body.pagination).toEqual({ total: 2, page: 2, limit: 1, hasMore: false });
    });
  });
});
