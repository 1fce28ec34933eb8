import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks can receive events in other formats than that of the service, which is null in attempts. */
export class FormatsOfWebhooks1797810000000 implements MigrationInterface {
  readonly name = 'FormatsOfWebhooks1797810000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhooks ADD COLUMN format text NOT NULL DEFAULT 'service'`);
    await queryRunner.query('ALTER TABLE delivery_attempts ADD COLUMN request_format text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE delivery_attempts DROP COLUMN request_format');
    await queryRunner.query('ALTER TABLE webhooks DROP COLUMN format');
  }
}
