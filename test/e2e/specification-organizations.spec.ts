import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { dataOf, expectEach, expectFields } from '../support/fields.js';
import {
  ADDED_MEMBER,
  CREATED_ORGANIZATION,
  LIST,
  LISTED_MEMBER,
  LISTED_ORGANIZATION,
  ORGANIZATION,
  PAGINATION,
} from '../support/specification-tables.js';

/** Specification 2.5 to 2.7, 3.2 and 4.2, row by row. */
describe('the specification: organizations', () => {
  let app: TestApp;
  let acme: string;
  let engines: string;
  let ada: string;

  /** Runs a step and gives its answer with the events that it wrote. */
  const step = async <T>(run: () => Promise<T>): Promise<{ answer: T; events: string[] }> => {
    const before = (await app.eventTypes()).length;
    const answer = await run();
    return { answer, events: (await app.eventTypes()).slice(before) };
  };

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('POST /v1/organizations: 201 with id, name, slug, parentId, status, memberCount, createdAt', async () => {
    const { answer, events } = await step(() =>
      app.api.platform
        .post('/v1/organizations', {
          name: 'Acme Corporation',
          slug: 'acme-corp',
          description: 'Makers of everything',
          settings: { requireMfa: true, sessionTimeout: 3600, allowedDomains: ['acme.example', 'acme.test'] },
          metadata: { plan: 'enterprise', seats: 25 },
        })
        .expect(201),
    );

    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const created = dataOf(answer.body);
    expectFields(created, CREATED_ORGANIZATION);
    expect(created).toMatchObject({
      name: 'Acme Corporation',
      slug: 'acme-corp',
      parentId: null,
      status: 'active',
      memberCount: 0,
    });
    expect(events).toEqual(['organization.created']);
    acme = created.id;
  });

  it('POST /v1/organizations with parentId: a sub-organization inherits settings, and overrides some', async () => {
    const { answer, events } = await step(() =>
      app.api.platform
        .post('/v1/organizations', {
          name: 'Acme Engines',
          slug: 'acme-engines',
          parentId: acme,
          settings: { sessionTimeout: 7200 },
        })
        .expect(201),
    );

    const created = dataOf(answer.body);
    expectFields(created, CREATED_ORGANIZATION);
    expect(created).toMatchObject({ slug: 'acme-engines', parentId: acme, status: 'active', memberCount: 0 });
    expect(events).toEqual(['organization.created']);
    engines = created.id;
    const { settings } = (await app.api.platform.get(`/v1/organizations/${engines}`).expect(200)).body.data;
    expect(settings).toMatchObject({
      requireMfa: true,
      sessionTimeout: 7200,
      allowedDomains: ['acme.example', 'acme.test'],
      allowPublicSignup: false,
    });
  });

  it.each(['name', 'slug', 'description', 'parentId', 'settings', 'metadata'])('POST takes a body without %s', async (left) => {
    const body: Record<string, unknown> = {
      name: `Without ${left}`,
      slug: `without-${left.toLowerCase()}`,
      description: 'A description',
      parentId: acme,
      settings: { requireMfa: false },
      metadata: { a: 1 },
    };
    delete body[left];
    const answer = await app.api.platform.post('/v1/organizations', body);
    // The name alone is needed.
    expect(answer.status).toBe(left === 'name' ? 400 : 201);
    if (left === 'name') return;
    expectFields(dataOf(answer.body), CREATED_ORGANIZATION);
    await app.api.platform.delete(`/v1/organizations/${answer.body.data.id}`).expect(204);
  });

  it('GET /v1/organizations: data without children, branding, logo; pagination', async () => {
    const { body } = await app.api.platform.get('/v1/organizations').expect(200);

    expect(Object.keys(body).toSorted()).toEqual(LIST);
    expectEach(body.data, LISTED_ORGANIZATION);
    expectFields(body.pagination, PAGINATION);
    expect(body.pagination).toEqual({ total: 2, page: 1, limit: 20, hasMore: false });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([engines, acme]);
  });

  it('GET /v1/organizations?limit=', async () => {
    const { body } = await app.api.platform.get('/v1/organizations?limit=1').expect(200);

    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([engines]);
    expect(body.pagination).toEqual({ total: 2, page: 1, limit: 1, hasMore: true });
  });

  it.each(['id', 'slug'])('GET /v1/organizations/:id with the %s: the full organization', async (form) => {
    const { body, status } = await app.api.platform.get(`/v1/organizations/${form === 'id' ? acme : 'acme-corp'}`);

    expect(status).toBe(200);
    const organization = dataOf(body);
    expectFields(organization, ORGANIZATION);
    expect(organization).toMatchObject({
      id: acme,
      name: 'Acme Corporation',
      slug: 'acme-corp',
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
        // With MFA required; 15 without it.
        minLength: 8,
        requireUppercase: false,
        requireNumbers: false,
        requireSymbols: false,
        preventReuse: 0,
      },
      allowedDomains: ['acme.example', 'acme.test'],
      defaultRole: 'role_member',
    });
  });

  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ name: 'Acme Worldwide' }, { name: 'Acme Worldwide' }],
    [{ description: 'Makers of all things' }, { description: 'Makers of all things' }],
    [{ metadata: { seats: 50, region: 'eu' } }, { metadata: { plan: 'enterprise', seats: 50, region: 'eu' } }],
    [{ settings: { requireMfa: false } }, {}],
    [
      { name: 'Acme', description: 'Makers', settings: { sessionTimeout: 1800 }, metadata: { seats: 60 } },
      { name: 'Acme', description: 'Makers', metadata: { plan: 'enterprise', seats: 60, region: 'eu' } },
    ],
  ])('PATCH /v1/organizations/:id %j: id, the changed fields, updatedAt', async (body, shown) => {
    const { answer, events } = await step(() => app.api.platform.patch(`/v1/organizations/${acme}`, body).expect(200));

    const updated = dataOf(answer.body);
    expect(Object.keys(updated).toSorted()).toEqual(['id', ...Object.keys(body), 'updatedAt'].toSorted());
    expect(updated).toMatchObject({ id: acme, ...body, ...shown });
    expect(events).toEqual(['organization.updated']);
    const read = (await app.api.platform.get(`/v1/organizations/${acme}`).expect(200)).body.data;
    expect(read).toMatchObject(shown);
    expect(read.settings).toMatchObject((body['settings'] as object | undefined) ?? {});
    expect(read.updatedAt).toBe(updated.updatedAt);
  });

  it('PATCH keeps the settings that are not sent', async () => {
    const { settings } = (await app.api.platform.get(`/v1/organizations/${acme}`).expect(200)).body.data;
    expect(settings).toMatchObject({ requireMfa: false, sessionTimeout: 1800, allowedDomains: ['acme.example', 'acme.test'] });
    expect(settings.passwordPolicy.minLength).toBe(15);
  });

  it('POST /v1/organizations/:id/members: 201 with userId, organizationId, role, joinedAt', async () => {
    ada = (
      await app.api.platform
        .post('/v1/organizations/acme-corp/users', { email: 'ada@acme.example', displayName: 'Ada Lovelace' })
        .expect(201)
    ).body.data.id;
    const { answer, events } = await step(() =>
      app.api.platform
        .post(`/v1/organizations/${acme}/members`, { userId: ada, role: 'admin', sendNotification: true })
        .expect(201),
    );

    const added = dataOf(answer.body);
    expectFields(added, ADDED_MEMBER);
    expect(added).toMatchObject({ userId: ada, organizationId: acme, role: 'admin' });
    expect(events).toEqual(['organization.member_added']);
  });

  it('POST /v1/organizations/:id/members in another organization', async () => {
    const { answer, events } = await step(() =>
      app.api.platform.post('/v1/organizations/acme-engines/members', { userId: ada, role: 'viewer' }).expect(201),
    );

    const added = dataOf(answer.body);
    expectFields(added, ADDED_MEMBER);
    expect(added).toMatchObject({ userId: ada, organizationId: engines, role: 'viewer' });
    expect(events).toEqual(['organization.member_added']);
  });

  it.each(['role', 'sendNotification'])('POST members without %s', async (left) => {
    const { id } = (
      await app.api.platform.post('/v1/organizations/acme-corp/users', { email: `no-${left}@acme.example` }).expect(201)
    ).body.data;
    const body: Record<string, unknown> = { userId: id, role: 'viewer', sendNotification: false };
    delete body[left];
    const added = dataOf((await app.api.platform.post('/v1/organizations/acme-engines/members', body).expect(201)).body);
    expectFields(added, ADDED_MEMBER);
    expect(added.role).toBe(left === 'role' ? 'member' : 'viewer');
    await app.api.platform.delete(`/v1/organizations/acme-corp/users/${id}?permanent=true`).expect(204);
  });

  it('GET /v1/organizations/:id/members: data and pagination', async () => {
    const { body } = await app.api.platform.get('/v1/organizations/acme-corp/members').expect(200);

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

  it('GET /v1/organizations/:id/members?limit=', async () => {
    const { body } = await app.api.platform.get(`/v1/organizations/${engines}/members?limit=1`).expect(200);

    expect(body.data).toMatchObject([{ userId: ada, role: 'viewer' }]);
    expect(body.pagination).toEqual({ total: 1, page: 1, limit: 1, hasMore: false });
  });

  it('GET /v1/organizations/:id/hierarchy: a tree, memberCount absent on the root, [] for a leaf', async () => {
    const pumps = (
      await app.api.platform.post('/v1/organizations', { name: 'Pumps', slug: 'pumps', parentId: 'acme-engines' }).expect(201)
    ).body.data.id;

    const { body } = await app.api.platform.get('/v1/organizations/acme-corp/hierarchy').expect(200);

    expect(dataOf(body)).toEqual({
      id: acme,
      name: 'Acme',
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

  it('counts members in the list and in the single read', async () => {
    const listed = (await app.api.platform.get('/v1/organizations').expect(200)).body.data;
    expect(listed.map(({ memberCount }: { memberCount: number }) => memberCount)).toEqual([0, 1, 1]);
    const whole = (await app.api.platform.get('/v1/organizations/acme-corp').expect(200)).body.data;
    expect(whole.children).toEqual([{ id: engines, name: 'Acme Engines', memberCount: 1 }]);
  });

  it('DELETE /v1/organizations/:id/members/:userId: 204, empty', async () => {
    const { answer, events } = await step(() =>
      app.api.platform.delete(`/v1/organizations/acme-engines/members/${ada}`).expect(204),
    );

    expect(answer.body).toBeUndefined();
    expect(events).toEqual(['organization.member_removed']);
    const { body } = await app.api.platform.get('/v1/organizations/acme-engines/members').expect(200);
    expect(body.data).toEqual([]);
    expect(body.pagination).toEqual({ total: 0, page: 1, limit: 20, hasMore: false });
  });

  it('DELETE /v1/organizations/:id: 204, empty, gone', async () => {
    const pumps = await step(() => app.api.platform.delete('/v1/organizations/pumps').expect(204));
    const rest = await step(() => app.api.platform.delete(`/v1/organizations/${acme}?cascade=true`).expect(204));

    expect(pumps.answer.body).toBeUndefined();
    expect(pumps.events).toEqual(['organization.deleted']);
    expect(rest.events).toEqual(['organization.deleted', 'organization.deleted']);
    for (const path of ['pumps', acme, engines, 'acme-corp/members', 'acme-corp/hierarchy', 'acme-corp/users']) {
      expect((await app.api.platform.get(`/v1/organizations/${path}`).expect(404)).body.code).toBe('organization_not_found');
    }
    expect((await app.api.platform.get('/v1/organizations').expect(200)).body.data).toEqual([]);
  });
});
