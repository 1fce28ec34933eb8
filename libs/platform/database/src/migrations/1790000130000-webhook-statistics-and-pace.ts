import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns for statistics, details of attempts, and rate limits of webhooks. An attempt stores only the address, the signatures and the
 * names of custom headers, because other tables contain the rest of the request. Test attempts have no webhook_id, so that statistics
 * exclude them. `free_from` is the time at which the rate limit allows the next delivery. `booked_until` is the end of the slots of waiting
 * deliveries. A delivery has the slot at `slot_at` if the delivery is due at this time.
 */
export class WebhookStatisticsAndPace1790000130000 implements MigrationInterface {
  readonly name = 'WebhookStatisticsAndPace1790000130000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE delivery_attempts ADD COLUMN webhook_id text COLLATE "C", ADD COLUMN request_url text,
        ADD COLUMN request_headers jsonb;
      UPDATE delivery_attempts a SET webhook_id = d.webhook_id FROM deliveries d
        WHERE d.tenant_id = a.tenant_id AND d.event_id = a.event_id AND d.id = a.delivery_id AND NOT d.test;
      -- Contains all columns that statistics read, so that they never read the rows, which have headers and bodies.
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
