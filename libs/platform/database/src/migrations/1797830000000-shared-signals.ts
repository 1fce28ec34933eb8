import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds streams of security events (OpenID Shared Signals Framework), the users that receivers removed, and an index of ordered deliveries. */
export class SharedSignals1797830000000 implements MigrationInterface {
  readonly name = 'SharedSignals1797830000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE ssf_streams (
      tenant_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C" NOT NULL,
      client_id text COLLATE "C",
      delivery_method text NOT NULL,
      endpoint_url text,
      authorization_sealed text,
      events_requested text[] NOT NULL,
      description text,
      subject_format text NOT NULL,
      status text NOT NULL,
      status_reason text,
      verification_requested_at timestamptz,
      created_seq bigint NOT NULL DEFAULT nextval('event_seq'),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      CONSTRAINT ssf_streams_pkey PRIMARY KEY (tenant_id, id),
      CONSTRAINT ssf_streams_delivery_method_check CHECK (delivery_method IN ('push', 'poll')),
      CONSTRAINT ssf_streams_endpoint_url_check CHECK ((endpoint_url IS NOT NULL) = (delivery_method = 'push')),
      CONSTRAINT ssf_streams_subject_format_check CHECK (subject_format IN ('iss_sub', 'email')),
      CONSTRAINT ssf_streams_status_check CHECK (status IN ('enabled', 'paused', 'disabled')),
      CONSTRAINT ssf_streams_organization_id_fkey FOREIGN KEY (tenant_id, organization_id)
        REFERENCES organizations (tenant_id, id) ON DELETE CASCADE,
      CONSTRAINT ssf_streams_client_id_fkey FOREIGN KEY (tenant_id, client_id)
        REFERENCES oauth_clients (tenant_id, id) ON DELETE CASCADE
    )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX ssf_streams_receiver_key ON ssf_streams (tenant_id, organization_id, coalesce(client_id, ''))`,
    );
    await queryRunner.query('CREATE INDEX ssf_streams_client_idx ON ssf_streams (tenant_id, client_id)');
    await queryRunner.query(`CREATE TABLE ssf_removed_subjects (
      tenant_id text COLLATE "C" NOT NULL,
      stream_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      removed_at timestamptz NOT NULL,
      CONSTRAINT ssf_removed_subjects_pkey PRIMARY KEY (tenant_id, stream_id, user_id),
      CONSTRAINT ssf_removed_subjects_stream_id_fkey FOREIGN KEY (tenant_id, stream_id)
        REFERENCES ssf_streams (tenant_id, id) ON DELETE CASCADE
    )`);
    await queryRunner.query('CREATE INDEX ssf_removed_subjects_user_idx ON ssf_removed_subjects (tenant_id, user_id)');
    // Without the deliveries of webhooks, which are far more and have no order.
    await queryRunner.query(`CREATE INDEX deliveries_ordered_idx ON deliveries (tenant_id, webhook_id, sequence)
      WHERE status = 'pending' AND webhook_id < 'wh_'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX deliveries_ordered_idx');
    await queryRunner.query('DROP TABLE ssf_removed_subjects');
    await queryRunner.query('DROP TABLE ssf_streams');
  }
}
