import pg from 'pg';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from './migrations/index.js';
import { ensurePartitions } from './partitions.js';

const MIGRATION_LOCK = 72_451_901;

/**
 * Runs pending migrations and creates missing partitions. An advisory lock ensures that concurrent processes run each migration only once.
 */
export async function runMigrations(databaseUrl: string): Promise<void> {
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
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await dataSource.runMigrations({ transaction: 'each' });
    await ensurePartitions((sql) => lock.query(sql), new Date());
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
