/**
 * Webhooks and their deliveries. PostgreSQL is the source of truth for all deliveries and the times of their next attempts. `created_seq`
 * and `deleted_seq` are numbers from the sequence of the events. A webhook receives the events between these numbers, even if the events
 * are relayed later. Deliveries and attempts are partitioned by the ID of their event, which is ordered by time. A pending delivery with a
 * lease is being sent. There is no status for such deliveries, so that a claim updates no index. A pending delivery without a next attempt
 * waits until its webhook is enabled.
 */
export const DELIVERY_TABLES = `
CREATE TABLE webhooks (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  disabled_by text,
  disabled_at timestamptz,
  include_descendants boolean NOT NULL DEFAULT false,
  secret_sealed text NOT NULL,
  next_secret_sealed text,
  next_secret_at timestamptz,
  headers_sealed text,
  created_seq bigint NOT NULL DEFAULT nextval('event_seq'),
  deleted_seq bigint,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT webhooks_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT webhooks_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id),
  CONSTRAINT webhooks_disabled_by_check CHECK (disabled_by IN ('hand', 'failures', 'gone'))
);
CREATE INDEX webhooks_organization_idx ON webhooks (tenant_id, organization_id, id);
CREATE INDEX webhooks_id_idx ON webhooks (id);

-- The last sequence number of each webhook. Not in the row of the webhook, so that the relay never waits for a change of the webhook.
CREATE TABLE webhook_sequences (
  tenant_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  last_sequence bigint NOT NULL DEFAULT 0,
  CONSTRAINT webhook_sequences_pkey PRIMARY KEY (tenant_id, webhook_id)
);

CREATE TABLE webhook_health (
  tenant_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  consecutive_failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  warned_at timestamptz,
  last_delivery_at timestamptz,
  CONSTRAINT webhook_health_pkey PRIMARY KEY (tenant_id, webhook_id)
);

CREATE TABLE webhook_daily_stats (
  tenant_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  succeeded bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  CONSTRAINT webhook_daily_stats_pkey PRIMARY KEY (tenant_id, webhook_id, day)
);

CREATE TABLE deliveries (
  tenant_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  test boolean NOT NULL DEFAULT false,
  test_payload text,
  sequence bigint,
  status text NOT NULL DEFAULT 'pending',
  attempt_count integer NOT NULL DEFAULT 0,
  generation integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  lease_owner text,
  lease_until timestamptz,
  last_response_code integer,
  last_error_kind text,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  CONSTRAINT deliveries_pkey PRIMARY KEY (tenant_id, event_id, id),
  CONSTRAINT deliveries_event_webhook_key UNIQUE (tenant_id, event_id, webhook_id),
  CONSTRAINT deliveries_status_check CHECK (status IN ('pending', 'succeeded', 'failed', 'skipped'))
) PARTITION BY RANGE (event_id);
CREATE TABLE deliveries_default PARTITION OF deliveries DEFAULT;
CREATE INDEX deliveries_due_idx ON deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX deliveries_held_idx ON deliveries (tenant_id, webhook_id, id) WHERE status = 'pending' AND next_attempt_at IS NULL;
CREATE INDEX deliveries_webhook_idx ON deliveries (tenant_id, webhook_id, id);
CREATE INDEX deliveries_webhook_status_idx ON deliveries (tenant_id, webhook_id, status, id);

CREATE TABLE delivery_attempts (
  tenant_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  delivery_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  generation integer NOT NULL DEFAULT 0,
  number integer NOT NULL,
  started_at timestamptz NOT NULL,
  response_time_ms integer NOT NULL,
  response_code integer,
  response_headers jsonb,
  response_body text,
  error_kind text,
  error_message text,
  next_attempt_at timestamptz,
  CONSTRAINT delivery_attempts_pkey PRIMARY KEY (tenant_id, event_id, delivery_id, id)
) PARTITION BY RANGE (event_id);
CREATE TABLE delivery_attempts_default PARTITION OF delivery_attempts DEFAULT;
`;
