import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** Row-level security as a second isolation of tenants, in a database of tests. */
export interface Wall {
  /** The URL for a role to which the policies apply: neither superuser nor BYPASSRLS, although it owns the tables. */
  url: string;
  /** Sets the tenant whose rows this role sees. */
  showOnly(tenantId: string): Promise<void>;
  /** The tables with a column `tenant_id`, and therefore with a policy. */
  tables: readonly string[];
  /** The tables without this column. */
  unwalled: readonly string[];
  close(): Promise<void>;
}

/** Rows that belong to no tenant: platform keys. */
const PLATFORM = 'platform';

/** Adds a policy to every table with a `tenant_id`. The role that it creates can neither read nor write rows of other tenants. */
export async function raiseWall(databaseUrl: string): Promise<Wall> {
  const client = new Client({ connectionString: databaseUrl });
  // The database can be dropped before its connections are closed.
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
  // The service creates and drops partitions, which only owners can do, and views read as their owner; FORCE applies the policies to owners, too.
  for (const relation of [...all, ...(await relations(`'v'`))]) await client.query(`ALTER TABLE ${relation} OWNER TO ${role}`);
  await client.query(`GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
  for (const table of tables)
    await client.query(`
      ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY; ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
      CREATE POLICY wall ON ${table} USING (tenant_id = '${PLATFORM}' OR tenant_id = (SELECT s.tenant_id FROM wall.shown s))`);

  return {
    url: Object.assign(new URL(databaseUrl), { username: role, password }).href,
    tables,
    unwalled: all.filter((table) => !tables.includes(table)),
    showOnly: async (tenantId) => {
      await client.query(`WITH gone AS (DELETE FROM wall.shown) INSERT INTO wall.shown VALUES ('${tenantId}')`);
    },
    close: async () => {
      await client.query(`REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}; DROP ROLE ${role}`);
      await client.end();
    },
  };
}
