import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { createBigTree } from '../support/big-tree.js';
import { momentOf } from '../support/history.js';
import { type PlanNode, rowsRead, StatementRecorder } from '../support/plans.js';
import { seedUsers } from '../support/seeded-users.js';

const SMALL = 400;
const LARGE = Number(process.env['LARGE_DIRECTORY'] ?? 40_000);
const OTHER_TENANTS = 500;
/** Tables whose size depends on the number of users. */
const TABLES = ['users', 'directory_entries', 'role_assignments', 'memberships', 'group_members'];
const LARGE_TABLES = new Set(TABLES.flatMap((table) => [table, `${table}_history`]));

describe('a large directory', () => {
  const recorder = new StatementRecorder();
  let app: TestApp;
  let small: string;
  let large: string;
  const groups = new Map<string, string>();
  beforeAll(async () => {
    app = await startApp();
    // The planner statistics describe tables with a large tenant, a small one and many tiny ones.
    small = await seedUsers(app, SMALL);
    large = await seedUsers(app, LARGE);
    await addOtherTenants();
    for (const slug of [small, large]) groups.set(slug, await addGroupOfAll(slug));
    await app.database.query(`ANALYZE ${[...LARGE_TABLES].join(', ')}`);
  });
  afterAll(async () => {
    recorder.stop();
    await app.close();
  });

  /** Adds tenants with one directory entry each, without the rows that it refers to. Only the planner sees them. */
  const addOtherTenants = (): Promise<unknown> =>
    app.database.query(`
      SET session_replication_role = replica;
      INSERT INTO directory_entries SELECT other.*
      FROM (SELECT * FROM directory_entries LIMIT 1) entry, generate_series(1, ${OTHER_TENANTS}) AS number,
        jsonb_populate_record(NULL::directory_entries,
          to_jsonb(entry) || jsonb_build_object('tenant_id', 'org_' || number, 'organization_id', 'org_' || number)) AS other;
      RESET session_replication_role`);

  /** Adds a group with a role, whose members are all users, and two small groups. Returns the ID of the first. */
  const addGroupOfAll = async (slug: string): Promise<string> => {
    const path = `/v1/organizations/${slug}/groups`;
    const { body } = await app.api.platform.post(path, { name: 'Everybody' }).expect(201);
    const { id, organizationId } = body.data;
    await app.api.platform.post(`${path}/${id}/roles`, { roleId: 'viewer' }).expect(201);
    for (const name of ['Empty', 'Also empty']) await app.api.platform.post(path, { name }).expect(201);
    const rows = `SELECT tenant_id, $1, user_id, organization_id, now(), 'system', NULL`;
    const members = `FROM memberships WHERE organization_id = $2`;
    await app.database.query(`INSERT INTO group_members ${rows} ${members}`, [id, organizationId]);
    await app.database.query(`INSERT INTO group_members_history ${rows}, now(), 'infinity' ${members}`, [id, organizationId]);
    await app.database.query(
      `INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
       SELECT tenant_id, organization_id, $1, status, count(*) FROM directory_entries WHERE organization_id = $2 AND member GROUP BY 1, 2, 4`,
      [id, organizationId],
    );
    return id;
  };

  /** Sends the request. Returns the plan nodes of all its statements, with the number of rows that each node read. */
  const plansOf = (path: string, body?: object): Promise<PlanNode[]> =>
    recorder.plansOf(app.database, () => (body ? app.api.platform.post(path, body) : app.api.platform.get(path)).expect(200));

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
    ['/ID', 100],
  ];
  // The visibility map changes the cost of index-only scans.
  const CASES = (['recently written', 'vacuumed'] as const).flatMap((pages) => READS.map((read) => [...read, pages] as const));
  it.each(CASES)('answers "%s" with at most %i rows of each table (%s)', async (query, mostRows, pages) => {
    const visible = pages === 'vacuumed' ? 'relpages' : '0';
    await app.database.query(`UPDATE pg_class SET relallvisible = ${visible} WHERE relname = ANY ($1)`, [[...LARGE_TABLES]]);
    for (const [slug, users] of directories()) {
      const { id, email } = await userInTheMiddle(slug, users);
      const path = query.replace('MIDDLE', id).replace('EMAIL', encodeURIComponent(email)).replace('ID', id);
      expectFewRows(await plansOf(`/v1/organizations/${slug}/users${path}`), slug, mostRows);
    }
  });

  describe('with a group of all members', () => {
    it.each([
      ['/groups?', 100],
      ['/groups/GROUP?', 100],
      ['/groups/GROUP/members?', SMALL],
      ['/groups/GROUP/members?after=MIDDLE', 1_500],
      ['/groups/GROUP/members?search=EMAIL', SMALL],
      ['/users/ID/groups?', 100],
    ])('answers "%s" with at most %i rows of each table', async (query, mostRows) => {
      for (const [slug, users] of directories()) {
        const { id, email } = await userInTheMiddle(slug, users);
        const path = query.replace('GROUP', groups.get(slug)!).replace('MIDDLE', id).replace('ID', id);
        const nodes = await plansOf(`/v1/organizations/${slug}${path.replace('EMAIL', encodeURIComponent(email))}`);
        expectFewRows(nodes, slug, mostRows);
      }
    });

    it('checks a permission with at most 100 rows of each table', async () => {
      for (const [slug, users] of directories()) {
        const { id: userId } = await userInTheMiddle(slug, users);
        const path = `/v1/organizations/${slug}/permissions/check`;
        expectFewRows(await plansOf(path, { userId, permission: 'webhooks:read' }), slug, 100);
      }
    });
  });

  describe('as of a moment', () => {
    const CHANGED = 50;
    let moment: string;
    /** A small organization in the tenant of the large one. Its reads must not read the directory of the tenant. */
    let child: string;
    beforeAll(async () => {
      const parent = await app.api.platform.get(`/v1/organizations/${large}`).expect(200);
      const fields = { name: 'Child', slug: 'small-child', parentId: parent.body.data.id };
      child = (await app.api.platform.post('/v1/organizations', fields).expect(201)).body.data.slug;
      for (let count = 0; count < CHANGED; count++)
        await app.api.platform.post(`/v1/organizations/${child}/users`, { email: `child-${count}@example.com` }).expect(201);
      moment = await momentOf(app.database);
      for (const slug of [small, large, child]) {
        const { body } = await app.api.platform.get(`/v1/organizations/${slug}/users?limit=${CHANGED}`).expect(200);
        for (const { id } of body.data)
          await app.api.platform.patch(`/v1/organizations/${slug}/users/${id}`, { displayName: 'Changed' }).expect(200);
      }
      await app.database.query(`ANALYZE ${[...LARGE_TABLES].join(', ')}`);
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
    ])('answers "%s" with at most %i rows of each table', async (query, mostRows) => {
      for (const [slug, users] of [...directories(), [child, CHANGED] as const]) {
        const { id } = await userInTheMiddle(slug, users);
        const path = query.replace('MIDDLE', id).replace('ID', id);
        expectFewRows(await plansOf(`/v1/organizations/${slug}${path}asOf=${moment}`), slug, mostRows);
      }
    });

    it('checks a permission with at most 100 rows of each table', async () => {
      for (const [slug, users] of [...directories(), [child, CHANGED] as const]) {
        const { id: userId } = await userInTheMiddle(slug, users);
        const path = `/v1/organizations/${slug}/permissions/check?asOf=${moment}`;
        expectFewRows(await plansOf(path, { userId, permission: 'users:read' }), slug, 100);
      }
    });
  });

  describe('as of a moment, in a tenant with many organizations', () => {
    const ORGANIZATIONS = 3_000;
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

    it.each(['', '/hierarchy', '/settings', '/roles'])('answers "%s" of a leaf with at most 100 organizations', async (rest) => {
      expectFewOrganizations(await plansOf(`${path}${rest}?asOf=${moment}`));
    });

    it('checks a permission in a leaf with at most 100 organizations', async () => {
      expectFewOrganizations(await plansOf(`${path}/permissions/check?asOf=${moment}`, { userId, permission: 'users:read' }));
    });

    const expectFewOrganizations = (nodes: readonly PlanNode[]): void => {
      const ofTree = nodes.filter((node) => TREE_TABLES.includes(node['Relation Name'] ?? ''));
      expect(ofTree.length).toBeGreaterThan(0);
      expect(Math.max(...ofTree.map(rowsRead))).toBeLessThanOrEqual(100);
    };
  });

  const directories = (): readonly [string, number][] => [
    [small, SMALL],
    [large, LARGE],
  ];

  async function userInTheMiddle(slug: string, users: number): Promise<{ id: string; email: string }> {
    const [user] = await app.database.query<{ id: string; email: string }>(
      `SELECT u.id, u.email FROM users u JOIN organizations o ON o.tenant_id = u.tenant_id AND o.id = u.organization_id
       WHERE o.slug = $1 ORDER BY u.id OFFSET $2 LIMIT 1`,
      [slug, users / 2],
    );
    return user!;
  }

  function expectFewRows(nodes: readonly PlanNode[], slug: string, mostRows: number): void {
    const onLarge = nodes.filter((node) => LARGE_TABLES.has(node['Relation Name'] ?? ''));
    if (slug !== small) expect(onLarge.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(Math.max(0, ...onLarge.map(rowsRead))).toBeLessThanOrEqual(mostRows);
  }
});
