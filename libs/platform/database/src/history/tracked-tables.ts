import type { DataSource, EntityMetadata } from 'typeorm';

/**
 * The tables with a history, and the columns that identify a row within a tenant. Reads as of a moment read only these tables and tables
 * that can be computed from them. `<table>_history` has the versions of the rows.
 */
export const TRACKED_TABLES = {
  organizations: ['id'],
  identity_providers: ['id'],
  users: ['id'],
  user_identities: ['identity_provider_id', 'issuer', 'external_id'],
  roles: ['id'],
  memberships: ['organization_id', 'user_id'],
  role_assignments: ['organization_id', 'user_id', 'role_id'],
  directory_entries: ['organization_id', 'user_id'],
  break_glass_requests: ['id'],
  groups: ['id'],
  group_members: ['group_id', 'user_id'],
  group_role_assignments: ['group_id', 'role_id'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type TrackedTable = keyof typeof TRACKED_TABLES;

/** Columns that no read as of a moment needs. Replaced secrets and configurations must not remain in the database. */
const EXCLUDED_COLUMNS: Readonly<Partial<Record<TrackedTable, readonly string[]>>> = {
  identity_providers: ['configuration', 'client_secret_sealed', 'setup_link_id', 'tested_at'],
};

/** The tables with data of one person, and the column with the id of this user. */
export const USER_COLUMNS = {
  users: 'id',
  user_identities: 'user_id',
  memberships: 'user_id',
  role_assignments: 'user_id',
  directory_entries: 'user_id',
  break_glass_requests: 'requester_id',
  group_members: 'user_id',
} as const satisfies Readonly<Partial<Record<TrackedTable, string>>>;

/** The tables with rows of one organization, and the column with its id. */
export const ORGANIZATION_COLUMNS = {
  organizations: 'id',
  identity_providers: 'organization_id',
  users: 'organization_id',
  roles: 'organization_id',
  memberships: 'organization_id',
  role_assignments: 'organization_id',
  directory_entries: 'organization_id',
  break_glass_requests: 'organization_id',
  groups: 'organization_id',
  group_members: 'organization_id',
  group_role_assignments: 'organization_id',
} as const satisfies Readonly<Partial<Record<TrackedTable, string>>>;

export const isTracked = (table: string): table is TrackedTable => Object.hasOwn(TRACKED_TABLES, table);

export const historyTableOf = (table: TrackedTable): string => `${table}_history`;

export const keyColumnsOf = (table: TrackedTable): readonly string[] => TRACKED_TABLES[table];

/** Whether the history of the table leaves out this column. */
export const isExcluded = (table: TrackedTable, column: string): boolean => EXCLUDED_COLUMNS[table]?.includes(column) ?? false;

/** Returns the columns that a table and its history have in common. */
export function historyColumnsOf(table: TrackedTable, { columns }: EntityMetadata): string[] {
  return columns.map(({ databaseName }) => databaseName).filter((name) => !isExcluded(table, name));
}

const metadataByTable = new WeakMap<DataSource, Map<string, EntityMetadata>>();

/** @throws Error if no module registers the entity of the table */
export function metadataOf(dataSource: DataSource, table: TrackedTable): EntityMetadata {
  let byTable = metadataByTable.get(dataSource);
  if (!byTable) {
    byTable = new Map(dataSource.entityMetadatas.map((metadata) => [metadata.tableName, metadata]));
    metadataByTable.set(dataSource, byTable);
  }
  const metadata = byTable.get(table);
  if (!metadata) throw new Error(`The table ${table} has no entity.`);
  return metadata;
}
