import 'reflect-metadata';
import { ApiKey } from '#identity/auth';
import { BreakGlassRequest } from '#identity/break-glass';
import type { AppConfig } from '#platform/config';
import { MIGRATIONS, OUTLIVES_CONNECTIONS } from '#platform/database';
import { EventSubscriberCursor } from '#platform/event-log';
import { DirectoryEntry, Membership, RoleAssignment } from '#directory/memberships';
import { IdentityProvider, Organization } from '#directory/organizations';
import { Role } from '#directory/roles';
import { User } from '#directory/users';
import { Webhook } from '#webhooks/webhooks';
import { DataSource, type DataSourceOptions } from 'typeorm';

/** Every entity, by name: nothing is found by searching folders. */
export const ENTITIES = [
  ApiKey,
  BreakGlassRequest,
  DirectoryEntry,
  EventSubscriberCursor,
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
