/**
 * Credentials, outgoing emails and text messages, and idempotency. Hashes of random tokens are unique across all tenants, so the hashes
 * have a separate table.
 */
export const OPERATION_TABLES = `
CREATE TABLE token_hashes (
  hash bytea NOT NULL,
  kind text NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  CONSTRAINT token_hashes_pkey PRIMARY KEY (hash),
  CONSTRAINT token_hashes_kind_check CHECK (kind IN ('api_key', 'session', 'one_time_token'))
);
CREATE INDEX token_hashes_subject_idx ON token_hashes (tenant_id, subject_id);

-- Platform keys have the tenant 'platform' and no organization.
CREATE TABLE api_keys (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C",
  name text NOT NULL,
  scopes text[] NOT NULL,
  prefix text NOT NULL,
  last4 text NOT NULL,
  source text NOT NULL DEFAULT 'api',
  created_by_type text NOT NULL,
  created_by_id text COLLATE "C",
  rotated_from_id text COLLATE "C",
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT api_keys_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id),
  CONSTRAINT api_keys_source_check CHECK (source IN ('api', 'environment', 'first_start')),
  CONSTRAINT api_keys_platform_check CHECK ((organization_id IS NULL) = (tenant_id = 'platform'))
);
CREATE INDEX api_keys_organization_idx ON api_keys (tenant_id, organization_id, id);

CREATE TABLE sessions (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  ip_address text,
  user_agent text,
  authentication_methods text[] NOT NULL DEFAULT '{}',
  enrolment_only boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_reason text,
  CONSTRAINT sessions_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX sessions_user_idx ON sessions (tenant_id, user_id, id) WHERE revoked_at IS NULL;

-- Tokens that are sent to a user (invitation, password reset, verification). Bound to user, organization and purpose; used once.
CREATE TABLE one_time_tokens (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  purpose text NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  bound_to text,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  voided_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT one_time_tokens_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT one_time_tokens_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX one_time_tokens_user_idx ON one_time_tokens (tenant_id, user_id, purpose);

-- The password of a user, as the PHC string of a slow hash.
CREATE TABLE user_credentials (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  password_hash text NOT NULL,
  password_changed_at timestamptz NOT NULL,
  CONSTRAINT user_credentials_pkey PRIMARY KEY (tenant_id, user_id),
  CONSTRAINT user_credentials_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);

-- Previous passwords: as many as the organization does not allow again, at most 24.
CREATE TABLE password_history (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  password_hash text NOT NULL,
  replaced_at timestamptz NOT NULL,
  CONSTRAINT password_history_pkey PRIMARY KEY (tenant_id, user_id, id),
  CONSTRAINT password_history_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);

-- Emails and text messages, written in the transaction of the change and sent by a worker. The content is encrypted, because it can
-- contain a link that signs somebody in.
CREATE TABLE messages (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C",
  channel text NOT NULL,
  template text NOT NULL,
  recipient text NOT NULL,
  content_sealed text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  attempt_count integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL,
  lease_owner text,
  lease_until timestamptz,
  last_error text,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  CONSTRAINT messages_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT messages_channel_check CHECK (channel IN ('email', 'sms')),
  CONSTRAINT messages_status_check CHECK (status IN ('pending', 'sending', 'sent', 'failed'))
);
CREATE INDEX messages_due_idx ON messages (next_attempt_at) WHERE status IN ('pending', 'sending');
CREATE INDEX messages_id_idx ON messages (id);

CREATE TABLE idempotency_records (
  caller_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  request_hash bytea NOT NULL,
  response_status integer NOT NULL,
  response_sealed text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT idempotency_records_pkey PRIMARY KEY (caller_id, operation, key)
);
CREATE INDEX idempotency_records_created_idx ON idempotency_records (created_at);
`;
