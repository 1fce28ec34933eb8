import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns for manual retries, replays, payload filters, reconciliation and half-open webhooks. `attempts_before` is the number of attempts
 * before a manual retry, which restarts the retry schedule. `subscribed_seq` is the start of the current subscription. Reconciliation
 * compares the deliveries with the events after `subscribed_seq`.
 */
export class DeliveryOperations1790000050000 implements MigrationInterface {
  readonly name = 'DeliveryOperations1790000050000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE webhooks ADD COLUMN filter jsonb, ADD COLUMN subscribed_seq bigint NOT NULL DEFAULT nextval('event_seq');
      UPDATE webhooks SET subscribed_seq = created_seq;
      ALTER TABLE deliveries ADD COLUMN attempts_before integer NOT NULL DEFAULT 0;
      ALTER TABLE webhook_health ADD COLUMN released_at timestamptz, ADD COLUMN probed_at timestamptz,
        ADD COLUMN probe_delivery_id text COLLATE "C";
      CREATE INDEX webhook_health_failing_idx ON webhook_health (failing_since) WHERE failing_since IS NOT NULL;
      -- With the ID, deliveries that became due at the same time are read without sorting.
      DROP INDEX deliveries_due_idx;
      CREATE INDEX deliveries_due_idx ON deliveries (next_attempt_at, id) WHERE status = 'pending';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX deliveries_due_idx;
      CREATE INDEX deliveries_due_idx ON deliveries (next_attempt_at) WHERE status = 'pending';
      DROP INDEX webhook_health_failing_idx;
      ALTER TABLE webhook_health DROP COLUMN released_at, DROP COLUMN probed_at, DROP COLUMN probe_delivery_id;
      ALTER TABLE deliveries DROP COLUMN attempts_before;
      ALTER TABLE webhooks DROP COLUMN filter, DROP COLUMN subscribed_seq;
    `);
  }
}
