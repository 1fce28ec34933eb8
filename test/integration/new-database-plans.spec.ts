import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type TestApp } from '../support/app.js';

const USERS = 400;
const AT_ONCE = 20;
const ORGANIZATIONS = 30;
const CHANGES = 10;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** How many rows of users were read. Connections tell what they read when they end. */
async function usersRead(): Promise<number> {
  await app.database.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await sleep(500);
  const [row] = await app.database.query<{ count: string }>(
    `SELECT idx_tup_fetch + seq_tup_read AS count FROM pg_stat_user_tables WHERE relname = 'users'`,
  );
  return Number(row!.count);
}

it('a change of a user does not read all users for each organization, before the tables have statistics', async () => {
  const { platform } = app.api;
  await platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
  for (let number = 0; number < ORGANIZATIONS; number++)
    await platform.post('/v1/organizations', { name: 'Below', slug: `below-${number}`, parentId: 'acme' }).expect(201);
  const ids: string[] = [];
  const create = async (_: unknown, index: number): Promise<void> => {
    const email = `user-${ids.length}-${index}@example.com`;
    const { body } = await platform.post('/v1/organizations/acme/users', { email }).expect(201);
    ids.push(body.data.id);
  };
  while (ids.length < USERS) await Promise.all(Array.from({ length: AT_ONCE }, create));
  const before = await usersRead();
  for (const id of ids.slice(-CHANGES))
    await platform.patch(`/v1/organizations/acme/users/${id}`, { firstName: 'Ada' }).expect(200);
  const read = (await usersRead()) - before;
  // Without statistics all indexes that begin with the tenant look alike, so that a look-up may read a small tenant's users once.
  expect(read / CHANGES).toBeLessThan(4 * USERS);
});
