import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { rowsRead, StatementRecorder } from '../support/plans.js';
import type { ScimClient } from '../support/scim.js';
import { seedScimUsers } from '../support/scim-directory.js';

const SMALL = 400;
const LARGE = Number(process.env['LARGE_DIRECTORY'] ?? 40_000);
const SEED_TIMEOUT_MS = 20 * 60_000;
/** The maximum number of rows that a node of a plan reads in the large directory. In the small one, it can read all users. */
const MOST_ROWS = 500;
/** Tables whose size depends on the number of users. */
const TABLES = new Set([
  'users',
  'scim_users',
  'directory_entries',
  'role_assignments',
  'memberships',
  'group_members',
  'scim_preview_users',
]);

describe('a large directory of a SCIM connection', () => {
  const recorder = new StatementRecorder();
  const groups = new Map<ScimClient, string>();
  let app: TestApp;
  let small: ScimClient;
  let large: ScimClient;
  beforeAll(async () => {
    app = await startApp();
    small = await seedScimUsers(app, SMALL);
    large = await seedScimUsers(app, LARGE);
    for (const scim of [small, large]) groups.set(scim, await createGroups(scim));
    await app.database.query(`ANALYZE ${[...TABLES].join(', ')}`);
  }, SEED_TIMEOUT_MS);
  afterAll(async () => {
    recorder.stop();
    await app?.close();
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
    '/Groups/SMALL_GROUP',
    '/Groups?filter=displayName eq "Sales"',
    '/Groups?filter=members.value eq "ID"&excludedAttributes=members',
  ])('answers "%s" with few rows of each table', async (query) => {
    for (const scim of [small, large]) await expectFewRows(scim, query);
  });

  describe('in preview', () => {
    beforeAll(async () => {
      const [connection] = await app.database.query<{ organization_id: string }>(
        'SELECT organization_id FROM scim_connections WHERE id = $1',
        [large.connectionId],
      );
      const path = `/v1/organizations/${connection!.organization_id}/scim-connections/${large.connectionId}/start-preview`;
      await app.api.platform.post(path).expect(200);
      await app.database.query(
        `INSERT INTO scim_preview_users (tenant_id, connection_id, user_id, action, deleted, active, email, email_key, email_keys,
           user_name, user_name_key, external_id, fields, attributes, created_at, updated_at)
         SELECT s.tenant_id, s.connection_id, s.user_id, 'update', false, true, u.email, u.email_key, s.email_keys, s.user_name,
           s.user_name_key, s.external_id, '{}', s.attributes, s.updated_at, s.updated_at
         FROM scim_users s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id WHERE s.connection_id = $1`,
        [large.connectionId],
      );
      await app.database.query('ANALYZE scim_preview_users, scim_connections');
    }, SEED_TIMEOUT_MS);

    it.each(LOOKUPS)('answers "%s" with few rows of each table', (query) => expectFewRows(large, query));
  });

  async function expectFewRows(scim: ScimClient, query: string): Promise<void> {
    const { id, email } = await userInTheMiddle(scim);
    const path = query
      .replace('ID', id)
      .replace('EMAIL', email)
      .replace('SMALL_GROUP', groups.get(scim)!)
      .replace('CURSOR', cursorAfter(id));
    const nodes = await recorder.plansOf(app.database, () => scim.get(encodeURI(path)).expect(200));
    const read = nodes.filter((node) => TABLES.has(node['Relation Name'] ?? ''));
    const scanned = read.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
    if (scim === large) expect(scanned).toEqual([]);
    expect(Math.max(0, ...read.map(rowsRead))).toBeLessThanOrEqual(scim === large ? MOST_ROWS : SMALL);
  }

  /** Creates a group with all users of the connection as its members, and a group with one member. Returns the ID of the second. */
  async function createGroups(scim: ScimClient): Promise<string> {
    const everybody = (await scim.post('/Groups', { displayName: 'Everybody' }).expect(201)).body.id;
    await app.database.query(
      `INSERT INTO group_members SELECT u.tenant_id, g.id, u.id, g.organization_id, now(), 'system', NULL
       FROM users u JOIN groups g ON g.tenant_id = u.tenant_id AND g.id = $1 WHERE u.managed_by = $2`,
      [everybody, scim.connectionId],
    );
    const { id } = await userInTheMiddle(scim);
    return (await scim.post('/Groups', { displayName: 'Sales', members: [{ value: id }] }).expect(201)).body.id;
  }

  async function userInTheMiddle({ connectionId }: ScimClient): Promise<{ id: string; email: string }> {
    const [user] = await app.database.query<{ id: string; email: string }>(
      'SELECT id, email FROM users WHERE managed_by = $1 ORDER BY id OFFSET $2 LIMIT 1',
      [connectionId, (connectionId === large.connectionId ? LARGE : SMALL) / 2],
    );
    return user!;
  }
});

/** Returns the cursor of the page after a user. It contains the number of all results, too. */
const cursorAfter = (id: string): string => Buffer.from(`${id} 400`).toString('base64url');
