import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { isId } from '#platform/common';
import { userSearchText } from '../../libs/directory/memberships/src/directory-user.js';
import { countDifferences } from '../support/counts.js';
import { testApp } from '../support/test-app.js';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

describe('npm run seed', () => {
  const app = testApp();

  const seed = async (...args: string[]): Promise<string> => {
    const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: app.config.databaseUrl };
    const { stdout } = await run(process.execPath, ['scripts/seed.mjs', ...args], { cwd: ROOT, env });
    return /under "([a-z0-9-]+)"/.exec(stdout)![1]!;
  };

  const totals = async (): Promise<{ users: number; organizations: number }> => {
    const [row] = await app.database.query<{ users: number; organizations: number }>(
      'SELECT (SELECT count(*) FROM users)::int AS users, (SELECT count(*) FROM organizations)::int AS organizations',
    );
    return row!;
  };

  it('inserts consistent rows', async () => {
    const before = await totals();
    const slugs = [await seed('--users', '2000', '--organizations', '30'), await seed('--users', '40', '--organizations', '3')];
    expect(new Set(slugs).size).toBe(2);
    expect(await countDifferences(app.database)).toEqual([]);
    const after = await totals();
    expect([after.users - before.users, after.organizations - before.organizations]).toEqual([2_040, 33]);

    const ids = await app.database.query<{ id: string; created_at: Date }>('SELECT id, created_at FROM users ORDER BY id');
    expect(ids.filter(({ id }) => !isId('user', id))).toEqual([]);
    const own = await app.database.query<{ id: string }>(
      'SELECT id FROM users WHERE tenant_id = (SELECT tenant_id FROM organizations WHERE slug = $1) ORDER BY created_at',
      [slugs[0]],
    );
    expect(own).toEqual([...own].sort((a, b) => (a.id < b.id ? -1 : 1)));
    const rows = await app.database.query<{
      email: string;
      first_name: string;
      last_name: string;
      display_name: string | null;
      search_text: string;
    }>(
      'SELECT u.email, u.first_name, u.last_name, u.display_name, e.search_text FROM users u JOIN directory_entries e ON e.tenant_id = u.tenant_id AND e.user_id = u.id',
    );
    const differing = rows.filter(
      ({ email, first_name: firstName, last_name: lastName, display_name: displayName, search_text }) =>
        userSearchText({ email, firstName, lastName, displayName }) !== search_text,
    );
    expect(differing).toEqual([]);
  });

  it('creates data that the API can read and change', async () => {
    const slug = await seed('--users', '300', '--organizations', '7');
    const at = `/v1/organizations/${slug}`;
    const { body } = await app.api.platform.get(`${at}/users?limit=100`).expect(200);
    expect(body.data.length).toBeGreaterThan(20);
    for (const { id } of body.data.slice(0, 5)) await app.api.platform.get(`${at}/users/${id}`).expect(200);
    const owner = (await app.api.platform.get(`${at}/users?role=owner`)).body.data;
    expect(owner).toHaveLength(1);
    const managed = body.data.find(({ id }: { id: string }) => id !== owner[0].id);
    await app.api.platform.post(`${at}/users/${managed.id}/suspend`, {}).expect(200);
    await app.api.platform.post(`${at}/users`, { email: 'new@example.com', roles: ['billing'] }).expect(201);
    expect((await app.api.platform.get(`${at}/hierarchy`).expect(200)).body.data.children ?? []).toHaveLength(5);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it.each([
    ['--users', '1000001'],
    ['--color', 'red'],
  ])('rejects %s %s', (...args) => expect(seed(...args)).rejects.toMatchObject({ code: 1 }));
});
