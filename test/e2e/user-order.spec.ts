import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';

interface Person {
  id: string;
  email: string;
  /** Milliseconds since 1970; -Infinity means never. */
  lastLogin: number;
  created: number;
}

const SORTS = ['-createdAt', 'createdAt', '-lastLoginAt', 'lastLoginAt', '-email', 'email'] as const;
const HOUR_MS = 3_600_000;

describe('the sorted user list', () => {
  let app: TestApp;
  const people: Person[] = [];
  const path = '/v1/organizations/acme/users';

  beforeAll(async () => {
    app = await startApp();
    await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    const start = Date.parse('2026-01-01T00:00:00.000Z');
    for (let index = 0; index < 30; index++) {
      const email = `${String.fromCharCode(97 + ((index * 7) % 26))}${index % 3}-${index}@example.com`;
      const { id } = (await app.api.platform.post(path, { email }).expect(201)).body.data as { id: string };
      // Some users never signed in, and some signed in at the same time.
      const lastLogin = index % 4 === 0 ? -Infinity : start + (index % 5) * HOUR_MS;
      const created = start + index * HOUR_MS;
      const login = lastLogin === -Infinity ? null : new Date(lastLogin);
      await app.database.query('UPDATE users SET last_login_at = $2, created_at = $3 WHERE id = $1', [
        id,
        login,
        new Date(created),
      ]);
      await app.database.query('UPDATE directory_entries SET last_login_at = $2 WHERE user_id = $1', [id, login]);
      people.push({ id, email, lastLogin, created });
    }
  });
  afterAll(() => app.close());

  const key = (person: Person, field: string): number | string =>
    field === 'email' ? person.email : field === 'lastLoginAt' ? person.lastLogin : person.id;
  const order = (sort: string) => (a: Person, b: Person) => {
    const [left, right] = [key(a, sort.replace('-', '')), key(b, sort.replace('-', ''))];
    const ascending = left < right ? -1 : left > right ? 1 : a.id < b.id ? -1 : 1;
    return sort.startsWith('-') ? -ascending : ascending;
  };
  const sorted = (sort: string): string[] => [...people].sort(order(sort)).map(({ id }) => id);
  const get = async (query: string) => (await app.api.platform.get(`${path}?${query}`).expect(200)).body;
  const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

  it.each(SORTS)('is ordered by %s on every page', async (sort) => {
    expect(idsOf(await get(`sort=${sort}&limit=100`))).toEqual(sorted(sort));
    const numbered = await Promise.all([1, 2, 3, 4, 5].map((page) => get(`sort=${sort}&limit=7&page=${page}`)));
    expect(numbered.flatMap(idsOf)).toEqual(sorted(sort));

    const walked: string[] = [];
    for (let page = 1; ; page++) {
      const response = await get(`sort=${sort}&limit=7${walked.length > 0 ? `&after=${walked.at(-1)}` : ''}`);
      expect(response.pagination).toEqual({ total: people.length, page, limit: 7, hasMore: page < 5 });
      walked.push(...idsOf(response));
      if (!response.pagination.hasMore) break;
    }
    expect(walked).toEqual(sorted(sort));
  });

  it('keeps the order with filters', async () => {
    const some = people.filter(({ email }) => email.includes('1-2'));
    expect(idsOf(await get('sort=email&search=1-2&limit=100'))).toEqual([...some].sort(order('email')).map(({ id }) => id));
  });

  it('omits users created exactly at createdAfter or createdBefore', async () => {
    const [from, to] = [people[9]!.created, people[20]!.created];
    const between = people.filter(({ created }) => created > from && created < to).map(({ id }) => id);
    const query = `createdAfter=${new Date(from).toISOString()}&createdBefore=${new Date(to).toISOString()}`;
    const response = await get(`${query}&sort=createdAt&limit=4`);
    expect(idsOf(response)).toEqual(between.slice(0, 4));
    expect(response.pagination.total).toBe(between.length);
    const rejected = await app.api.platform.get(`${path}?createdAfter=yesterday`).expect(400);
    expect(rejected.body.errors).toMatchObject([{ pointer: '/createdAfter', code: 'invalid_time' }]);
  });

  it('rejects a deleted user as the cursor unless sorted by creation', async () => {
    const { id } = (await app.api.platform.post(path, { email: 'gone@example.com' }).expect(201)).body.data as { id: string };
    await app.api.platform.delete(`${path}/${id}?permanent=true`).expect(204);
    for (const sort of ['email', '-lastLoginAt']) {
      const rejected = await app.api.platform.get(`${path}?sort=${sort}&after=${id}`).expect(400);
      expect(rejected.body.code).toBe('cursor_gone');
    }
    expect(idsOf(await get(`after=${id}&limit=100`))).toEqual(sorted('-createdAt'));
  });
});
