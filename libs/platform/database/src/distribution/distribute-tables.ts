import {
  assertKeysOfTenants,
  countWorkers,
  type Execute,
  listDistributedTables,
  recoverPreparedTransactions,
} from './citus-catalog.js';
import type { DistributedTable } from './distributed-tables.js';
import { DistributionError } from './distribution-error.js';

/** A start of the service distributes at most this amount of data, which takes some seconds. */
const SMALL_BYTES = 16 * 1024 ** 2;
/** The application name of the connections of the service (ormconfig.ts). */
const SERVICE = 'identity-service';

export type Log = (line: string) => void;

/** Distributes the tables that are not distributed yet, if they are empty or small. @throws DistributionError if they are large */
export async function distributeSmallTables(execute: Execute, log: Log): Promise<void> {
  const pending = (await listDistributedTables(execute)).filter(({ isDistributed }) => !isDistributed);
  const bytes = sumOf(pending);
  if (bytes > SMALL_BYTES) {
    const largest = pending.toSorted((a, b) => b.localBytes - a.localBytes)[0]!.name;
    throw new DistributionError(
      `DATABASE_DISTRIBUTED=citus, but ${sizeText(bytes)} of data are not distributed yet (largest table: ${largest}). Distribution takes ` +
        'time and locks the tables. Stop all processes of the service, then run "npm run distribute" (in a container: node ' +
        'dist/server/main.js distribute).',
    );
  }
  if ((await countWorkers(execute)) === 0) log('Citus has no workers. All rows stay on the coordinator.');
  await distributePending(execute, () => undefined);
}

/**
 * Distributes all tables with their data, and logs the progress. Can be killed and repeated: finished tables are skipped, and an unfinished
 * table is as before.
 * @throws DistributionError
 */
export async function distributeAllTables(execute: Execute, log: Log): Promise<void> {
  // Ends the statement on the server if this process is killed. Otherwise the next run would wait for the statement.
  await execute("SET client_connection_check_interval = '1s'");
  await recoverPreparedTransactions(execute);
  const tables = await listDistributedTables(execute);
  const hasData = sumOf(tables.filter(({ isDistributed }) => !isDistributed)) > 0;
  if (hasData && (await isServiceConnected(execute)))
    throw new DistributionError('The service is connected to the database. Stop all its processes first.');
  const startedAt = performance.now();
  const rows = await distributePending(execute, log);
  if (rows === undefined) {
    log('All tables are distributed.');
    return;
  }
  const workers = await countWorkers(execute);
  const nodes = workers === 0 ? 'the coordinator, because Citus has no workers' : `${workers} workers`;
  log(`All tables are distributed: ${countText(rows)} rows in ${secondsSince(startedAt)} s, on ${nodes}.`);
}

/** Distributes the tables that are not distributed yet, then removes the local copies of all tables. Returns the number of rows, or undefined if there was nothing to do. */
async function distributePending(execute: Execute, log: Log): Promise<number | undefined> {
  const tables = await listDistributedTables(execute);
  const pending = tables.filter(({ isDistributed }) => !isDistributed);
  let rows = 0;
  if (pending.length > 0) {
    await assertKeysOfTenants(execute, tables);
    const skipped = tables.length - pending.length;
    if (skipped > 0) log(`${skipped} tables are distributed already.`);
    for (const [index, table] of pending.entries()) {
      const place = `${index + 1}/${pending.length} ${table.name}`;
      rows += await distribute(execute, table, (line) => log(`${place}: ${line}`));
    }
  }
  // Only now, because a table can't be emptied while a table that is not distributed references it.
  const copies = (await listDistributedTables(execute)).filter(({ localBytes }) => localBytes > 0);
  for (const { name } of copies.toReversed()) await execute('SELECT truncate_local_data_after_distributing_table($1)', [name]);
  if (copies.length > 0) log(`Removed the local copies of ${copies.length} tables (${sizeText(sumOf(copies))}).`);
  return pending.length + copies.length > 0 ? rows : undefined;
}

/** Distributes a table in one transaction. Returns the number of its rows. @throws DistributionError if the shards have more or fewer rows */
async function distribute(execute: Execute, table: DistributedTable, log: Log): Promise<number> {
  const { name, column, colocation, localBytes } = table;
  const create = () => execute('SELECT create_distributed_table($1, $2, colocate_with => $3)', [name, column, colocation]);
  if (localBytes === 0) {
    await create();
    log('empty, distributed');
    return 0;
  }
  const startedAt = performance.now();
  await execute('BEGIN');
  try {
    await execute(`LOCK TABLE ${name} IN EXCLUSIVE MODE`);
    const rows = await countRows(execute, name);
    log(`distributing ${countText(rows)} rows (${sizeText(localBytes)}) …`);
    await create();
    const distributed = await countRows(execute, name);
    if (distributed !== rows) throw new DistributionError(`${name} has ${rows} rows, but its shards have ${distributed}.`);
    await execute('COMMIT');
    log(`distributed in ${secondsSince(startedAt)} s`);
    return rows;
  } catch (error) {
    await execute('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function countRows(execute: Execute, table: string): Promise<number> {
  const [row] = await execute(`SELECT count(*)::float8 AS count FROM ${table}`);
  return row!['count'] as number;
}

async function isServiceConnected(execute: Execute): Promise<boolean> {
  const rows = await execute('SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1', [
    SERVICE,
  ]);
  return rows.length > 0;
}

const sumOf = (tables: readonly DistributedTable[]): number => tables.reduce((sum, { localBytes }) => sum + localBytes, 0);
const countText = (count: number): string => count.toLocaleString('en');
const sizeText = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2).toLocaleString('en')} MB`;
const secondsSince = (startMs: number): string => ((performance.now() - startMs) / 1_000).toFixed(1);
