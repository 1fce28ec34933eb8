// Processor time: PostgreSQL stores and analyzes a directory with 10,000 users.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { createBigTree } from '../support/big-tree.js';
import { eventually } from '../support/delivery-app.js';
import { momentOf } from '../support/history.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { keyClient, read } from '../support/organizations.js';
import { type PlanNode, rowsRead, StatementRecorder } from '../support/plans.js';
import type { ScimClient } from '../support/scim.js';
import { manageByScim, seedUsers } from '../support/seeded-users.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';

const SMALL = 400;
const LARGE = Number(process.env['LARGE_DIRECTORY'] ?? sized(10_000, 40_000, 40_000));
const OTHER_TENANTS = 500;
const SEED_TIMEOUT_MS = 20 * 60_000;
/** Tables whose size depends on the number of users. */
const HISTORIES = ['users', 'directory_entries', 'role_assignments', 'memberships', 'group_members'];
const TABLES = new Set([...HISTORIES.flatMap((table) => [table, `${table}_history`]), 'scim_users', 'scim_preview_users']);

const numberedEmails = (count: number): string[] => Array.from({ length: count }, (_, number) => `user-${number}@example.com`);

/** Creates users of the organization with these email addresses, or changes them. */
async function importUsers(app: TestApp, slug: string, emails: readonly string[], fields = {}): Promise<void> {
  const lines = emails.map((email) => JSON.stringify({ email, ...fields })).join('\n');
  const type = { 'content-type': 'application/x-ndjson' };
  const { body } = await app.api.platform.raw('POST', `/v1/organizations/${slug}/users/import`, lines, type).expect(200);
  expect(body).toContain('"failed":0');
}

interface Directory {
  readonly slug: string;
  readonly users: number;
  readonly scim: ScimClient;
  /** The ID of a group with a role, whose members are all users. */
  readonly everybody: string;
  readonly sales: string;
}

