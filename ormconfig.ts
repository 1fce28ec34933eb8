import 'reflect-metadata';
import { ApiKey } from '#auth';
import { BreakGlassRequest } from '#break-glass';
import type { AppConfig } from '#config';
import { MIGRATIONS } from '#database';
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

/** How the service and the TypeORM command line connect. */
export function dataSourceOptions(config: Pick<AppConfig, 'databaseUrl' | 'databasePoolSize'>): DataSourceOptions {
  return {
    type: 'postgres',
    url: config.databaseUrl,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    synchronize: false,
    poolSize: config.databasePoolSize,
    applicationName: 'identity-service',
    // A missing value must never widen a condition to all rows.
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    // Statements that need no answer of one another, such as the last write and its commit, go out at once.
    extra: { connectionTimeoutMillis: 10_000, keepAlive: true, pipeline: true },
  };
}

/** For the TypeORM command line, which wants a default export; `npm run migration:run` sets DATABASE_URL. */
export default new DataSource(dataSourceOptions({ databaseUrl: process.env['DATABASE_URL'], databasePoolSize: 2 }));
