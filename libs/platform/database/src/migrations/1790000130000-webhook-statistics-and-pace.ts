import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What statistics of webhooks, the look at a single attempt and rate limits need.
 * Of a request only what nothing else tells is kept: the address, the signatures, and the names of the webhook's own headers. Attempts
 * of tests have no webhook_id, so that statistics leave them out. `free_from` is when a webhook's pace allows the next delivery,
 * `booked_until` the end of the slots given out to those that wait; a delivery holds the slot at `slot_at` as long as it is due then.
 */
export class WebhookStatisticsAndPace1790000130000 implements MigrationInterface {
  readonly name = 'WebhookStatisticsAndPace1790000130000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE delivery_attempts ADD COLUMN webhook_id text COLLATE "C", ADD COLUMN request_url text,
        ADD COLUMN request_headers jsonb;
      UPDATE delivery_attempts a SET webhook_id = d.webhook_id FROM deliveries d
        WHERE d.tenant_id = a.tenant_id AND d.event_id = a.event_id AND d.id = a.delivery_id AND NOT d.test;
      -- Holds all that statistics read, so that they never touch the rows with their headers and bodies.
      CREATE INDEX delivery_attempts_webhook_idx ON delivery_attempts (tenant_id, webhook_id, started_at)
        INCLUDE (response_time_ms, error_kind) WHERE webhook_id IS NOT NULL;

      ALTER TABLE webhooks ADD COLUMN rate_limit integer,
        ADD CONSTRAINT webhooks_rate_limit_check CHECK (rate_limit BETWEEN 1 AND 1000);
      ALTER TABLE deliveries ADD COLUMN slot_at timestamptz;
      CREATE TABLE webhook_paces (
        tenant_id text COLLATE "C" NOT NULL,
        webhook_id text COLLATE "C" NOT NULL,
        free_from timestamptz NOT NULL DEFAULT '-infinity',
        booked_until timestamptz NOT NULL DEFAULT '-infinity',
        CONSTRAINT webhook_paces_pkey PRIMARY KEY (tenant_id, webhook_id)
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE webhook_paces;
      ALTER TABLE deliveries DROP COLUMN slot_at;
      ALTER TABLE webhooks DROP COLUMN rate_limit;
      DROP INDEX delivery_attempts_webhook_idx;
      ALTER TABLE delivery_attempts DROP COLUMN webhook_id, DROP COLUMN request_url, DROP COLUMN request_headers;
    `);
  }
}
