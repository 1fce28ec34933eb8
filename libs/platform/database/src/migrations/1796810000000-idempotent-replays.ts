import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stored responses get what authorized the first request. Records of the previous version have no permissions; they are valid for 24 hours.
 */
export class IdempotentReplays1796810000000 implements MigrationInterface {
  readonly name = 'IdempotentReplays1796810000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE idempotency_records ADD COLUMN permissions text[], ADD COLUMN proof_required boolean NOT NULL DEFAULT false',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_records DROP COLUMN permissions, DROP COLUMN proof_required');
  }
}
