import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A second wall between tenants, of PostgreSQL's own, in a database of tests. */
export interface Wall {
  /** Of a role that sees only what the wall shows: neither superuser, nor with BYPASSRLS, though owner of the tables. */
  url: string;
  /** Which tenant's rows there are for that role, from now on. */
  showOnly(tenantId: string): Promise<void>;
  /** The tables that have a column `tenant_id`, and thereby a policy. */
  tables: readonly string[];
  /** The tables that have none. */
  unwalled: readonly string[];
  close(): Promise<void>;
}

/** What belongs to no customer: platform keys. */
const PLATFORM = 'platform';

/** Puts a policy on every table with a `tenant_id`. To the role that it makes, rows of other tenants do not exist, and none can be written. */
export async function raiseWall(databaseUrl: string): Promise<Wall> {
  const client = new Client({ connectionString: databaseUrl });
  // The database may be dropped before it has said goodbye.
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
  // The service makes and drops partitions, which only owners may, and views read as their owners do; FORCE holds owners to the policies, too.
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
