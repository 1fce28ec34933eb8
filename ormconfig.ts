import 'reflect-metadata';
import type { AppConfig } from '#platform/config';
import { IGNORE_LOST_CONNECTIONS, MIGRATIONS, PreparingClient } from '#platform/database';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';

/**
 * Limits of a statement and of a transaction that a process left open, so that no request waits longer and no lock stays longer. Work that
 * takes more time (retention, purge) sets its own limit.
 */
const LIMITS = { statement_timeout: 60_000, idle_in_transaction_session_timeout: 60_000 };

/** Returns how the service connects. The entities come from the modules (`TypeOrmModule.forFeature`). */
export function dataSourceOptions(
  config: Pick<AppConfig, 'databaseUrl' | 'databasePoolSize' | 'databaseDistributed'>,
): DataSourceOptions {
  return {
    type: 'postgres',
    // Otherwise TypeORM would load a second copy from node_modules, which the bundle does not need.
    driver: pg,
    url: config.databaseUrl,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    synchronize: false,
    poolSize: config.databasePoolSize,
    applicationName: 'identity-service',
    // Statements that need no result of one another, such as the last write and its commit, are sent without waiting.
    extra: {
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      pipeline: true,
      Client: PreparingClient,
      ...IGNORE_LOST_CONNECTIONS,
      ...LIMITS,
      isDistributed: config.databaseDistributed === 'citus',
    },
  };
}

/** For the TypeORM command line, which requires a default export; `npm run migration:run` sets DATABASE_URL. Migrations have no time limit. */
export default new DataSource({
  ...dataSourceOptions({ databaseUrl: process.env['DATABASE_URL'], databasePoolSize: 2 }),
  extra: { connectionTimeoutMillis: 10_000 },
});
