import 'reflect-metadata';
import { ApiKey } from '#auth';
import { BreakGlassRequest } from '#break-glass';
import type { AppConfig } from '#config';
import { MIGRATIONS, OUTLIVES_CONNECTIONS } from '#database';
import { DirectoryEntry, Membership, RoleAssignment } from '#memberships';
import { IdentityProvider, Organization } from '#organizations';
import { Role } from '#roles';
import { User } from '#users';
import { Webhook } from '#webhooks';
import { DataSource, type DataSourceOptions } from 'typeorm';

/** Every entity, by name: nothing is found by searching folders. */
export const ENTITIES = [
  ApiKey,
  BreakGlassRequest,
  DirectoryEntry,
  IdentityProvider,
  Membership,
  Organization,
  Role,
  RoleAssignment,
  User,
  Webhook,
];

/**
 * No request waits longer than this for a statement, and no transaction that its process has forgotten holds locks for longer. What may
 * take its time (retention, purge) sets its own limit.
 */
const LIMITS = { statement_timeout: 60_000, idle_in_transaction_session_timeout: 60_000 };

/** How the service connects. */
export function dataSourceOptions(config: Pick<AppConfig, 'databaseUrl' | 'databasePoolSize'>): DataSourceOptions {
  return {
    type: 'postgres',
    url: config.databaseUrl,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    synchronize: false,
    poolSize: config.databasePoolSize,
    applicationName: 'identity-service',
    // Statements that need no answer of one another, such as the last write and its commit, go out at once.
    extra: { connectionTimeoutMillis: 10_000, keepAlive: true, pipeline: true, ...OUTLIVES_CONNECTIONS, ...LIMITS },
  };
}

/** For the TypeORM command line, which wants a default export; `npm run migration:run` sets DATABASE_URL. Migrations may take their time. */
export default new DataSource({
  ...dataSourceOptions({ databaseUrl: process.env['DATABASE_URL'], databasePoolSize: 2 }),
  extra: { connectionTimeoutMillis: 10_000 },
});
