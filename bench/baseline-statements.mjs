/** What the service asks PostgreSQL for each operation, by hand: as many statements, the same rows read and written, the same indexes. */

export const SCOPE = `
  SELECT o.id, o.tenant_id, o.name, o.ancestor_ids FROM organization_handles h
  JOIN organizations o ON o.tenant_id = h.tenant_id AND o.id = h.organization_id WHERE h.handle = $1 AND o.deleted_at IS NULL`;

const USER_COLUMNS = `u.id, u.tenant_id, u.organization_id, u.email, u.email_verified, u.first_name, u.last_name, u.display_name, u.picture,
  u.phone_number, u.phone_verified, u.external_id, u.status, u.mfa_enabled, u.mfa_methods, u.metadata, u.suspended_at, u.suspended_reason,
  u.deleted_at, u.last_login_at, u.last_password_change_at, u.created_at, u.updated_at, u.version`;

export const GET_USER = `
  SELECT ${USER_COLUMNS} FROM users u JOIN directory_entries e ON e.user_tenant_id = u.tenant_id AND e.user_id = u.id
  JOIN organizations o ON o.tenant_id = u.tenant_id AND o.id = u.organization_id AND o.deleted_at IS NULL
  WHERE e.tenant_id = $1 AND e.organization_id = $2 AND e.user_id = $3`;
export const MEMBERSHIPS = `
  SELECT o.id, o.name, m.role_id FROM memberships m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
  WHERE m.user_id = $1 AND o.deleted_at IS NULL ORDER BY m.joined_at, o.id`;
export const IDENTITIES = 'SELECT provider, external_id FROM user_identities WHERE tenant_id = $1 AND user_id = $2';

export const LIST = `
  SELECT user_id FROM directory_entries WHERE tenant_id = $1 AND organization_id = $2 AND status <> 'deleted' ORDER BY user_id DESC LIMIT 21`;
export const TOTAL = `
  SELECT coalesce(sum(amount), 0)::int AS total FROM (
    SELECT amount FROM directory_counts WHERE tenant_id = $1 AND organization_id = $2 AND dimension = 'user' AND status <> 'deleted'
    UNION ALL
    SELECT amount FROM directory_count_deltas WHERE tenant_id = $1 AND organization_id = $2 AND dimension = 'user' AND status <> 'deleted'
  ) parts`;
export const SEARCH = `
  WITH e AS MATERIALIZED (
    SELECT user_id FROM directory_entries WHERE tenant_id = $1 AND organization_id = $2 AND status <> 'deleted'
      AND ARRAY[organization_id] @> ARRAY[$2] AND search_text LIKE $3
  ) SELECT (SELECT count(*)::int FROM e) AS total, ARRAY(SELECT user_id FROM e ORDER BY user_id DESC LIMIT 21) AS ids`;
export const USERS = `SELECT ${USER_COLUMNS} FROM users u WHERE u.id = ANY($1)`;
export const ROLES_HELD = `
  SELECT user_id, role_id, explicit FROM role_assignments WHERE tenant_id = $1 AND organization_id = $2 AND user_id = ANY($3)
  ORDER BY assigned_at, role_id`;
export const ROLES = 'SELECT id, name, permissions FROM roles WHERE id = ANY($1)';
export const ROLE_NAMED = 'SELECT id, name FROM roles WHERE tenant_id = $1 AND organization_id = $1 AND name = $2';
export const HOLD_ROLE = 'SELECT id, name FROM roles WHERE tenant_id = $1 AND id = $2 FOR SHARE';

export const SETTINGS = 'SELECT settings_overrides, locked_settings FROM organizations WHERE id = ANY($1)';
export const INSERT_USER = `
  INSERT INTO users (tenant_id, id, organization_id, email, email_key, first_name, last_name, status, created_at, updated_at)
  VALUES ($1, $2, $1, $3, $3, $4, $5, 'pending', $6, $6)`;
export const INSERT_MEMBERSHIP = `
  INSERT INTO memberships (tenant_id, organization_id, user_id, user_tenant_id, role_id, announced, joined_at, updated_at)
  VALUES ($1, $1, $2, $1, $3, false, $4, $4)`;
export const INSERT_ASSIGNMENT = `
  INSERT INTO role_assignments (tenant_id, organization_id, user_id, role_id, explicit, user_status, assigned_at)
  VALUES ($1, $1, $2, $3, $4, $5, $6)`;
export const INSERT_ENTRY = `
  INSERT INTO directory_entries (tenant_id, organization_id, user_id, user_tenant_id, user_organization_id, managed, member, status,
    email_key, search_text) VALUES ($1, $1, $2, $1, $1, true, true, 'pending', $3, $4)`;
export const INSERT_DELTAS = `
  INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
  SELECT $1, $1, dimension, $3, 1 FROM unnest($2::text[]) AS dimension`;
export const INSERT_EVENT = `
  INSERT INTO events (id, tenant_id, type, organization_id, parent_organization_id, ancestor_ids, user_id, actor_type, actor_id, payload,
    payload_digest, occurred_at) VALUES ($1, $2, $3, $2, NULL, '{}', $4, 'api', NULL, $5, $6, $7)`;

export const LOCK_USER = `
  SELECT ${USER_COLUMNS} FROM users u JOIN organizations o ON o.tenant_id = u.tenant_id AND o.id = u.organization_id
  WHERE u.id = $1 AND o.deleted_at IS NULL FOR NO KEY UPDATE OF u`;
export const MEMBERSHIP = 'SELECT role_id FROM memberships WHERE tenant_id = $1 AND organization_id = $2 AND user_id = $3';
export const ASSIGNMENT = `
  SELECT explicit FROM role_assignments WHERE tenant_id = $1 AND organization_id = $2 AND user_id = $3 AND role_id = $4`;
