import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestBody } from '../support/http-client.js';
import { testApp } from '../support/test-app.js';

describe('groups', () => {
  const app = testApp();
  let org: string;

  const at = (organization: string, rest = ''): string => `/v1/organizations/${organization}/groups${rest}`;
  const organization = async (name: string, parentId?: string): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id;
  const create = async (name: string, where = org): Promise<TestBody> =>
    (await app.api.platform.post(at(where), { name }).expect(201)).body.data;

  beforeAll(async () => {
    org = await organization('Top');
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
