import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users have a language: a BCP 47 language tag, or null for the language of their organization. */
export class UsersLocale1795455839431 implements MigrationInterface {
  readonly name = 'UsersLocale1795455839431';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users ADD COLUMN locale text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users DROP COLUMN locale');
  }
}
