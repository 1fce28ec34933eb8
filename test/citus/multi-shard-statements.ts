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

/** All statements that may go to more than one shard. Requests about one tenant are not among them, except writes of values. */
export const MULTI_SHARD_STATEMENTS: readonly MultiShardStatement[] = [
  { sql: 'INSERT INTO organization_handles (handle, tenant_id, organization_id) VALUES', reason: WRITE_BY_VALUE },
  { sql: 'INSERT INTO token_hashes', reason: WRITE_BY_VALUE },

  { sql: 'FROM ( SELECT tenant_id FROM events WHERE position IS NULL AND tenant_id > $1', reason: RELAY },
  { sql: 'AS booked_for_ms, next_attempt_at::text AS due_at', reason: RELAY },
  {
    sql: 'FROM unnest($1::text[], $2::text[]) AS j (tenant_id, id) JOIN webhooks w',
    reason: 'A batch of deliveries can be for webhooks of several tenants.',
  },

  { sql: 'DELETE FROM deliveries_default', reason: RETENTION },
  { sql: 'DELETE FROM delivery_attempts_default', reason: RETENTION },
  { sql: 'DELETE FROM events_default', reason: RETENTION },
  { sql: 'INSERT INTO event_anchors (tenant_id, from_position, to_position, chain_hash) SELECT', reason: RETENTION },

  { sql: 'DELETE FROM passkey_sign_ins WHERE', reason: CLEAN_UP },
  { sql: 'DELETE FROM mfa_challenges WHERE (tenant_id, token_hash) IN', reason: CLEAN_UP },
  { sql: 'DELETE FROM mfa_enrolments WHERE (tenant_id, user_id, method) IN', reason: CLEAN_UP },
  { sql: 'DELETE FROM threat_reports WHERE reported_at <= $1', reason: CLEAN_UP },

  { sql: 'FROM organizations WHERE deleted_at <= $1 AND deletion_root_id = id', reason: BACKGROUND },
  { sql: "WHERE u.status = 'deleted' AND u.deleted_at <= $1 AND o.deleted_at IS NULL", reason: BACKGROUND },
  { sql: 'FROM event_streams WHERE chained_position < last_position', reason: BACKGROUND },
  { sql: 'FROM event_redactions WHERE completed_at IS NULL AND requested_at <= $1', reason: BACKGROUND },
  { sql: "FROM messages WHERE status IN ('pending', 'sending') AND next_attempt_at <= $1", reason: BACKGROUND },
  { sql: "UPDATE messages SET status = 'sending'", reason: BACKGROUND },
  { sql: "FROM break_glass_requests WHERE (status = 'pending' AND expires_at <= now())", reason: BACKGROUND },
  {
    sql: 'FROM webhook_health h JOIN webhooks w ON w.tenant_id = h.tenant_id AND w.id = h.webhook_id AND w.deleted_at IS NULL',
    reason: BACKGROUND,
  },
  { sql: 'AND (k.tenant_id, k.id) > ($2, $3)', reason: BACKGROUND },
  { sql: 'AND (w.tenant_id, w.id) > ($1, $2)', reason: BACKGROUND },

  {
    sql: 'SELECT FROM organizations LIMIT 1',
    reason: 'The first start of an installation checks whether an organization exists.',
  },
  { sql: 'WHERE w.deleted_at IS NULL AND true', reason: PLATFORM },
];
