import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Setup links get the API key that created them. The column of existing links is null, because the key is unknown; they expire in 30 days. */
export class KeysOfSetupLinks1796820000000 implements MigrationInterface {
  readonly name = 'KeysOfSetupLinks1796820000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE setup_links ADD COLUMN created_by_key_id text COLLATE "C"');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE setup_links DROP COLUMN created_by_key_id');
  }
}
