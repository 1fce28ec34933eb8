import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['memberships', 'role_assignments', 'directory_entries'] as const;

/**
 * Replaces ordered indexes by hash indexes. With an ordered index, the planner can read the users of all tenants, newest first, until it
 * has found enough users of one organization. For a small tenant, the planner would read all users.
 */
export class UsersFoundByHash1790000160000 implements MigrationInterface {
  readonly name = 'UsersFoundByHash1790000160000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(replaceUserIndex(table, 'USING hash (user_id)'));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(replaceUserIndex(table, '(user_id)'));
  }
}

const replaceUserIndex = (table: string, columns: string): string =>
  `DROP INDEX ${table}_user_idx; CREATE INDEX ${table}_user_idx ON ${table} ${columns}`;
