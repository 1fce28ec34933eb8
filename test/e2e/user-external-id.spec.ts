import { beforeAll, describe, expect, it } from '@jest/globals';
import { testApp } from '../support/test-app.js';

describe('the externalId of a user', () => {
  const app = testApp();
  const users = '/v1/organizations/acme/users';
  beforeAll(async () => {
    await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
  });

  const create = (email: string, externalId?: string) => app.api.platform.post(users, { email, externalId });
  const lastData = async () =>
    JSON.parse(
      (await app.database.query<{ payload: string }>('SELECT payload FROM events ORDER BY seq DESC LIMIT 1'))[0]!.payload,
    ).data;

  it('can be set, changed and removed', async () => {
    const { body } = await create('a@example.com', 'hr-1').expect(201);
    expect(body.data.externalId).toBe('hr-1');
    expect(await lastData()).not.toHaveProperty('externalId');
    const path = `${users}/${body.data.id}`;
    expect((await app.api.platform.get(path)).body.data.externalId).toBe('hr-1');
    expect((await app.api.platform.patch(path, { externalId: 'hr-2' }).expect(200)).body.data.externalId).toBe('hr-2');
    expect(await lastData()).toMatchObject({ externalId: 'hr-2', changes: { externalId: { from: 'hr-1', to: 'hr-2' } } });
    expect((await app.api.platform.get(`${users}?externalId=hr-2`)).body).toMatchObject({
      data: [{ id: body.data.id, externalId: 'hr-2' }],
      pagination: { total: 1, hasMore: false },
    });
    expect((await app.api.platform.get(`${users}?externalId=hr-1`)).body.data).toEqual([]);
    expect((await app.api.platform.patch(path, { externalId: null }).expect(200)).body.data).not.toHaveProperty('externalId');
    expect((await app.api.platform.get(path)).body.data).not.toHaveProperty('externalId');
    expect(await lastData()).not.toHaveProperty('externalId');
  });

  it('is unique in the tenant except for deleted users', async () => {
    await app.api.platform.post('/v1/organizations', { name: 'Below', slug: 'below', parentId: 'acme' }).expect(201);
    const first = (await create('b@example.com', 'hr-3').expect(201)).body.data.id;
    const other = (await create('c@example.com').expect(201)).body.data.id;
    for (const response of [
      await create('d@example.com', 'hr-3').expect(409),
      await app.api.platform.post('/v1/organizations/below/users', { email: 'e@example.com', externalId: 'hr-3' }).expect(409),
      await app.api.platform.patch(`${users}/${other}`, { externalId: 'hr-3' }).expect(409),
    ])
      expect(response.body.code).toBe('external_id_taken');
    await app.api.platform.delete(`${users}/${first}`).expect(204);
    await app.api.platform.patch(`${users}/${other}`, { externalId: 'hr-3' }).expect(200);
    const listed = await app.api.platform.get(`${users}?externalId=hr-3&status=deleted`).expect(200);
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([first]);
    const restored = await app.api.platform.post(`${users}/${first}/restore`).expect(409);
    expect(restored.body.code).toBe('external_id_conflict');
    await app.api.platform.patch(`${users}/${other}`, { externalId: null }).expect(200);
    await app.api.platform.post(`${users}/${first}/restore`).expect(200);
  });
});