describe('a large directory', () => {
  const recorder = new StatementRecorder();
  // Workers would add statements.
  const app = testApp({ role: 'api' });
  let small: Directory;
  let large: Directory;
  beforeAll(async () => {
    // The planner statistics describe tables with a large tenant, a small one and many tiny ones.
    small = await createDirectory(SMALL);
    large = await createDirectory(LARGE);
    await addOtherTenants();
    await app.database.query(`ANALYZE ${[...TABLES].join(', ')}`);
    await setVisiblePages('relpages');
  }, SEED_TIMEOUT_MS);
  afterAll(() => recorder.stop());

  async function createDirectory(users: number): Promise<Directory> {
    const slug = await seedUsers(app, users);
    const scim = await manageByScim(app, slug);
    const { id } = await userInTheMiddle(slug, users);
    const group = async (displayName: string, ...members: object[]): Promise<string> =>
      (await scim.post('/Groups', { displayName, members }).expect(201)).body.id;
    const [everybody, sales] = [await group('Everybody'), await group('Sales', { value: id })];
    await app.api.platform.post(`/v1/organizations/${slug}/groups/${everybody}/roles`, { roleId: 'viewer' }).expect(201);
    const rows = `SELECT u.tenant_id, $1, u.id, u.organization_id, now(), 'system', NULL`;
    const members = `FROM users u WHERE u.managed_by = $2`;
    const parameters = [everybody, scim.connectionId];
    await app.database.query(`INSERT INTO group_members ${rows} ${members}`, parameters);
    await app.database.query(`INSERT INTO group_members_history ${rows}, now(), 'infinity' ${members}`, parameters);
    await app.database.query(
      `INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
       SELECT u.tenant_id, u.organization_id, $1, u.status, count(*) ${members} GROUP BY 1, 2, 4`,
      parameters,
    );
    return { slug, users, scim, everybody, sales };
  }

  /** Sets the visibility map's size, which changes the cost of index-only scans. VACUUM sets it to `relpages`. */
  const setVisiblePages = (pages: 'relpages' | '0'): Promise<unknown> =>
    app.database.query(`UPDATE pg_class SET relallvisible = ${pages} WHERE relname = ANY ($1)`, [[...TABLES]]);

  /** Adds tenants with one directory entry each, without the rows that it refers to. Only the planner sees them. */
  const addOtherTenants = (): Promise<unknown> =>
    app.database.query(`
      SET session_replication_role = replica;
      INSERT INTO directory_entries SELECT other.*
      FROM (SELECT * FROM directory_entries LIMIT 1) entry, generate_series(1, ${OTHER_TENANTS}) AS number,
        jsonb_populate_record(NULL::directory_entries,
          to_jsonb(entry) || jsonb_build_object('tenant_id', 'org_' || number, 'organization_id', 'org_' || number, 'user_id', 'usr_' || number)) AS other;
      RESET session_replication_role`);

  async function userInTheMiddle(slug: string, users: number): Promise<{ id: string; email: string }> {
    const [user] = await app.database.query<{ id: string; email: string }>(
      `SELECT u.id, u.email FROM users u JOIN organizations o ON o.tenant_id = u.tenant_id AND o.id = u.organization_id
       WHERE o.slug = $1 ORDER BY u.id OFFSET $2 LIMIT 1`,
      [slug, users / 2],
    );
    return user!;
  }

  const searcher = (slug: string): Promise<TestClient> => keyClient(app, slug, ['*']);

  type Place = Pick<Directory, 'slug' | 'users'> & Partial<Directory>;

  /** Returns the path with the values of the directory. The cursor of SCIM also contains the number of all results. */
  async function pathIn({ slug, users, everybody = '', sales = '' }: Place, path: string): Promise<string> {
    const { id, email } = await userInTheMiddle(slug, users);
    return path
      .replace('EVERYBODY', everybody)
      .replace('SALES', sales)
      .replace(/ID|MIDDLE/, id)
      .replace('EMAIL', encodeURIComponent(email))
      .replace('CURSOR', Buffer.from(`${id} 400`).toString('base64url'));
  }

  /** Sends the request. Returns the plan nodes of all its statements, with the number of rows that each node read. */
  const plansOf = (path: string, body?: object): Promise<PlanNode[]> =>
    recorder.plansOf(app.database, () => (body ? app.api.platform.post(path, body) : app.api.platform.get(path)).expect(200));

  async function expectFewRows(place: Place, path: string, mostRows: number): Promise<void> {
    expectFew(await plansOf(`/v1/organizations/${place.slug}${await pathIn(place, path)}`), place, mostRows);
  }

  async function expectFewRowsOfCheck(place: Place, permission: string, query = ''): Promise<void> {
    const { id: userId } = await userInTheMiddle(place.slug, place.users);
    expectFew(await plansOf(`/v1/organizations/${place.slug}/permissions/check${query}`, { userId, permission }), place, 100);
  }

  async function expectFewRowsOfScim(directory: Directory, query: string): Promise<void> {
    const path = encodeURI(decodeURIComponent(await pathIn(directory, query)));
    const nodes = await recorder.plansOf(app.database, () => directory.scim.get(path).expect(200));
    expectFew(nodes, directory, directory === large ? 500 : SMALL);
  }

  function expectFew(nodes: readonly PlanNode[], { slug }: Place, mostRows: number): void {
    const onLarge = nodes.filter((node) => TABLES.has(node['Relation Name'] ?? ''));
    if (slug !== small.slug) expect(onLarge.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(Math.max(0, ...onLarge.map(rowsRead))).toBeLessThanOrEqual(mostRows);
  }

  // The maximum number of rows per query. A search in a small organization can read all users.
  const READS: [string, number][] = [
    ['', 100],
    ['?after=MIDDLE', 1_500],
    ['?status=suspended', 100],
    ['?status=active&after=MIDDLE', 1_500],
    ['?role=viewer', 100],
    ['?role=owner', 100],
    ['?role=billing&status=suspended', 100],
    ['?role=member&after=MIDDLE', 1_500],
    ['?email=EMAIL', 100],
    ['?search=quzzlewick', SMALL],
    ['?search=EMAIL', SMALL],
    ['?managed=true', 100],
    ['?managed=false', 100],
    ['?includeDescendants=true', 100],
    ['?includeDescendants=true&managed=true&status=active', 100],
    ['?includeDescendants=true&after=MIDDLE', 1_500],
    ['?includeDescendants=true&sort=email', 100],
    ['?includeDescendants=true&search=EMAIL', SMALL],
    ['?includeDescendants=true&email=EMAIL', 100],
    ['/ID', 100],
  ];
  const CASES = (['recently written', 'vacuumed'] as const).flatMap((pages) => READS.map((read) => [...read, pages] as const));
  it.each(CASES)('answers "%s" with at most %i rows of each table (%s)', async (query, mostRows, pages) => {
    if (pages === 'recently written') await setVisiblePages('0');
    for (const directory of [small, large]) await expectFewRows(directory, `/users${query}`, mostRows);
    await setVisiblePages('relpages');
  });

  it.each([
    ['/groups?', 100],
    ['/groups/EVERYBODY?', 100],
    ['/groups/EVERYBODY/members?', SMALL],
    ['/groups/EVERYBODY/members?after=MIDDLE', 1_500],
    ['/groups/EVERYBODY/members?search=EMAIL', SMALL],
    ['/users/ID/groups?', 100],
  ])('answers "%s" with at most %i rows of each table', async (path, mostRows) => {
    for (const directory of [small, large]) await expectFewRows(directory, path, mostRows);
  });

  it.each(['quzzlewick', 'EMAIL', 'ID'])('searches everything for "%s" with few rows of each table', async (term) => {
    for (const directory of [small, large]) {
      const [client, path] = [await searcher(directory.slug), await pathIn(directory, `/v1/search?q=${term}`)];
      expectFew(await recorder.plansOf(app.database, () => client.get(path).expect(200)), directory, SMALL);
    }
  });

  it('checks a permission with at most 100 rows of each table', async () => {
    for (const directory of [small, large]) await expectFewRowsOfCheck(directory, 'webhooks:read');
  });

  const LOOKUPS = [
    '/Users/ID',
    '/Users?filter=id eq "ID"',
    '/Users?filter=userName eq "EMAIL"',
    '/Users?filter=externalId eq "ext-ID"',
    '/Users?filter=emails.value eq "other.EMAIL"',
    '/Users?filter=emails[type eq "work" and value eq "EMAIL"]',
  ];
  it.each([
    ...LOOKUPS,
    '/Users?filter=userName eq "EMAIL" and active eq true',
    '/Users?count=50&cursor=CURSOR',
    '/Groups?excludedAttributes=members',
    '/Groups/SALES',
    '/Groups?filter=displayName eq "Sales"',
    '/Groups?filter=members.value eq "ID"&excludedAttributes=members',
  ])('answers the SCIM request "%s" with few rows of each table', async (query) => {
    for (const directory of [small, large]) await expectFewRowsOfScim(directory, query);
  });

  describe('as of a moment', () => {
    const CHANGED = 50;
    let moment: string;
    /** A small organization in the tenant of the large one. Its reads must not read the directory of the tenant. */
    const child = { slug: 'small-child', users: CHANGED };
    beforeAll(async () => {
      const parent = await app.api.platform.get(`/v1/organizations/${large.slug}`).expect(200);
      const fields = { name: 'Child', slug: child.slug, parentId: parent.body.data.id };
      await app.api.platform.post('/v1/organizations', fields).expect(201);
      await importUsers(app, child.slug, numberedEmails(CHANGED));
      moment = await momentOf(app.database);
      for (const { slug } of [small, large, child]) {
        const { body } = await app.api.platform.get(`/v1/organizations/${slug}/users?limit=${CHANGED}`).expect(200);
        const emails = (body.data as { email: string }[]).map(({ email }) => email);
        await importUsers(app, slug, emails, { displayName: 'Changed' });
      }
      await app.database.query(`ANALYZE ${[...TABLES].join(', ')}`);
    });

    // In a small organization, a list can read all users and their changes.
    it.each([
      ['/users/ID?', 100],
      ['/users?', SMALL],
      ['/users?status=active&', SMALL],
      ['/users?after=MIDDLE&', 1_600],
      ['/members?', SMALL],
      ['/hierarchy?', SMALL],
      ['/settings?', 100],
    ])('answers "%s" with at most %i rows of each table', async (path, mostRows) => {
      for (const place of [small, large, child]) await expectFewRows(place, `${path}asOf=${moment}`, mostRows);
    });

    it('searches a child organization without reading the directory of the tenant, even for a text that all users have', async () => {
      const client = await searcher(child.slug);
      const nodes = await recorder.plansOf(app.database, () => client.get('/v1/search?q=example').expect(200));
      expectFew(nodes, child, SMALL);
    });

    it('checks a permission with at most 100 rows of each table', async () => {
      for (const place of [small, large, child]) await expectFewRowsOfCheck(place, 'users:read', `?asOf=${moment}`);
    });
  });

  describe('a tenant with many organizations', () => {
    const ORGANIZATIONS = sized(1_000, 10_000, 10_000);
    /** The end of the statement with which the guard reads the organization in the path. */
    const LOOKUP_BY_KEY = 'FROM organizations o WHERE o.tenant_id = $1 AND o.id = $2 AND o.deleted_at IS NULL';
    const TREE_TABLES = ['organizations', 'organizations_history'];
    let path: string;
    let userId: string;
    let moment: string;
    beforeAll(async () => {
      const { rootId, deepestId } = await createBigTree(app, { organizations: ORGANIZATIONS, depth: 6 });
      const versions = `INSERT INTO organizations_history SELECT o.*, now(), 'infinity' FROM organizations o WHERE tenant_id = $1 AND id <> $1`;
      await app.database.query(versions, [rootId]);
      await app.database.query(`ANALYZE ${TREE_TABLES.join(', ')}`);
      path = `/v1/organizations/${deepestId}`;
      userId = (await app.api.platform.post(`${path}/users`, { email: 'leaf@example.com' }).expect(201)).body.data.id;
      moment = await momentOf(app.database);
    });

    it('reads the hierarchy, and the settings of the deepest organization, in one statement each', async () => {
      const hierarchy = await read(app, '/v1/organizations/root/hierarchy');
      const count = ({ children }: TestBody): number => children.map(count).reduce((sum: number, each: number) => sum + each, 1);
      const depth = ({ children }: TestBody): number => 1 + Math.max(0, ...children.map(depth));
      expect([count(hierarchy), depth(hierarchy)]).toEqual([ORGANIZATIONS, 6]);
      for (const asked of ['/v1/organizations/root/hierarchy', `${path}/settings`]) {
        const statements = await recorder.statementsOf(() => app.api.platform.get(asked).expect(200));
        const ofTree = statements.filter((sql) => sql.includes('organizations') && !sql.includes('api_keys'));
        expect(ofTree.filter((sql) => !sql.endsWith(LOOKUP_BY_KEY))).toHaveLength(1);
      }
    });

    it.each(['', '/hierarchy', '/settings', '/roles', '/permissions/check'])(
      'answers "%s" of a leaf as of a moment with at most 100 organizations',
      async (rest) => {
        const body = rest === '/permissions/check' ? { userId, permission: 'users:read' } : undefined;
        const nodes = await plansOf(`${path}${rest}?asOf=${moment}`, body);
        const ofTree = nodes.filter((node) => TREE_TABLES.includes(node['Relation Name'] ?? ''));
        expect(ofTree.length).toBeGreaterThan(0);
        expect(Math.max(...ofTree.map(rowsRead))).toBeLessThanOrEqual(100);
      },
    );
  });

  describe('in the preview of a SCIM connection', () => {
    beforeAll(async () => {
      const { slug, scim } = large;
      await app.api.platform.post(`/v1/organizations/${slug}/scim-connections/${scim.connectionId}/start-preview`).expect(200);
      await app.database.query(
        `INSERT INTO scim_preview_users (tenant_id, connection_id, user_id, action, deleted, active, email, email_key, email_keys,
           user_name, user_name_key, external_id, fields, attributes, created_at, updated_at)
         SELECT s.tenant_id, s.connection_id, s.user_id, 'update', false, true, u.email, u.email_key, s.email_keys, s.user_name,
           s.user_name_key, s.external_id, '{}', s.attributes, s.updated_at, s.updated_at
         FROM scim_users s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id WHERE s.connection_id = $1`,
        [scim.connectionId],
      );
      await app.database.query('ANALYZE scim_preview_users, scim_connections');
    }, SEED_TIMEOUT_MS);
    afterAll(async () => {
      await app.database.query('DELETE FROM scim_preview_users');
      await app.database.query(`UPDATE scim_connections SET mode = 'active' WHERE id = $1`, [large.scim.connectionId]);
    });

    it.each(LOOKUPS)('answers "%s" with few rows of each table', (query) => expectFewRowsOfScim(large, query));
  });
});

describe('a new database', () => {
  const USERS = 200;
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

  it('reads few rows for a change of a user before the tables have statistics', async () => {
    const { platform } = app.api;
    await platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    for (let number = 0; number < ORGANIZATIONS; number++)
      await platform.post('/v1/organizations', { name: 'Below', slug: `below-${number}`, parentId: 'acme' }).expect(201);
    await importUsers(app, 'acme', numberedEmails(USERS));
    const { body } = await platform.get(`/v1/organizations/acme/users?limit=${CHANGES}`).expect(200);
    const before = await usersRead();
    for (const { id } of body.data as { id: string }[])
      await platform.patch(`/v1/organizations/acme/users/${id}`, { firstName: 'Ada' }).expect(200);
    const read = (await usersRead()) - before;
    // Without statistics, all indexes on the tenant have the same cost. A lookup can therefore read all users of a small tenant.
    expect(read / CHANGES).toBeLessThan(5 * USERS);
  });
});
