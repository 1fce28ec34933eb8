import pg from 'pg';
import { DataSource } from 'typeorm';
import {
  type Execute,
  assertCoordinator,
  distributeAllTables,
  distributeSmallTables,
  DistributionError,
  isDistributed,
  type Log,
} from './distribution/index.js';
import { MIGRATIONS } from './migrations/index.js';
import { ensurePartitions } from './partitions.js';

const MIGRATION_LOCK = 72_451_901;

export interface MigrationOptions {
  /**
   * Which tables Citus distributes after the migrations. `small`: new tables, and tables that are small enough for a start of the service.
   * `all`: all tables. Undefined: none.
   */
  readonly distribution?: 'small' | 'all' | undefined;
  readonly log?: Log;
}

/**
 * Runs pending migrations, creates missing partitions and distributes tables. An advisory lock ensures that concurrent processes run each
 * migration only once.
 * @throws DistributionError
 */
export async function runMigrations(
  databaseUrl: string,
  { distribution, log = () => undefined }: MigrationOptions = {},
): Promise<void> {
  const dataSource = new DataSource({
    type: 'postgres',
    driver: pg,
    url: databaseUrl,
    migrations: MIGRATIONS,
    poolSize: 2,
    applicationName: 'migrations',
    extra: { connectionTimeoutMillis: 10_000 },
  });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  const execute: Execute = (sql, parameters) => lock.query(sql, parameters);
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (distribution) await assertCoordinator(execute);
    else if (await isDistributed(execute))
      throw new DistributionError('The tables are distributed with Citus. Set DATABASE_DISTRIBUTED=citus.');
    await dataSource.runMigrations({ transaction: 'each' });
    await ensurePartitions((sql) => lock.query(sql), new Date());
    if (distribution === 'small') await distributeSmallTables(execute, log);
    else if (distribution === 'all') await distributeAllTables(execute, log);
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await lock.release();
    await dataSource.destroy();
  }
}

/** Returns how many migrations of this release are missing in the database. */
export async function pendingMigrationCount(dataSource: DataSource): Promise<number> {
  const applied = await dataSource.query<{ name: string }[]>(`SELECT name FROM migrations`);
  const names = new Set(applied.map((row) => row.name));
  return MIGRATIONS.filter((migration) => !names.has(new migration().name)).length;
}
