import { type DistributedTable, type Table, TENANT_COLUMN, tablesToDistribute } from './distributed-tables.js';
import { DistributionError } from './distribution-error.js';

/** Executes SQL on one connection. */
export type Execute = (sql: string, parameters?: unknown[]) => Promise<Record<string, unknown>[]>;

/**
 * Checks that the connection leads to the coordinator of a Citus cluster.
 * @throws DistributionError
 */
export async function assertCoordinator(execute: Execute): Promise<void> {
  const [extension] = await execute("SELECT FROM pg_extension WHERE extname = 'citus'");
  if (!extension)
    throw new DistributionError(
      'DATABASE_DISTRIBUTED=citus requires the extension Citus, which this database does not have. As a superuser, run "CREATE EXTENSION ' +
        'citus" in the database of each node. Then add the workers (docs/citus.md).',
    );
  const [group] = await execute('SELECT groupid AS id FROM pg_dist_local_group');
  if (group?.['id'] !== 0)
    throw new DistributionError('DATABASE_URL leads to a worker of Citus. It must lead to the coordinator.');
}

/** Returns the number of nodes that can store shards, without the coordinator. */
export async function countWorkers(execute: Execute): Promise<number> {
  const [workers] = await execute(
    `SELECT count(*)::int AS count FROM pg_dist_node
     WHERE groupid <> 0 AND noderole = 'primary' AND isactive AND shouldhaveshards`,
  );
  return workers!['count'] as number;
}

/** Returns whether the tables of this database are distributed. On a database without Citus, too. */
export async function isDistributed(execute: Execute): Promise<boolean> {
  const [catalog] = await execute("SELECT FROM pg_extension WHERE extname = 'citus'");
  return catalog !== undefined && (await listDistributedTables(execute)).some((table) => table.isDistributed);
}

/** Returns all tables that belong on the nodes, each after the tables that it references. */
export async function listDistributedTables(execute: Execute): Promise<DistributedTable[]> {
  const rows = await execute(
    `SELECT c.relname AS name,
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = '${TENANT_COLUMN}' AND NOT a.attisdropped) AS "hasTenant",
       ARRAY(SELECT DISTINCT r.relname::text FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
         WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS references,
       EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid AND p.partmethod = 'h') AS "isDistributed",
       COALESCE((SELECT sum(pg_relation_size(t.relid)) FROM pg_partition_tree(c.oid) t), pg_relation_size(c.oid))::float8 AS "localBytes"
     FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     ORDER BY c.relname`,
  );
  return tablesToDistribute(rows as unknown as Table[]);
}

/**
 * Checks that unique keys contain the column by which their table is distributed, and that foreign keys stay within a tenant. Citus can't
 * enforce other keys, because their rows are on several nodes.
 * @throws DistributionError with all keys that don't
 */
export async function assertKeysOfTenants(execute: Execute, tables: readonly DistributedTable[]): Promise<void> {
  const rows = await execute(
    `WITH tables AS (
       SELECT to_regclass(quote_ident(d.name))::oid AS id, d.tenant AS by_tenant, a.attnum AS key
       FROM unnest($1::text[], $2::text[], $3::boolean[]) AS d (name, key, tenant)
       JOIN pg_attribute a ON a.attrelid = to_regclass(quote_ident(d.name)) AND a.attname = d.key
     )
     SELECT format('unique key %s of %s', i.indexrelid::regclass, i.indrelid::regclass) AS name
     FROM tables t JOIN pg_index i ON i.indrelid = t.id WHERE i.indisunique AND NOT t.key = ANY (i.indkey::int2[])
     UNION ALL
     SELECT format('foreign key %s of %s', f.conname, f.conrelid::regclass)
     FROM pg_constraint f LEFT JOIN tables a ON a.id = f.conrelid LEFT JOIN tables b ON b.id = f.confrelid
     WHERE f.contype = 'f' AND f.conparentid = 0 AND (a.id IS NOT NULL OR b.id IS NOT NULL)
       AND (a.by_tenant AND b.by_tenant AND array_position(f.conkey, a.key) = array_position(f.confkey, b.key)) IS NOT TRUE
     ORDER BY 1`,
    [tables.map(({ name }) => name), tables.map(({ column }) => column), tables.map(({ column }) => column === TENANT_COLUMN)],
  );
  if (rows.length > 0)
    throw new DistributionError(
      `Citus can't enforce these keys, because their rows are on several nodes: ${rows.map(({ name }) => name as string).join(', ')}. ` +
        'Remove them first. The tables of this service have no such keys.',
    );
}

/** Ends two-phase commits that a crash interrupted, so that committed tables are complete. */
export async function recoverPreparedTransactions(execute: Execute): Promise<void> {
  const [may] = await execute(`SELECT FROM pg_proc WHERE proname = 'recover_prepared_transactions'
    AND pronamespace = 'pg_catalog'::regnamespace AND has_function_privilege(oid, 'EXECUTE')`);
  // Without the privilege, the maintenance of Citus recovers them within a minute.
  if (may) await execute('SELECT recover_prepared_transactions()');
}
