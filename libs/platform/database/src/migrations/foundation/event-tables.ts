/**
 * The outbox and event log. `seq` is the causal order in a tenant. An event can be committed after an event with a higher `seq`. After the
 * commit, the relay sets `position`, which has no gaps and is the order for readers. `chain_hash` is the hash chain of a tenant over the
 * payload digests. The table is partitioned by ranges of the ID, which is ordered by time. Retention can therefore drop complete
 * partitions.
 */
export const EVENT_TABLES = `
CREATE SEQUENCE event_seq;

CREATE TABLE events (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL DEFAULT nextval('event_seq'),
  position bigint,
  type text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  parent_organization_id text COLLATE "C",
  ancestor_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
  user_id text COLLATE "C",
  actor_type text NOT NULL,
  actor_id text COLLATE "C",
  payload text NOT NULL,
  payload_digest bytea NOT NULL,
  chain_hash bytea,
  redacted_at timestamptz,
  occurred_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT events_pkey PRIMARY KEY (tenant_id, id)
) PARTITION BY RANGE (id);
CREATE TABLE events_default PARTITION OF events DEFAULT;
CREATE INDEX events_unpositioned_idx ON events (tenant_id, seq) WHERE position IS NULL;
CREATE INDEX events_position_idx ON events (tenant_id, position) WHERE position IS NOT NULL;
CREATE INDEX events_organization_idx ON events (tenant_id, organization_id, position);

CREATE TABLE event_streams (
  tenant_id text COLLATE "C" NOT NULL,
  last_position bigint NOT NULL DEFAULT 0,
  last_chain_hash bytea,
  CONSTRAINT event_streams_pkey PRIMARY KEY (tenant_id)
);
`;
