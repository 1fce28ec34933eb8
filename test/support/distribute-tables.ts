import { Client } from 'pg';

/**
 * Tables that are searched by a value that is unique across all tenants, with this value. Their rows are on the node of the value. Every
 * other table with a `tenant_id` is distributed by tenant. Tables without one are small and stay on the coordinator.
 */
const DISTRIBUTED_BY_VALUE: ReadonlyMap<string, string> = new Map([
  ['idempotency_records', 'caller_id'],
  ['oidc_sign_ins', 'state_hash'],
  ['organization_handles', 'handle'],
  ['token_hashes', 'hash'],
]);
const TENANT_COLUMN = 'tenant_id';
/** All tables that are distributed by tenant have their rows of a tenant on the same node as this table. */
const TENANT_TABLE = 'organizations';

interface Table {
  readonly name: string;
  readonly hasTenant: boolean;
  /** The other tables that the foreign keys of this table reference. */
  readonly references: readonly string[];
}

/** Distributes the tables of an empty database over the nodes of a Citus cluster. */
export async function distributeTables(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = (await listTables(client)).filter(({ name, hasTenant }) => hasTenant || DISTRIBUTED_BY_VALUE.has(name));
    for (const { name } of inOrderOfReferences(tables)) await distribute(client, name);
  } finally {
    await client.end();
  }
}

async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT c.relname AS name,
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = '${TENANT_COLUMN}' AND NOT a.attisdropped) AS "hasTenant",
       ARRAY(SELECT DISTINCT r.relname::text FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
         WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS references
     FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     ORDER BY c.relname <> '${TENANT_TABLE}', c.relname`,
  );
  return rows;
}

/** Returns the tables in an order in which each table follows the tables that it references. */
function inOrderOfReferences(tables: readonly Table[]): Table[] {
  const ordered = new Map<string, Table>();
  while (ordered.size < tables.length) {
    const next = tables.find(({ name, references }) => !ordered.has(name) && references.every((each) => ordered.has(each)));
    if (!next) throw new Error('Foreign keys between these tables form a cycle, or reference a table without tenants.');
    ordered.set(next.name, next);
  }
  return [...ordered.values()];
}

async function distribute(client: Client, table: string): Promise<void> {
  const value = DISTRIBUTED_BY_VALUE.get(table);
  const colocation = value === undefined && table !== TENANT_TABLE ? TENANT_TABLE : 'none';
  await client.query('SELECT create_distributed_table($1, $2, colocate_with => $3)', [table, value ?? TENANT_COLUMN, colocation]);
}
