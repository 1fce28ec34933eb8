import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What retries by hand, replays, payload filters, reconciliation and half-open webhooks need.
 * `attempts_before` counts the attempts of earlier rounds, so that a new round has the whole schedule. `subscribed_seq` says since when
 * the present subscription is in force: from there on the events themselves can be held against the deliveries.
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
      -- With the id, deliveries that became due at the same moment are walked without sorting.
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
