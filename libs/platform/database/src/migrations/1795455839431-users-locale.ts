import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users get a BCP 47 language tag. Null: the language of the organization. */
export class UsersLocale1795455839431 implements MigrationInterface {
  readonly name = 'UsersLocale1795455839431';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users ADD COLUMN locale text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users DROP COLUMN locale');
  }
}
