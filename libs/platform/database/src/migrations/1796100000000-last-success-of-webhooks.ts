import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Webhooks get the time of their last success, to the second. An upsert can then tell from the new row whether a batch has a success. Citus
 * accepts no subquery there.
 */
export class LastSuccessOfWebhooks1796100000000 implements MigrationInterface {
  readonly name = 'LastSuccessOfWebhooks1796100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook_health ADD COLUMN last_success_at timestamptz');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook_health DROP COLUMN last_success_at');
  }
}
