import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Secrets of OAuth clients say when they were last used, so that an unused one can be deleted. */
export class UsesOfClientSecrets1796920000000 implements MigrationInterface {
  readonly name = 'UsesOfClientSecrets1796920000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE oauth_client_secrets ADD COLUMN last_used_at timestamptz');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE oauth_client_secrets DROP COLUMN last_used_at');
  }
}
