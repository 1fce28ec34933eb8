import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { expectFields, type Shape } from '../support/fields.js';
import type { TestBody } from '../support/http-client.js';

const GROUP: Shape = {
  id: 'string',
  organizationId: 'string',
  name: 'string',
  description: 'string|null',
  externalId: 'string|null',
  managedBy: 'string|null',
  memberCount: 'integer',
  createdAt: 'timestamp',
  updatedAt: 'timestamp',
};

describe('groups', () => {
  let app: TestApp;
  let org: string;

  const at = (organization: string, rest = ''): string => `/v1/organizations/${organization}/groups${rest}`;
  const organization = async (name: string, parentId?: string): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id;
  const create = async (name: string, where = org): Promise<TestBody> =>
    (await app.api.platform.post(at(where), { name }).expect(201)).body.data;
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

  it('creates, returns, updates and deletes a group, and publishes an event for each change', async () => {
    let id = '';
    const created = await eventsOf(async () => {
      const body = { name: 'first', description: 'The first of its kind' };
      const { data } = (await app.api.platform.post(at(org), body).expect(201)).body;
      expectFields(data, GROUP);
      expect(data).toMatchObject({ ...body, organizationId: org });
      id = data.id;
      expect(id).toMatch(/^group_/);
      expect((await app.api.platform.get(at(org, `/${id}`)).expect(200)).body.data).toEqual(data);
    });
    expect(created).toEqual(['group.created']);

    const change = { name: 'renamed', description: null };
    const changed = await eventsOf(async () => {
      const { data } = (await app.api.platform.patch(at(org, `/${id}`), change).expect(200)).body;
      expect(data).toMatchObject({ id, ...change });
    });
    expect(changed).toEqual(['group.updated']);
    expect(await eventsOf(() => app.api.platform.patch(at(org, `/${id}`), change).expect(200))).toEqual([]);

    expect(await eventsOf(() => app.api.platform.delete(at(org, `/${id}`)).expect(204))).toEqual(['group.deleted']);
    expect((await app.api.platform.get(at(org, `/${id}`)).expect(404)).body.code).toBe('group_not_found');
    await app.api.platform.patch(at(org, `/${id}`), change).expect(404);
    await app.api.platform.delete(at(org, `/${id}`)).expect(404);
  });

  it('rejects a name that is taken in the organization, even in concurrent requests', async () => {
    const { id } = await create('taken');
    expect((await app.api.platform.post(at(org), { name: 'taken' }).expect(409)).body.code).toBe('group_name_taken');
    const other = await create('free');
    expect((await app.api.platform.patch(at(org, `/${other.id}`), { name: 'taken' }).expect(409)).body.code).toBe(
      'group_name_taken',
    );
    await app.api.platform.patch(at(org, `/${id}`), { name: 'taken' }).expect(200);
    await create('taken', await organization('Other names'));
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.api.platform.post(at(org), { name: 'raced' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
  });

  it('rejects more than 10,000 groups in an organization, even in concurrent requests', async () => {
    const full = await organization('Full');
    await app.database.query(
      `INSERT INTO groups (tenant_id, id, organization_id, name, created_at, updated_at)
       SELECT $1, 'group_' || n, $1, 'name ' || n, now(), now() FROM generate_series(1, 9999) n`,
      [full],
    );
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => app.api.platform.post(at(full), { name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('group_limit');
  });
});
