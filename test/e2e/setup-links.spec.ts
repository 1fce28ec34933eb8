import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '#platform/common';
import { OrganizationPurgeService } from '#directory/organizations';
import { startApp, type TestApp } from '../support/app.js';
import { expectEach, expectFields, type Shape } from '../support/fields.js';
import type { TestBody } from '../support/http-client.js';

const SETUP_LINK: Shape = {
  id: 'string',
  organizationId: 'string',
  name: 'string',
  description: 'string|null',
  createdAt: 'timestamp',
  updatedAt: 'timestamp',
};
const DAY_MS = 86_400_000;

describe('setup links', () => {
  let app: TestApp;
  let org: string;

  const at = (organization: string, rest = ''): string => `/v1/organizations/${organization}/setup-links${rest}`;
  const organization = async (name: string, parentId?: string): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id;
  const create = async (name: string, where = org): Promise<TestBody> =>
    (await app.api.platform.post(at(where), { name }).expect(201)).body.data;
  const keyWith = async (scopes: string[]) =>
    app.api.as(
      (await app.api.platform.post(`/v1/organizations/${org}/api-keys`, { name: 'k', scopes }).expect(201)).body.data.key,
    );
  const eventsOf = async (run: () => Promise<unknown>): Promise<string[]> => {
    const before = (await app.eventTypes()).length;
    await run();
    return (await app.eventTypes()).slice(before);
  };

  beforeAll(async () => {
    app = await startApp();
    org = await organization('Top');
  });
  afterAll(() => app.close());

  it('creates, returns, updates and deletes a setup link, and publishes an event for each change', async () => {
    let id = '';
    const created = await eventsOf(async () => {
      const body = { name: 'first', description: 'The first of its kind' };
      const { data } = (await app.api.platform.post(at(org), body).expect(201)).body;
      expectFields(data, SETUP_LINK);
      expect(data).toMatchObject({ ...body, organizationId: org });
      id = data.id;
      expect(id).toMatch(/^sl_/);
      expect((await app.api.platform.get(at(org, `/${id}`)).expect(200)).body.data).toEqual(data);
    });
    expect(created).toEqual(['setup_link.created']);

    const change = { name: 'renamed', description: null };
    const changed = await eventsOf(async () => {
      const { data } = (await app.api.platform.patch(at(org, `/${id}`), change).expect(200)).body;
      expect(data).toMatchObject({ id, ...change });
    });
    expect(changed).toEqual(['setup_link.updated']);
    expect(await eventsOf(() => app.api.platform.patch(at(org, `/${id}`), change).expect(200))).toEqual([]);

    expect(await eventsOf(() => app.api.platform.delete(at(org, `/${id}`)).expect(204))).toEqual(['setup_link.deleted']);
    expect((await app.api.platform.get(at(org, `/${id}`)).expect(404)).body.code).toBe('setup_link_not_found');
    await app.api.platform.patch(at(org, `/${id}`), change).expect(404);
    await app.api.platform.delete(at(org, `/${id}`)).expect(404);
  });

  it('lists setup links newest first, by page or by cursor', async () => {
    const home = await organization('Listed');
    const names = ['one', 'two', 'three'];
    for (const name of names) await create(name, home);
    const first = (await app.api.platform.get(at(home, '?limit=2')).expect(200)).body;
    expectEach(first.data, SETUP_LINK);
    expect(first.data.map(({ name }: TestBody) => name)).toEqual(['three', 'two']);
    expect(first.pagination).toEqual({ total: 3, page: 1, limit: 2, hasMore: true });
    for (const rest of [`?limit=2&after=${first.data[1].id}`, '?limit=2&page=2']) {
      const next = (await app.api.platform.get(at(home, rest)).expect(200)).body;
      expect(next.data.map(({ name }: TestBody) => name)).toEqual(['one']);
      expect(next.pagination).toMatchObject({ total: 3, hasMore: false });
    }
    expect((await app.api.platform.get(at(home, '?after=nothing')).expect(400)).body.code).toBe('invalid_cursor');
  });

  it.each([
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: 7 }, '/name'],
    [{ name: 'x'.repeat(101) }, '/name'],
    [{ name: 'x', description: 'x'.repeat(501) }, '/description'],
    [{ name: 'x', organizationId: 'x' }, '/organizationId'],
  ])('rejects %j', async (body, pointer) => {
    const refused = await app.api.platform.post(at(org), body).expect(400);
    expect(refused.body.errors).toMatchObject([{ pointer }]);
  });

  it('rejects a name that is taken in the organization, even in concurrent requests', async () => {
    const { id } = await create('taken');
    expect((await app.api.platform.post(at(org), { name: 'taken' }).expect(409)).body.code).toBe('setup_link_name_taken');
    const other = await create('free');
    expect((await app.api.platform.patch(at(org, `/${other.id}`), { name: 'taken' }).expect(409)).body.code).toBe(
      'setup_link_name_taken',
    );
    await app.api.platform.patch(at(org, `/${id}`), { name: 'taken' }).expect(200);
    await create('taken', await organization('Other names'));
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.api.platform.post(at(org), { name: 'raced' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
  });

  it('rejects an update with an outdated If-Match header', async () => {
    const { id } = await create('guarded');
    const { headers } = await app.api.platform.get(at(org, `/${id}`)).expect(200);
    const ifMatch = { 'if-match': headers.get('etag')!, 'content-type': 'application/json' };
    const rename = (name: string) => app.api.platform.raw('PATCH', at(org, `/${id}`), JSON.stringify({ name }), ifMatch);
    expect((await rename('guarded once')).status).toBe(200);
    expect((await rename('guarded twice')).body.code).toBe('precondition_failed');
    expect((await app.api.platform.get(at(org, `/${id}`)).expect(200)).body.data.name).toBe('guarded once');
  });

  it('returns 404 in an ancestor, a sibling and another tenant of the organization', async () => {
    const below = await organization('Below', org);
    const { id } = await create('mine', below);
    for (const place of [org, await organization('Beside', org), await organization('Another tenant')]) {
      await app.api.platform.get(at(place, `/${id}`)).expect(404);
      await app.api.platform.patch(at(place, `/${id}`), { name: 'changed' }).expect(404);
      await app.api.platform.delete(at(place, `/${id}`)).expect(404);
    }
    expect((await app.api.platform.get(at(below, `/${id}`)).expect(200)).body.data.name).toBe('mine');
  });

  it('requires setup_links:read for reads and setup_links:write for changes', async () => {
    const { id } = await create('permitted');
    const reader = await keyWith(['setup_links:read']);
    await reader.get(at(org)).expect(200);
    await reader.get(at(org, `/${id}`)).expect(200);
    await reader.post(at(org), { name: 'x' }).expect(403);
    await reader.patch(at(org, `/${id}`), { name: 'x' }).expect(403);
    await reader.delete(at(org, `/${id}`)).expect(403);
    const writer = await keyWith(['setup_links:write']);
    await writer.get(at(org)).expect(403);
    await writer.patch(at(org, `/${id}`), { name: 'written' }).expect(200);
    await writer.delete(at(org, `/${id}`)).expect(204);
  });

  it('rejects more than 500 setup links in an organization, even in concurrent requests', async () => {
    const full = await organization('Full');
    await app.database.query(
      `INSERT INTO setup_links (tenant_id, id, organization_id, name, created_at, updated_at)
       SELECT $1, 'sl_' || n, $1, 'name ' || n, now(), now() FROM generate_series(1, 499) n`,
      [full],
    );
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => app.api.platform.post(at(full), { name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('setup_link_limit');
  });

  it('deletes the setup links of an organization that is purged', async () => {
    const gone = await organization('Gone', org);
    await create('purged', gone);
    await app.api.platform.delete(`/v1/organizations/${gone}`).expect(204);
    await app.api.platform.get(at(gone)).expect(404);
    const clock = app.app.get(Clock);
    clock.now = () => new Date(Date.now() + 31 * DAY_MS);
    try {
      await app.app.get(OrganizationPurgeService).purgeDue();
    } finally {
      clock.now = () => new Date();
    }
    expect(await app.database.query('SELECT id FROM setup_links WHERE organization_id = $1', [gone])).toEqual([]);
  });
});
