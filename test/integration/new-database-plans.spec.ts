import { expect, it } from '@jest/globals';
import { eventually } from '../support/delivery-app.js';
import { testApp } from '../support/test-app.js';

const USERS = 400;
const CONCURRENCY = 20;
const ORGANIZATIONS = 30;
const CHANGES = 10;

const app = testApp();

/** Returns the number of rows that ended connections have read from the table `users`. */
async function usersRead(): Promise<number> {
  const ended = await app.database.query<{ pid: number }>(
    'SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  const pids = ended.map(({ pid }) => pid);
  const haveEnded = async () =>
    (await app.database.query('SELECT FROM pg_stat_activity WHERE pid = ANY ($1::int[])', [pids])).length === 0;
  await eventually(haveEnded, 20_000, 'the connections have ended');
  const [row] = await app.database.query<{ count: string }>(
    `SELECT idx_tup_fetch + seq_tup_read AS count FROM pg_stat_user_tables WHERE relname = 'users'`,
  );
  return Number(row!.count);
}

it('a change of a user reads few rows before the tables have statistics', async () => {
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
  while (ids.length < USERS) await Promise.all(Array.from({ length: CONCURRENCY }, create));
  const before = await usersRead();
  for (const id of ids.slice(-CHANGES))
    await platform.patch(`/v1/organizations/acme/users/${id}`, { firstName: 'Ada' }).expect(200);
  const read = (await usersRead()) - before;
  // Without statistics, all indexes on the tenant have the same cost. A lookup can therefore read all users of a small tenant.
  expect(read / CHANGES).toBeLessThan(5 * USERS);
});
