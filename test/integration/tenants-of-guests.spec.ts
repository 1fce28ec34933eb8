import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TenantsOfGuests1796000000000 } from '../../libs/platform/database/src/migrations/1796000000000-tenants-of-guests.js';
import { testApp } from '../support/test-app.js';

describe('the migration to the tenants of guests', () => {
  const app = testApp();

  const post = async (path: string, body: object): Promise<string> =>
    (await app.api.platform.post(path, body).expect(201)).body.data.id;
  const migrateAgain = async (): Promise<void> => {
    const migration = new TenantsOfGuests1796000000000();
    const runner = app.app.get(DataSource).createQueryRunner();
    try {
      await runner.startTransaction();
      await migration.down(runner);
      await migration.up(runner);
      await runner.commitTransaction();
    } finally {
      await runner.release();
    }
  };

  it('finds the tenants of current, former and deleted guests', async () => {
    const home = await post('/v1/organizations', { name: 'Home' });
    const host = await post('/v1/organizations', { name: 'Host' });
    const member = `/v1/organizations/${host}/members`;
    const [current, former, deleted, never] = await Promise.all(
      ['current', 'former', 'deleted', 'never'].map((name) =>
        post(`/v1/organizations/${home}/users`, { email: `${name}@home.example` }),
      ),
    );
    for (const userId of [current, former, deleted]) await app.api.platform.post(member, { userId }).expect(201);
    await app.api.platform.delete(`${member}/${former}`).expect(204);
    await app.api.platform.delete(`/v1/organizations/${home}/users/${deleted}?permanent=true`).expect(204);
    await app.database.query('DELETE FROM event_redactions WHERE tenant_id = $1', [host]);

    await migrateAgain();

    const users = await app.database.query('SELECT id, guest_tenant_ids AS tenants FROM users ORDER BY id');
    expect(users).toEqual(
      [
        { id: current, tenants: [host] },
        { id: former, tenants: [host] },
        { id: never, tenants: [] },
      ].toSorted((a, b) => (a.id! < b.id! ? -1 : 1)),
    );
    const requests = await app.database.query('SELECT tenant_id, user_id FROM event_redactions ORDER BY tenant_id');
    expect(requests).toEqual([home, host].toSorted().map((id) => ({ tenant_id: id, user_id: deleted })));
  });
});
