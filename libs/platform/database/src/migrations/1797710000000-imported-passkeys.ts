import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An imported passkey was created by another service, with another user handle than the ID of the user. */
export class ImportedPasskeys1797710000000 implements MigrationInterface {
  readonly name = 'ImportedPasskeys1797710000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE passkeys ADD COLUMN imported boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE passkeys DROP COLUMN imported');
  }
}
