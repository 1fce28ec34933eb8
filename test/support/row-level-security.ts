import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export type RowLevelSecurity = Awaited<ReturnType<typeof enableRowLevelSecurity>>;

/** The `tenant_id` of platform keys, which belong to no tenant. */
const PLATFORM = 'platform';

/** Creates a role, and adds a policy to every table with a `tenant_id`. The role can read and write only rows of the current tenant. */
export async function enableRowLevelSecurity(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl });
  // The drop of the database can close this connection before the test.
  client.on('error', () => undefined);
  await client.connect();
  const role = `walled_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(16).toString('hex');
  const rows = async (sql: string): Promise<string[]> => (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name);
  await client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}' NOSUPERUSER NOBYPASSRLS`);
  await client.query(`GRANT ALL ON SCHEMA public TO ${role}; CREATE SCHEMA wall; GRANT USAGE ON SCHEMA wall TO ${role}`);
  await client.query(`CREATE TABLE wall.shown (tenant_id text NOT NULL); GRANT SELECT ON wall.shown TO ${role}`);

  const relations = (kinds: string): Promise<string[]> =>
    rows(`SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN (${kinds}) ORDER BY 1`);
  const all = await relations(`'r', 'p'`);
  const owned = await rows(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'tenant_id'`,
  );
  const tables = all.filter((table) => owned.includes(table));
  // The role must own the tables to create and drop partitions. The role must own the views, because a view reads with the privileges of
  // its owner. FORCE applies the policies to owners.
  for (const relation of [...all, ...(await relations(`'v'`))]) await client.query(`ALTER TABLE ${relation} OWNER TO ${role}`);
  await client.query(`GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
  for (const table of tables)
    await client.query(`
      ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY; ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
      CREATE POLICY wall ON ${table} USING (tenant_id = '${PLATFORM}' OR tenant_id = (SELECT s.tenant_id FROM wall.shown s))`);

  return {
    /** The database URL of a role that owns the tables and to which the policies apply. */
    url: Object.assign(new URL(databaseUrl), { username: role, password }).href,
    tables,
    tablesWithoutTenant: all.filter((table) => !tables.includes(table)),
    /** Sets the tenant whose rows the role can read and write. */
    showOnly: async (tenantId: string) => {
      await client.query(`WITH gone AS (DELETE FROM wall.shown) INSERT INTO wall.shown VALUES ('${tenantId}')`);
    },
    close: async () => {
      await client.query(`REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}; DROP ROLE ${role}`);
      await client.end();
    },
  };
}
