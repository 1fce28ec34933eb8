import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Removes succeeded deliveries from the index of deliveries by status, so that a recorded success enters one index less. Lists of succeeded
 * deliveries use the index of all deliveries of a webhook.
 */
export class IndexOfUnsucceededDeliveries1795600000000 implements MigrationInterface {
  readonly name = 'IndexOfUnsucceededDeliveries1795600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX deliveries_webhook_status_idx;
      CREATE INDEX deliveries_unsucceeded_idx ON deliveries (tenant_id, webhook_id, status, id) WHERE status <> 'succeeded';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX deliveries_unsucceeded_idx;
      CREATE INDEX deliveries_webhook_status_idx ON deliveries (tenant_id, webhook_id, status, id);
    `);
  }
}
