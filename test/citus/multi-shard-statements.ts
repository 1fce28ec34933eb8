/** A statement that goes to more than one shard, and the reason. */
export interface MultiShardStatement {
  /** A part of the statement, with single spaces, that no other statement has. */
  readonly sql: string;
  readonly reason: string;
}

const WRITE_BY_VALUE = 'A row that is found by a value is on the shard of the value.';
const RELAY = 'The relay and the sweeper look for work of all tenants.';
const RETENTION = 'Retention deletes old rows of all tenants.';
const CLEAN_UP = 'The clean-up deletes expired rows of all tenants.';
const BACKGROUND = 'A background job looks for work of all tenants, in batches.';
const PLATFORM = 'Operators of the platform list rows of all tenants.';
const SEVERAL_TENANTS = 'Lists and batches can have rows of several tenants.';
const GUEST = 'A guest has rows in several tenants; all other users have rows in one.';
const PURGE = 'A purge deletes rows by value, which are on other shards.';
const UPDATE = 'After an update, the history of all tenants is completed once.';
const COMMAND = 'An operator runs this command for all tenants.';

/** All statements that may go to more than one shard. Requests about one tenant are not among them, except writes of values. */
export const MULTI_SHARD_STATEMENTS: readonly MultiShardStatement[] = [
  { sql: 'INSERT INTO organization_handles (handle, tenant_id, organization_id) VALUES', reason: WRITE_BY_VALUE },
  { sql: 'INSERT INTO verified_domains', reason: WRITE_BY_VALUE },
  { sql: 'SELECT name FROM verified_domains WHERE name = ANY ($1)', reason: WRITE_BY_VALUE },
  { sql: 'SELECT id FROM users WHERE id = ANY ($1)', reason: SEVERAL_TENANTS },
  { sql: 'INSERT INTO token_hashes', reason: WRITE_BY_VALUE },
  { sql: 'INSERT INTO oauth_artifacts', reason: WRITE_BY_VALUE },
  { sql: 'DELETE FROM oauth_artifacts WHERE sign_in_id = $1', reason: WRITE_BY_VALUE },
  { sql: 'DELETE FROM oauth_artifacts WHERE (id_hash) IN', reason: CLEAN_UP },
  { sql: 'DELETE FROM oauth_grants WHERE user_id = $1', reason: PURGE },
  { sql: 'FROM oauth_clients c JOIN organizations o ON o.tenant_id = c.tenant_id', reason: BACKGROUND },

  { sql: "pg_advisory_xact_lock_shared(hashtextextended('history|' || $2::text, 0))", reason: GUEST },
  { sql: '_history WHERE valid_to <= $1 LIMIT $2)', reason: CLEAN_UP },
  { sql: '_history h SET valid_to = $1::timestamptz', reason: UPDATE },
  { sql: "$1::timestamptz, 'infinity' FROM", reason: UPDATE },

  { sql: 'FROM ( SELECT tenant_id FROM events WHERE position IS NULL AND tenant_id > $1', reason: RELAY },
  { sql: 'AS booked_for_ms, next_attempt_at::text AS due_at', reason: RELAY },
  { sql: 'FROM unnest($1::text[], $2::text[]) AS j (tenant_id, id) JOIN webhooks w', reason: SEVERAL_TENANTS },
  {
    sql: 'FROM jsonb_to_recordset($1::jsonb) AS r (tenant_id text, event_id text, id text, webhook_id text',
    reason: SEVERAL_TENANTS,
  },
  { sql: 'UPDATE deliveries d SET lease_owner = $6', reason: SEVERAL_TENANTS },
  { sql: 'SELECT tenant_id, id, payload, traceparent FROM events WHERE tenant_id = ANY ($1::text[])', reason: SEVERAL_TENANTS },
  {
    sql: "FROM deliveries WHERE status = 'pending' AND next_attempt_at IS NULL AND (tenant_id, webhook_id) > ($1, $2)",
    reason: RELAY,
  },
  { sql: 'UPDATE webhook_health h SET probed_at = now()', reason: RELAY },
  { sql: "SELECT (SELECT count(*)::int FROM (SELECT 1 FROM deliveries WHERE status = 'pending'", reason: RELAY },
  { sql: 'FROM (SELECT tenant_id, created_at FROM events WHERE position IS NULL AND tenant_id > $1', reason: RELAY },
  { sql: 'FROM event_subscriber_cursors WHERE due_at <= statement_timestamp()', reason: RELAY },
  { sql: 'SELECT subscriber, sum(head - position)::float8 AS events', reason: RELAY },

  { sql: 'DELETE FROM deliveries_default', reason: RETENTION },
  { sql: 'DELETE FROM delivery_attempts_default', reason: RETENTION },
  { sql: 'DELETE FROM events_default', reason: RETENTION },
  { sql: 'INSERT INTO event_anchors (tenant_id, from_position, to_position, chain_hash) SELECT', reason: RETENTION },
  { sql: "FROM deliveries WHERE event_id >= $1 AND event_id < $2 AND status = 'pending' LIMIT 1", reason: RETENTION },
  { sql: 'SELECT FROM events_2', reason: RETENTION },
  { sql: 'SELECT FROM deliveries_2', reason: RETENTION },
  { sql: 'SELECT FROM delivery_attempts_2', reason: RETENTION },
  { sql: 'DROP TABLE ', reason: RETENTION },

  { sql: 'DELETE FROM passkey_sign_ins WHERE', reason: CLEAN_UP },
  { sql: 'DELETE FROM mfa_challenges WHERE (tenant_id, token_hash) IN', reason: CLEAN_UP },
  { sql: 'DELETE FROM mfa_enrolments WHERE (tenant_id, user_id, method) IN', reason: CLEAN_UP },
  { sql: 'DELETE FROM threat_reports WHERE (tenant_id, rule, subject) IN', reason: CLEAN_UP },
  { sql: 'DELETE FROM idempotency_records WHERE (caller_id, operation, key) IN', reason: CLEAN_UP },
  { sql: 'DELETE FROM oidc_sign_ins WHERE (state_hash) IN', reason: CLEAN_UP },
  { sql: 'DELETE FROM sign_in_failures WHERE (tenant_id, account, address) IN', reason: CLEAN_UP },
  { sql: 'DELETE FROM sign_in_origins WHERE (tenant_id, user_id, kind, origin) IN', reason: CLEAN_UP },
  { sql: 'DELETE FROM event_redactions r WHERE r.completed_at < $1', reason: CLEAN_UP },

  { sql: 'FROM organizations WHERE deleted_at <= $1 AND deletion_root_id = id', reason: BACKGROUND },
  { sql: 'FROM "domains" "Domain" WHERE (("Domain"."next_check_at"', reason: BACKGROUND },
  { sql: "WHERE u.status = 'deleted' AND u.deleted_at <= $1 AND o.deleted_at IS NULL", reason: BACKGROUND },
  { sql: "WHERE c.mode IN ('applying', 'rolling_back') ORDER BY c.tenant_id, c.id", reason: BACKGROUND },
  { sql: 'FROM event_streams WHERE chained_position < last_position', reason: BACKGROUND },
  { sql: 'FROM event_redactions WHERE completed_at IS NULL AND requested_at <= $1', reason: BACKGROUND },
  { sql: "FROM messages WHERE status IN ('pending', 'sending') AND next_attempt_at <= $1", reason: BACKGROUND },
  { sql: "UPDATE messages SET status = 'sending'", reason: BACKGROUND },
  { sql: "FROM break_glass_requests WHERE (status = 'pending' AND expires_at <= now())", reason: BACKGROUND },
  {
    sql: 'FROM webhook_health h JOIN webhooks w ON w.tenant_id = h.tenant_id AND w.id = h.webhook_id AND w.deleted_at IS NULL',
    reason: BACKGROUND,
  },
  { sql: 'WITH folded AS ( DELETE FROM directory_count_deltas', reason: BACKGROUND },
  { sql: 'AND (k.tenant_id, k.id) > ($2, $3)', reason: BACKGROUND },
  { sql: 'AND (w.tenant_id, w.id) > ($1, $2)', reason: BACKGROUND },

  {
    sql: 'SELECT FROM organizations LIMIT 1',
    reason: 'The first start of an installation checks whether an organization exists.',
  },
  { sql: 'WHERE w.deleted_at IS NULL AND true', reason: PLATFORM },
  { sql: 'EXISTS (SELECT FROM organizations a WHERE a.tenant_id = w.tenant_id', reason: GUEST },
  { sql: 'FROM organizations t WHERE t.deleted_at IS', reason: PLATFORM },
  { sql: 't.settings_overrides AS "settingsOverrides"', reason: PLATFORM },
  { sql: '"EventSubscriberCursor"."tenant_id" AS', reason: PLATFORM },
  {
    sql: 'SELECT tenant_id AS "tenantId" FROM users WHERE id = $1',
    reason: 'A platform key adds a user of another tenant by ID.',
  },
  {
    sql: 'FROM "event_subscriber_cursors" "EventSubscriberCursor" WHERE (("EventSubscriberCursor"."subscriber" = $1',
    reason: PLATFORM,
  },
  { sql: 'SELECT "Message"."tenant_id"', reason: 'The mailbox of development lists messages of all tenants.' },

  {
    sql: 'FROM webhooks w JOIN organizations o ON o.tenant_id = w.tenant_id AND o.id = w.organization_id AND o.deleted_at IS NULL WHERE w.deleted_at IS NULL AND w.tenant_id = ANY($3)',
    reason: GUEST,
  },
  {
    sql: 'SELECT id, name, settings_overrides, locked_settings FROM organizations WHERE tenant_id = ANY($1)',
    reason: SEVERAL_TENANTS,
  },
  { sql: 'JOIN directory_counts c ON c.tenant_id = o.tenant_id AND c.organization_id = o.id', reason: SEVERAL_TENANTS },
  { sql: 'SELECT o.id FROM organizations o WHERE o.tenant_id = ANY($1) AND o.id = ANY($2)', reason: SEVERAL_TENANTS },
  {
    sql: 'SELECT id, ancestor_ids AS "ancestorIds" FROM organizations WHERE ((deleted_at IS NULL AND id = ANY($1))',
    reason: GUEST,
  },
  { sql: 'UPDATE "role_assignments" SET "user_status"', reason: GUEST },
  { sql: 'UPDATE "directory_entries" SET', reason: GUEST },
  { sql: 'DELETE FROM "role_assignments" WHERE ("tenant_id" = ANY($1)', reason: GUEST },
  { sql: 'DELETE FROM group_members g WHERE tenant_id = ANY ($1) AND user_id = $2', reason: GUEST },
  { sql: 'DELETE FROM "memberships" WHERE ("tenant_id" = ANY($1)', reason: GUEST },
  { sql: 'DELETE FROM "directory_entries" WHERE ("tenant_id" = ANY($1)', reason: GUEST },
  {
    sql: 'INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount) SELECT c.tenant_id',
    reason: GUEST,
  },
  { sql: 'DELETE FROM break_glass_requests b WHERE tenant_id = ANY ($1)', reason: GUEST },
  { sql: 'INSERT INTO event_redactions (tenant_id, user_id) SELECT', reason: GUEST },
  {
    sql: 'json_agg(DISTINCT r.role_id) AS "roleIds" FROM memberships m JOIN organizations o',
    reason: GUEST,
  },
  { sql: 'AND o.id = e.organization_id WHERE e.tenant_id = ANY ($4) AND e.user_id = $1', reason: GUEST },

  { sql: 'FROM mfa_challenges WHERE token_hash = $1', reason: 'The token of a challenge does not name the tenant.' },
  { sql: '"MfaChallenge"."token_hash"', reason: 'The token of a challenge does not name the tenant.' },

  { sql: 'DELETE FROM token_hashes', reason: PURGE },
  { sql: 'DELETE FROM "token_hashes"', reason: PURGE },
  { sql: 'DELETE FROM organization_handles', reason: PURGE },
  { sql: 'DELETE FROM verified_domains WHERE tenant_id = $1 AND organization_id', reason: PURGE },
  { sql: 'INSERT INTO organization_handles (handle, tenant_id, organization_id) SELECT', reason: COMMAND },
  { sql: 'split_part(', reason: COMMAND },
  { sql: '= v.resealed FROM unnest(', reason: COMMAND },
  { sql: 'ANALYZE ', reason: COMMAND },
];
