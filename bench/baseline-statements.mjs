/**
 * The SQL statements of a minimal program. A read is one prepared statement, which includes the lookup of the organization. A change is
 * a transaction that writes a row and an event. The statements use the tables and indexes of the service.
 */

const SCOPE = `scope AS MATERIALIZED (SELECT o.id, o.tenant_id FROM organization_handles h
  JOIN organizations o ON o.tenant_id = h.tenant_id AND o.id = h.organization_id WHERE h.handle = $1 AND o.deleted_at IS NULL)`;

const COLUMNS = `u.id, u.email, u.email_verified, u.first_name, u.last_name, u.display_name, u.external_id, u.status, u.mfa_enabled,
  u.metadata, u.last_login_at, u.created_at, u.updated_at`;
const ROLES = `(SELECT json_agg(json_build_array(a.role_id, r.name, r.permissions) ORDER BY a.explicit, a.assigned_at, a.role_id)
  FROM role_assignments a LEFT JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
  WHERE a.tenant_id = scope.tenant_id AND a.organization_id = scope.id AND a.user_id = u.id) AS roles`;

export const GET_USER = {
  name: 'get_user',
  text: `WITH ${SCOPE} SELECT ${COLUMNS}, u.picture, u.locale, u.phone_number, u.phone_verified, u.mfa_methods, u.last_password_change_at, u.version, ${ROLES},
      (SELECT json_agg(json_build_array(o.id, o.name, m.role_id, r.name) ORDER BY m.joined_at, o.id)
       FROM memberships m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
       LEFT JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id WHERE m.user_id = u.id AND o.deleted_at IS NULL) AS organizations,
      (SELECT json_agg(json_build_object('provider', l.provider, 'externalId', l.external_id) ORDER BY l.created_at)
       FROM user_identities l WHERE l.tenant_id = u.tenant_id AND l.user_id = u.id) AS identity_providers
    FROM scope JOIN directory_entries e ON e.tenant_id = scope.tenant_id AND e.organization_id = scope.id AND e.user_id = $2
    JOIN users u ON u.tenant_id = e.user_tenant_id AND u.id = e.user_id`,
};

const listed = (name, list) => ({
  name,
  text: `WITH ${SCOPE}, ${list} SELECT p.total, ${COLUMNS}, ${ROLES} FROM scope, p
    LEFT JOIN unnest(p.ids) WITH ORDINALITY AS i (id, number) ON true LEFT JOIN users u ON u.id = i.id ORDER BY i.number`,
});
const TOTAL = ['directory_counts', 'directory_count_deltas']
  .map(
    (table) => `SELECT c.amount FROM scope JOIN ${table} c
      ON c.tenant_id = scope.tenant_id AND c.organization_id = scope.id AND c.dimension = 'user' AND c.status <> 'deleted'`,
  )
  .join(' UNION ALL ');
const ENTRIES = `SELECT e.user_id FROM scope JOIN directory_entries e
  ON e.tenant_id = scope.tenant_id AND e.organization_id = scope.id AND e.status <> 'deleted'`;

export const LIST = listed(
  'list_users',
  `p AS MATERIALIZED (SELECT (SELECT coalesce(sum(amount), 0)::int FROM (${TOTAL}) parts) AS total,
     ARRAY(SELECT e.user_id FROM directory_entries e WHERE e.tenant_id = (SELECT tenant_id FROM scope) AND e.organization_id = (SELECT id FROM scope)
       AND e.status <> 'deleted' ORDER BY e.user_id DESC LIMIT 21) AS ids)`,
);
const matches = (condition) => `e AS MATERIALIZED (${ENTRIES} WHERE ${condition}),
  p AS MATERIALIZED (SELECT (SELECT count(*)::int FROM e) AS total, ARRAY(SELECT user_id FROM e ORDER BY user_id DESC LIMIT 21) AS ids)`;

export const BY_EMAIL = listed('by_email', matches('e.email_key = $2'));
/** Not prepared, because the best plan depends on the search term. */
export const SEARCH = listed(undefined, matches('ARRAY[e.organization_id] @> ARRAY[scope.id] AND e.search_text LIKE $2'));

export const FIND_SCOPE = { name: 'find_scope', text: `WITH ${SCOPE} SELECT id, tenant_id FROM scope` };
export const INSERT_USER = {
  name: 'insert_user',
  text: `INSERT INTO users (tenant_id, id, organization_id, email, email_key, first_name, last_name, status, created_at, updated_at)
    VALUES ($1, $2, $1, $3, $3, $4, $5, 'pending', $6, $6)`,
};
export const INSERT_ASSIGNMENT = {
  name: 'insert_assignment',
  text: `INSERT INTO role_assignments (tenant_id, organization_id, user_id, role_id, explicit, user_status, assigned_at)
    VALUES ($1, $1, $2, $3, true, 'pending', $4) ON CONFLICT DO NOTHING`,
};
export const INSERT_EVENT = {
  name: 'insert_event',
  text: `INSERT INTO events (id, tenant_id, type, organization_id, parent_organization_id, ancestor_ids, user_id, actor_type, actor_id, payload,
      payload_digest, occurred_at) VALUES ($1, $2, $3, $2, NULL, '{}', $4, 'api', NULL, $5, $6, $7)`,
};
