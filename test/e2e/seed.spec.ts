import { describe, expect, it } from '@jest/globals';
import { isId } from '#platform/common';
import { userSearchText } from '../../libs/directory/memberships/src/directory-user.js';
import { countDifferences } from '../support/counts.js';
import type { TestBody } from '../support/http-client.js';
import { made, read } from '../support/organizations.js';
import { seedUsers } from '../support/seeded-users.js';
import { testApp } from '../support/test-app.js';

describe('npm run seed', () => {
  const app = testApp();

  it('inserts consistent rows that the API can read and change', async () => {
    const slugs = [await seedUsers(app, 2_000, 30), await seedUsers(app, 40, 3)];
    expect(new Set(slugs).size).toBe(2);
    expect(await countDifferences(app.database)).toEqual([]);
    const [totals] = await app.database.query(
      'SELECT (SELECT count(*) FROM users)::int AS users, (SELECT count(*) FROM organizations)::int AS organizations',
    );
    expect(totals).toEqual({ users: 2_040, organizations: 33 });

    const ids = await app.database.query<{ id: string; created_at: Date }>('SELECT id, created_at FROM users ORDER BY id');
    expect(ids.filter(({ id }) => !isId('user', id))).toEqual([]);
    const own = await app.database.query<{ id: string }>(
      'SELECT id FROM users WHERE tenant_id = (SELECT tenant_id FROM organizations WHERE slug = $1) ORDER BY created_at',
      [slugs[0]],
    );
    expect(own).toEqual([...own].sort((a, b) => (a.id < b.id ? -1 : 1)));
    const rows = await app.database.query<Parameters<typeof userSearchText>[0] & { stored: string }>(
      `SELECT u.email, u.first_name AS "firstName", u.last_name AS "lastName", u.display_name AS "displayName", e.search_text AS stored
       FROM users u JOIN directory_entries e ON e.tenant_id = u.tenant_id AND e.user_id = u.id`,
    );
    expect(rows.filter((user) => userSearchText(user) !== user.stored)).toEqual([]);

    // The API can read and change the data.
    const at = `/v1/organizations/${slugs[1]}`;
    const users: TestBody[] = await read(app, `${at}/users?limit=100`);
    expect(users.length).toBeGreaterThan(5);
    const [owner, ...more] = await read(app, `${at}/users?role=owner`);
    expect(more).toEqual([]);
    const managed = users.find(({ id }) => id !== owner.id);
    await app.api.platform.post(`${at}/users/${managed.id}/suspend`, {}).expect(200);
    await made(app, `${at}/users`, { email: 'new@example.com', roles: ['billing'] });
    expect((await read(app, `${at}/hierarchy`)).children).toHaveLength(2);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('rejects too many users', () => expect(seedUsers(app, 1_000_001)).rejects.toMatchObject({ code: 1 }));
});
