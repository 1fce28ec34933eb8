import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { dataOf, expectEach, expectFields } from '../support/fields.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { made } from '../support/organizations.js';
import {
  ADDED_MEMBER,
  CREATED_ORGANIZATION,
  LIST,
  LISTED_MEMBER,
  LISTED_ORGANIZATION,
  ORGANIZATION,
  PAGINATION,
} from '../support/specification-tables.js';

interface Tenant {
  acme: string;
  acmeSlug: string;
  /** A child organization of Acme. */
  engines: string;
  enginesSlug: string;
}

/** Tests each row of specification 2.5 to 2.7, 3.2 and 4.2. */
describe('the organizations API (specification)', () => {
  let app: TestApp;
  let tenants = 0;

  /** Runs a step. Returns its response and events. */
  const step = async <T>(run: () => Promise<T>): Promise<{ response: T; events: string[] }> => {
    const before = (await app.eventTypes()).length;
    const response = await run();
    return { response, events: (await app.eventTypes()).slice(before) };
  };
  const acmeFields = () => ({
    name: 'Acme Corporation',
    slug: `tree-${++tenants}-acme`,
    description: 'Makers of everything',
    settings: { requireMfa: true, sessionTimeout: 3600, allowedDomains: ['acme.example', 'acme.test'] },
    metadata: { plan: 'enterprise', seats: 25 },
  });
  const enginesFields = (acme: TestBody) => ({
    name: 'Acme Engines',
    slug: `${acme.slug}-engines`,
    parentId: acme.id,
    settings: { sessionTimeout: 7200 },
  });
  const newTenant = async (): Promise<Tenant> => {
    const acme = await made(app, '/v1/organizations', acmeFields());
    const engines = await made(app, '/v1/organizations', enginesFields(acme));
    return { acme: acme.id, acmeSlug: acme.slug, engines: engines.id, enginesSlug: engines.slug };
  };
  /** A client with access to Acme only. */
  const readerOf = async ({ acme }: Tenant): Promise<TestClient> =>
    app.api.as((await made(app, `/v1/organizations/${acme}/api-keys`, { name: 'Reader', scopes: ['organizations:read'] })).key);
  const newAda = async ({ acme }: Tenant): Promise<string> =>
    (await made(app, `/v1/organizations/${acme}/users`, { email: 'ada@acme.example', displayName: 'Ada Lovelace' })).id;
  /** A user of Acme who is its administrator and a viewer in Engines. */
  const memberOfBoth = async (tenant: Tenant): Promise<string> => {
    const ada = await newAda(tenant);
    await made(app, `/v1/organizations/${tenant.acme}/members`, { userId: ada, role: 'admin' });
    await made(app, `/v1/organizations/${tenant.engines}/members`, { userId: ada, role: 'viewer' });
    return ada;
  };
  const newPumps = async ({ acmeSlug, enginesSlug }: Tenant): Promise<TestBody> =>
    made(app, '/v1/organizations', { name: 'Pumps', slug: `${acmeSlug}-pumps`, parentId: enginesSlug });
  const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id);

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('creates an organization', async () => {
    const fields = acmeFields();
    const { response, events } = await step(() => app.api.platform.post('/v1/organizations', fields).expect(201));

    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const created = dataOf(response.body);
    expectFields(created, CREATED_ORGANIZATION);
    expect(created).toMatchObject({
      name: 'Acme Corporation',
      slug: fields.slug,
      parentId: null,
      status: 'active',
      memberCount: 0,
    });
    expect(events).toEqual(['organization.created']);
  });

  it('creates a child organization that inherits settings', async () => {
    const acme = await made(app, '/v1/organizations', acmeFields());
    const fields = enginesFields(acme);
    const { response, events } = await step(() => app.api.platform.post('/v1/organizations', fields).expect(201));

    const created = dataOf(response.body);
    expectFields(created, CREATED_ORGANIZATION);
    expect(created).toMatchObject({ slug: fields.slug, parentId: acme.id, status: 'active', memberCount: 0 });
    expect(events).toEqual(['organization.created']);
    const { settings } = (await app.api.platform.get(`/v1/organizations/${created.id}`).expect(200)).body.data;
    expect(settings).toMatchObject({
      requireMfa: true,
      sessionTimeout: 7200,
      allowedDomains: ['acme.example', 'acme.test'],
      allowPublicSignup: false,
    });
  });

  it.each(['name', 'slug', 'description', 'parentId', 'settings', 'metadata'])(
    'requires only the name of a new organization (body without %s)',
    async (left) => {
      const { acme } = await newTenant();
      const body: Record<string, unknown> = {
        name: `Without ${left}`,
        slug: `without-${left.toLowerCase()}`,
        description: 'A description',
        parentId: acme,
        settings: { requireMfa: false },
        metadata: { a: 1 },
      };
      delete body[left];
      const response = await app.api.platform.post('/v1/organizations', body);
      // Only the name is required.
      expect(response.status).toBe(left === 'name' ? 400 : 201);
      if (left === 'name') return;
      expectFields(dataOf(response.body), CREATED_ORGANIZATION);
      await app.api.platform.delete(`/v1/organizations/${response.body.data.id}`).expect(204);
    },
  );

  it('lists organizations without children, branding and logo', async () => {
    const tenant = await newTenant();
    const { body } = await (await readerOf(tenant)).get('/v1/organizations').expect(200);
    const newest = await app.api.platform.get('/v1/organizations').expect(200);

    expect(ids(body.data)).toEqual([tenant.engines, tenant.acme]);
    expect(body.pagination).toEqual({ total: 2, page: 1, limit: 20, hasMore: false });
    expect(ids(newest.body.data.slice(0, 2))).toEqual([tenant.engines, tenant.acme]);
    for (const list of [body, newest.body]) {
      expect(Object.keys(list).toSorted()).toEqual(LIST);
      expectEach(list.data, LISTED_ORGANIZATION);
      expectFields(list.pagination, PAGINATION);
    }
  });

  it('lists 1 to 100 organizations per page', async () => {
    const tenant = await newTenant();
    const { body } = await (await readerOf(tenant)).get('/v1/organizations?limit=1').expect(200);
    const newest = await app.api.platform.get('/v1/organizations?limit=1').expect(200);

    expect(ids(body.data)).toEqual([tenant.engines]);
    expect(body.pagination).toEqual({ total: 2, page: 1, limit: 1, hasMore: true });
    expect(ids(newest.body.data)).toEqual([tenant.engines]);
    expect(newest.body.pagination).toEqual({ total: expect.any(Number), page: 1, limit: 1, hasMore: true });
  });

  it.each(['id', 'slug'])('returns the full organization by %s', async (form) => {
    const { acme, acmeSlug, engines } = await newTenant();
    const { body, status } = await app.api.platform.get(`/v1/organizations/${form === 'id' ? acme : acmeSlug}`);

    expect(status).toBe(200);
    const organization = dataOf(body);
    expectFields(organization, ORGANIZATION);
    expect(organization).toMatchObject({
      id: acme,
      name: 'Acme Corporation',
      slug: acmeSlug,
      description: 'Makers of everything',
      type: 'standard',
      status: 'active',
      parentId: null,
      children: [{ id: engines, name: 'Acme Engines', memberCount: 0 }],
      metadata: { plan: 'enterprise', seats: 25 },
      memberCount: 0,
    });
    expect(organization.settings).toEqual({
      allowPublicSignup: false,
      requireMfa: true,
      mfaMethods: ['totp', 'passkey'],
      sessionTimeout: 3600,
      passwordPolicy: {
        // The default is 8 if MFA is required, else 15.
        minLength: 8,
        requireUppercase: false,
        requireNumbers: false,
        requireSymbols: false,
        preventReuse: 0,
      },
      allowedDomains: ['acme.example', 'acme.test'],
      defaultRole: 'role_member',
      sessionLifetime: 2_592_000,
      maxApiKeyLifetime: 0,
      disableFlaggedApiKeys: false,
      disableFlaggedWebhooks: false,
      allowedNetworks: [],
      defaultLocale: 'en',
      ssoRequired: false,
    });
  });

  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ name: 'Acme Worldwide' }, { name: 'Acme Worldwide' }],
    [{ description: 'Makers of all things' }, { description: 'Makers of all things' }],
    [{ metadata: { seats: 50, region: 'eu' } }, { metadata: { plan: 'enterprise', seats: 50, region: 'eu' } }],
    [{ settings: { requireMfa: false } }, {}],
    [
      { name: 'Acme', description: 'Makers', settings: { sessionTimeout: 1800 }, metadata: { seats: 60 } },
      { name: 'Acme', description: 'Makers', metadata: { plan: 'enterprise', seats: 60 } },
    ],
  ])('changes an organization with the body %j', async (body, shown) => {
    const { acme } = await newTenant();
    const { response, events } = await step(() => app.api.platform.patch(`/v1/organizations/${acme}`, body).expect(200));

    const updated = dataOf(response.body);
    expect(Object.keys(updated).toSorted()).toEqual(['id', ...Object.keys(body), 'updatedAt'].toSorted());
    expect(updated).toMatchObject({ id: acme, ...body, ...shown });
    expect(events).toEqual(['organization.updated']);
    const read = (await app.api.platform.get(`/v1/organizations/${acme}`).expect(200)).body.data;
    expect(read).toMatchObject(shown);
    expect(read.settings).toMatchObject((body['settings'] as object | undefined) ?? {});
    expect(read.updatedAt).toBe(updated.updatedAt);
  });

  it('keeps the settings that PATCH omits', async () => {
    const { acme } = await newTenant();
    for (const settings of [{ requireMfa: false }, { sessionTimeout: 1800 }])
      await app.api.platform.patch(`/v1/organizations/${acme}`, { settings }).expect(200);
    const { settings } = (await app.api.platform.get(`/v1/organizations/${acme}`).expect(200)).body.data;
    expect(settings).toMatchObject({ requireMfa: false, sessionTimeout: 1800, allowedDomains: ['acme.example', 'acme.test'] });
    expect(settings.passwordPolicy.minLength).toBe(15);
  });

  it('adds a member', async () => {
    const tenant = await newTenant();
    const ada = await newAda(tenant);
    const { response, events } = await step(() =>
      app.api.platform
        .post(`/v1/organizations/${tenant.acme}/members`, { userId: ada, role: 'admin', sendNotification: true })
        .expect(201),
    );

    const added = dataOf(response.body);
    expectFields(added, ADDED_MEMBER);
    expect(added).toMatchObject({ userId: ada, organizationId: tenant.acme, role: 'admin' });
    expect(events).toEqual(['organization.member_added']);
  });

  it('adds a member from another organization of the tenant', async () => {
    const tenant = await newTenant();
    const ada = await newAda(tenant);
    const { response, events } = await step(() =>
      app.api.platform.post(`/v1/organizations/${tenant.enginesSlug}/members`, { userId: ada, role: 'viewer' }).expect(201),
    );

    const added = dataOf(response.body);
    expectFields(added, ADDED_MEMBER);
    expect(added).toMatchObject({ userId: ada, organizationId: tenant.engines, role: 'viewer' });
    expect(events).toEqual(['organization.member_added']);
  });

  it.each(['role', 'sendNotification'])('adds a member if the body omits %s', async (left) => {
    const { acmeSlug, enginesSlug } = await newTenant();
    const { id } = await made(app, `/v1/organizations/${acmeSlug}/users`, { email: `no-${left}@acme.example` });
    const body: Record<string, unknown> = { userId: id, role: 'viewer', sendNotification: false };
    delete body[left];
    const added = dataOf((await app.api.platform.post(`/v1/organizations/${enginesSlug}/members`, body).expect(201)).body);
    expectFields(added, ADDED_MEMBER);
    expect(added.role).toBe(left === 'role' ? 'member' : 'viewer');
    await app.api.platform.delete(`/v1/organizations/${acmeSlug}/users/${id}?permanent=true`).expect(204);
  });

  it('lists members with pagination', async () => {
    const tenant = await newTenant();
    const ada = await memberOfBoth(tenant);
    const { body } = await app.api.platform.get(`/v1/organizations/${tenant.acmeSlug}/members`).expect(200);

    expect(Object.keys(body).toSorted()).toEqual(LIST);
    expectEach(body.data, LISTED_MEMBER);
    expect(body.data).toEqual([
      {
        userId: ada,
        email: 'ada@acme.example',
        displayName: 'Ada Lovelace',
        role: 'admin',
        status: 'pending',
        joinedAt: expect.any(String),
      },
    ]);
    expectFields(body.pagination, PAGINATION);
    expect(body.pagination).toEqual({ total: 1, page: 1, limit: 20, hasMore: false });
  });

  it('lists 1 to 100 members per page', async () => {
    const tenant = await newTenant();
    const ada = await memberOfBoth(tenant);
    const { body } = await app.api.platform.get(`/v1/organizations/${tenant.engines}/members?limit=1`).expect(200);

    expect(body.data).toMatchObject([{ userId: ada, role: 'viewer' }]);
    expect(body.pagination).toEqual({ total: 1, page: 1, limit: 1, hasMore: false });
  });

  it('returns the hierarchy of an organization', async () => {
    const tenant = await newTenant();
    const { acme, acmeSlug, engines } = tenant;
    await memberOfBoth(tenant);
    const pumps = (await newPumps(tenant)).id;

    const { body } = await app.api.platform.get(`/v1/organizations/${acmeSlug}/hierarchy`).expect(200);

    expect(dataOf(body)).toEqual({
      id: acme,
      name: 'Acme Corporation',
      children: [
        {
          id: engines,
          name: 'Acme Engines',
          memberCount: 1,
          children: [{ id: pumps, name: 'Pumps', memberCount: 0, children: [] }],
        },
      ],
    });
    const below = (await app.api.platform.get(`/v1/organizations/${engines}/hierarchy`).expect(200)).body.data;
    expect(below).toEqual({
      id: engines,
      name: 'Acme Engines',
      children: [{ id: pumps, name: 'Pumps', memberCount: 0, children: [] }],
    });
  });

  it('returns the number of members', async () => {
    const tenant = await newTenant();
    await memberOfBoth(tenant);
    await newPumps(tenant);
    const listed = (await (await readerOf(tenant)).get('/v1/organizations').expect(200)).body.data;
    expect(listed.map(({ memberCount }: { memberCount: number }) => memberCount)).toEqual([0, 1, 1]);
    const whole = (await app.api.platform.get(`/v1/organizations/${tenant.acmeSlug}`).expect(200)).body.data;
    expect(whole.children).toEqual([{ id: tenant.engines, name: 'Acme Engines', memberCount: 1 }]);
  });

  it('removes a member', async () => {
    const tenant = await newTenant();
    const ada = await memberOfBoth(tenant);
    const members = `/v1/organizations/${tenant.enginesSlug}/members`;
    const { response, events } = await step(() => app.api.platform.delete(`${members}/${ada}`).expect(204));

    expect(response.body).toBeUndefined();
    expect(events).toEqual(['organization.member_removed']);
    const { body } = await app.api.platform.get(members).expect(200);
    expect(body.data).toEqual([]);
    expect(body.pagination).toEqual({ total: 0, page: 1, limit: 20, hasMore: false });
  });

  it('deletes an organization', async () => {
    const tenant = await newTenant();
    const { acme, acmeSlug, engines } = tenant;
    await memberOfBoth(tenant);
    const { slug } = await newPumps(tenant);
    const listed = async () => (await app.api.platform.get(`/v1/organizations?search=${acmeSlug}`).expect(200)).body.data;
    expect(await listed()).toHaveLength(3);
    const pumps = await step(() => app.api.platform.delete(`/v1/organizations/${slug}`).expect(204));
    const rest = await step(() => app.api.platform.delete(`/v1/organizations/${acme}?cascade=true`).expect(204));

    expect(pumps.response.body).toBeUndefined();
    expect(pumps.events).toEqual(['organization.deleted']);
    expect(rest.events).toEqual(['organization.deleted', 'organization.deleted']);
    const below = ['members', 'hierarchy', 'users'].map((name) => `${acmeSlug}/${name}`);
    for (const path of [slug, acme, engines, ...below]) {
      expect((await app.api.platform.get(`/v1/organizations/${path}`).expect(404)).body.code).toBe('organization_not_found');
    }
    expect(await listed()).toEqual([]);
  });
});
