import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The event log: the end of the hash chain, records of redaction and retention, and an index for each filter. The indexes contain only
 * events with a position. The insertion of an event therefore updates no index.
 */
export class EventLog1790000040000 implements MigrationInterface {
  readonly name = 'EventLog1790000040000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE event_streams ADD COLUMN chained_position bigint NOT NULL DEFAULT 0;
      -- Set when an event is redacted: with the digests, the rest of the payload can still be verified.
      ALTER TABLE events ADD COLUMN envelope_digest bytea, ADD COLUMN data_digest bytea;

      DROP INDEX events_organization_idx;
      CREATE INDEX events_organization_idx ON events (tenant_id, organization_id, position) WHERE position IS NOT NULL;
      CREATE INDEX events_type_idx ON events (tenant_id, organization_id, type, position) WHERE position IS NOT NULL;
      -- The user comes first: redaction must find the events of a guest in all tenants.
      CREATE INDEX events_user_idx ON events (user_id, tenant_id, position) WHERE position IS NOT NULL AND user_id IS NOT NULL;
      CREATE INDEX events_actor_idx ON events (actor_id, tenant_id, position) WHERE position IS NOT NULL AND actor_id IS NOT NULL;

      -- A range of positions that retention deleted, and the hash of its last event.
      CREATE TABLE event_anchors (
        tenant_id text COLLATE "C" NOT NULL,
        from_position bigint NOT NULL,
        to_position bigint NOT NULL,
        chain_hash bytea NOT NULL,
        dropped_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT event_anchors_pkey PRIMARY KEY (tenant_id, from_position)
      );

      -- Permanently deleted users, with their own tenant.
      CREATE TABLE event_redactions (
        tenant_id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        requested_at timestamptz NOT NULL DEFAULT now(),
        completed_at timestamptz,
        CONSTRAINT event_redactions_pkey PRIMARY KEY (tenant_id, user_id)
      );
      CREATE INDEX event_redactions_user_idx ON event_redactions (user_id);
      CREATE INDEX event_redactions_open_idx ON event_redactions (requested_at) WHERE completed_at IS NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE event_redactions, event_anchors;
      DROP INDEX events_actor_idx, events_user_idx, events_type_idx, events_organization_idx;
      CREATE INDEX events_organization_idx ON events (tenant_id, organization_id, position);
      ALTER TABLE events DROP COLUMN data_digest, DROP COLUMN envelope_digest;
      ALTER TABLE event_streams DROP COLUMN chained_position;
    `);
  }
}
