import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables, their keys within a tenant, and the columns of further indexes. Fixed, because later tables have migrations of their own. */
const TABLES: readonly { table: string; key: string; indexes: readonly string[] }[] = [
  { table: 'organizations', key: 'id', indexes: [] },
  { table: 'identity_providers', key: 'id', indexes: ['organization_id'] },
  { table: 'users', key: 'id', indexes: [] },
  { table: 'user_identities', key: 'identity_provider_id, issuer, external_id', indexes: ['user_id'] },
  { table: 'roles', key: 'id', indexes: ['organization_id'] },
  { table: 'memberships', key: 'user_id, organization_id', indexes: [] },
  { table: 'role_assignments', key: 'organization_id, user_id, role_id', indexes: ['user_id'] },
  { table: 'directory_entries', key: 'organization_id, user_id', indexes: ['user_id'] },
  { table: 'break_glass_requests', key: 'id', indexes: ['requester_id'] },
];

/**
 * Adds the history of the rows that reads as of a moment need: one row for each version, with the period in which the version was valid
 * (`valid_from` inclusive, `valid_to` exclusive). The present version has the end `infinity`. The history begins with this migration, or, if
 * rows exist, an hour later (`HistoryReconciliationQuery`), because processes of the previous version don't write it.
 */
export class HistoryOfRows1796400000000 implements MigrationInterface {
  readonly name = 'HistoryOfRows1796400000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE history_start (
      only_row boolean NOT NULL DEFAULT true CHECK (only_row),
      started_at timestamptz NOT NULL,
      reconciled_at timestamptz,
      CONSTRAINT history_start_pkey PRIMARY KEY (only_row)
    )`);
    await queryRunner.query(
      `INSERT INTO history_start (started_at, reconciled_at)
       SELECT now(), CASE WHEN EXISTS (SELECT 1 FROM organizations) THEN NULL ELSE now() END`,
    );
    for (const { table } of TABLES) await queryRunner.query(`CREATE TABLE ${table}_history (LIKE ${table})`);
    await queryRunner.query('ALTER TABLE identity_providers_history DROP COLUMN configuration, DROP COLUMN client_secret_sealed');
    for (const { table, key, indexes } of TABLES) {
      const history = `${table}_history`;
      await queryRunner.query(
        `ALTER TABLE ${history} ADD COLUMN valid_from timestamptz NOT NULL, ADD COLUMN valid_to timestamptz NOT NULL`,
      );
      const columns = await columnsOf(queryRunner, history);
      await queryRunner.query(
        `INSERT INTO ${history} (${columns}, valid_from, valid_to) SELECT ${columns}, s.started_at, 'infinity' FROM ${table}, history_start s`,
      );
      await queryRunner.query(`ALTER TABLE ${history} ADD CONSTRAINT ${history}_pkey PRIMARY KEY (tenant_id, ${key}, valid_to)`);
      for (const column of indexes) {
        await queryRunner.query(
          `CREATE INDEX ${history}_${column.replace('_id', '')}_idx ON ${history} (tenant_id, ${column}, valid_to)`,
        );
      }
      await queryRunner.query(`CREATE INDEX ${history}_ended_idx ON ${history} (valid_to) WHERE valid_to < 'infinity'`);
    }
    // For the changes of a directory after a moment.
    await queryRunner.query(
      'CREATE INDEX directory_entries_history_began_idx ON directory_entries_history (tenant_id, organization_id, valid_from)',
    );
    await queryRunner.query(
      `CREATE INDEX directory_entries_history_changed_idx ON directory_entries_history (tenant_id, organization_id, valid_to)
       WHERE valid_to < 'infinity'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table } of TABLES) await queryRunner.query(`DROP TABLE ${table}_history`);
    await queryRunner.query('DROP TABLE history_start');
  }
}

async function columnsOf(queryRunner: QueryRunner, table: string): Promise<string> {
  const rows = (await queryRunner.query(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
       AND attname NOT IN ('valid_from', 'valid_to') ORDER BY attnum`,
    [table],
  )) as { name: string }[];
  return rows.map(({ name }) => name).join(', ');
}
