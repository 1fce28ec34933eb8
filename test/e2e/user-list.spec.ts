import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';

interface ModelUser {
  id: string;
  email: string;
  names: string[];
  status: string;
  roles: string[];
}

const FIRST_NAMES = ['Ada', 'Zoë', 'Álvaro', 'Bo', 'ÇELIK', 'Jean-Luc', 'O’Neil', '100%', 'under_score', 'Ada'];
const LAST_NAMES = ['Lovelace', 'Ångström', 'da Silva', 'Li', 'Müller', 'Straße', 'Adams'];
const USER_COUNT = 50;

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Compares the list with a model of about 50 users. */
describe('the user list', () => {
  let app: TestApp;
  let organizationId: string;
  /** The users, newest first, like the list. */
  const model: ModelUser[] = [];

  const list = async (query: Record<string, string>, extra: Record<string, string> = { limit: '100' }): Promise<TestBody> =>
    (
      await app.api.platform
        .get(`/v1/organizations/${organizationId}/users?${new URLSearchParams({ ...query, ...extra })}`)
        .expect(200)
    ).body;
  const ids = (items: { id: string }[]): string[] => items.map(({ id }) => id);

  const matches: Record<string, (user: ModelUser, value: string) => boolean> = {
    status: (user, value) => user.status === value,
    email: (user, value) => user.email.toLowerCase() === value.toLowerCase(),
    role: (user, value) => user.roles.includes(value.replace('role_', '')),
    search: (user, value) => {
      const [first, last, display] = user.names;
      const texts = [user.email, first!, last!, display!, `${first} ${last}`].map(plain);
      const term = plain(value);
      if (term.length >= 3) return texts.some((text) => text.includes(term));
      return texts.some((text) => text.split(/[^\p{L}\p{N}%_]+/u).some((word) => word.startsWith(term)));
    },
  };
  const expected = (query: Record<string, string>): string[] =>
    ids(
      model.filter(
        (user) =>
          (query['status'] === 'deleted' || user.status !== 'deleted') &&
          Object.entries(query).every(([name, value]) => matches[name]!(user, value)),
      ),
    );

  beforeAll(async () => {
    app = await startApp();
    const parent = (await app.api.platform.post('/v1/organizations', { name: 'Parent' }).expect(201)).body.data.id;
    organizationId = (await app.api.platform.post('/v1/organizations', { name: 'Home', parentId: parent }).expect(201)).body.data
      .id;
    await app.api.platform
      .post(`/v1/organizations/${parent}/users`, { email: 'invisible@x.example', firstName: 'Ada' })
      .expect(201);
    for (let i = 0; i < USER_COUNT; i++) {
      const [firstName, lastName] = [FIRST_NAMES[i % FIRST_NAMES.length]!, LAST_NAMES[i % LAST_NAMES.length]!];
      const displayName = i % 4 === 0 ? `The ${i}th ${lastName}` : `Nick ${i}`;
      const roles = [['member'], ['admin'], ['admin', 'viewer'], ['viewer']][i % 4]!;
      const email = `Person.${i}@${i % 2 ? 'x' : 'y'}.example`;
      // Every fifth user is managed by the parent and a member of this organization.
      const managingId = i % 5 === 4 ? parent : organizationId;
      const { id } = (
        await app.api.platform
          .post(`/v1/organizations/${managingId}/users`, { email, firstName, lastName, displayName, roles })
          .expect(201)
      ).body.data;
      if (managingId === parent) {
        await app.api.platform.post(`/v1/organizations/${organizationId}/members`, { userId: id, role: roles[0] }).expect(201);
      }
      const status = ['pending', 'suspended', 'pending', 'deleted', 'pending', 'suspended', 'pending'][i % 7]!;
      const path = `/v1/organizations/${managingId}/users/${id}`;
      if (status === 'suspended') await app.api.platform.post(`${path}/suspend`).expect(200);
      if (status === 'deleted') await app.api.platform.delete(path).expect(204);
      model.unshift({
        id,
        email,
        names: [firstName, lastName, displayName],
        status,
        roles: managingId === parent ? [roles[0]!] : roles,
      });
    }
  }, 120_000);
  afterAll(() => app.close());

  const FILTERS: [string, string][] = [
    ['status', 'pending'],
    ['status', 'suspended'],
    ['status', 'active'],
    ['status', 'deleted'],
    ['role', 'role_admin'],
    ['role', 'viewer'],
    ['role', 'role_owner'],
    ['email', 'PERSON.7@x.example'],
    ['email', 'person.7@x'],
    ['search', 'ada'],
    ['search', 'ZOE'],
    ['search', 'angstr'],
    ['search', 'Da Silva'],
    ['search', 'ada lovelace'],
    ['search', 'person.1'],
    ['search', '@y.example'],
    ['search', '100%'],
    ['search', '%%%'],
    ['search', 'der_sc'],
    ['search', '___'],
    ['search', 'li'],
    ['search', 'B'],
    ['search', 'th'],
    ['search', 'nobody at all'],
  ];

  it.each(FILTERS)('filters by %s=%s', async (name, value) => {
    const { data, pagination } = await list({ [name]: value });
    expect(ids(data)).toEqual(expected({ [name]: value }));
    expect(pagination).toEqual({ total: data.length, page: 1, limit: 100, hasMore: false });
  });

  it('combines every pair of filters', async () => {
    for (const [first, firstValue] of FILTERS) {
      for (const [second, secondValue] of FILTERS) {
        if (first >= second) continue;
        const query = { [first]: firstValue, [second]: secondValue };
        const { data, pagination } = await list(query);
        expect([query, ids(data)]).toEqual([query, expected(query)]);
        expect(pagination.total).toBe(data.length);
      }
    }
  });

  it.each<[Record<string, string>]>([
    [{}],
    [{ status: 'pending' }],
    [{ role: 'admin' }],
    [{ search: 'person' }],
    [{ status: 'pending', role: 'viewer', search: 'x.ex' }],
  ])('returns equal pages of %j by cursor and page number', async (query) => {
    const expectedIds = expected(query);
    const limit = 4;
    const pages = Math.max(1, Math.ceil(expectedIds.length / limit));
    const walked: string[] = [];
    for (let page = 1; page <= pages; page++) {
      const byPage = await list(query, { limit: `${limit}`, page: `${page}` });
      const cursor: Record<string, string> = page === 1 ? {} : { after: walked.at(-1)! };
      const byCursor = await list(query, { limit: `${limit}`, ...cursor });
      expect(byCursor).toEqual(byPage);
      expect(byPage.pagination).toEqual({ total: expectedIds.length, page, limit, hasMore: page < pages });
      walked.push(...ids(byPage.data));
    }
    expect(walked).toEqual(expectedIds);
    const beyond = await list(query, { limit: `${limit}`, page: `${pages + 1}` });
    expect(beyond).toEqual({ data: [], pagination: { total: expectedIds.length, page: pages + 1, limit, hasMore: false } });
  });

  it('continues after a deleted user', async () => {
    const first = await list({}, { limit: '5' });
    const cursor = first.data.at(-1).id;
    const { id: added } = (
      await app.api.platform.post(`/v1/organizations/${organizationId}/users`, { email: 'meanwhile@x.example' }).expect(201)
    ).body.data;
    const second = await list({}, { limit: '5', after: cursor });
    expect(ids(second.data)).toEqual(expected({}).slice(5, 10));
    await app.api.platform.delete(`/v1/organizations/${organizationId}/users/${added}?permanent=true`).expect(204);
    const afterGone = await list({}, { limit: '5', after: added });
    expect(ids(afterGone.data)).toEqual(expected({}).slice(0, 5));
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=abc',
    'limit=5&limit=6',
    'page=0',
    'page=-1',
    'after=nonsense',
    'after=org_01kf2b7m9ze4k8s1t6w3a5y0pd',
    'status=unknown',
    'sort=name',
    'filter[status]=active',
    `search=${'x'.repeat(101)}`,
    'page=1&after=usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  ])('rejects the query %s', async (query) => {
    const rejected = await app.api.platform.get(`/v1/organizations/${organizationId}/users?${query}`).expect(400);
    expect(rejected.body.status).toBe(400);
  });
});
