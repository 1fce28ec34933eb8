import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API keys know on which day they last needed which permission. */
export class PermissionsUsedByKeys1790000210000 implements MigrationInterface {
  readonly name = 'PermissionsUsedByKeys1790000210000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE api_keys ADD COLUMN permissions_used jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys DROP COLUMN permissions_used');
  }
}
