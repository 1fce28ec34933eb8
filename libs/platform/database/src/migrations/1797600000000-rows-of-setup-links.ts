import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['domains', 'identity_providers', 'scim_connections', 'webhooks'];

/** Records which setup link created a row, because a link sees and changes only what it created. */
export class RowsOfSetupLinks1797600000000 implements MigrationInterface {
  readonly name = 'RowsOfSetupLinks1797600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN setup_link_id text COLLATE "C"`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN setup_link_id`);
  }
}
