/** The SQL statements of a minimal token endpoint. Each read is one prepared statement on the tables and indexes of the service. */

export const FIND_CLIENT = {
  name: 'find_client',
  text: `SELECT c.id, c.tenant_id, c.name, c.type, c.redirect_uris, c.grant_types, c.scopes, c.resource_scopes, c.authentication,
      o.id AS organization_id, o.name AS organization_name, o.ancestor_ids,
      (SELECT array_agg(s.hash) FROM oauth_client_secrets s
       WHERE s.tenant_id = c.tenant_id AND s.client_id = c.id AND (s.expires_at IS NULL OR s.expires_at > now())) AS secrets
    FROM token_hashes h JOIN oauth_clients c ON c.tenant_id = h.tenant_id AND c.id = h.subject_id
    JOIN organizations o ON o.tenant_id = c.tenant_id AND o.id = c.organization_id AND o.deleted_at IS NULL
    WHERE h.hash = $1 AND h.kind = 'oauth_client' AND c.enabled AND c.disabled_at IS NULL
      AND NOT EXISTS (SELECT FROM organizations s WHERE s.tenant_id = c.tenant_id AND s.status <> 'active' AND s.id = ANY (o.ancestor_ids || o.id))`,
};
export const FIND_RESOURCE = {
  name: 'find_resource',
  text: `SELECT r.identifier, r.scopes FROM token_hashes h JOIN oauth_resources r ON r.tenant_id = h.tenant_id AND r.id = h.subject_id
    WHERE h.hash = $1 AND h.kind = 'oauth_resource'`,
};
export const FIND_TOKEN = {
  name: 'find_token',
  text: `SELECT payload, tenant_id, sign_in_id FROM oauth_artifacts
    WHERE id_hash = $1 AND kind = 'RefreshToken' AND consumed_at IS NULL AND expires_at > now()`,
};
/** What decides whether a token is still good for anything, and the claims of the ID token. */
export const FIND_STANDING = {
  name: 'find_standing',
  text: `SELECT g.id, g.scopes, o.id AS organization_id, o.name AS organization_name, o.ancestor_ids, u.email, u.email_verified, u.first_name,
      u.last_name, u.display_name, u.picture, u.locale, u.updated_at, s.authentication_methods, s.authenticated_at,
      (SELECT array_agg(a.role_id) FROM role_assignments a
       WHERE a.tenant_id = g.tenant_id AND a.user_id = g.user_id AND a.organization_id = ANY (o.ancestor_ids || o.id)) AS roles
    FROM oauth_grants g JOIN organizations o ON o.tenant_id = g.tenant_id AND o.id = g.organization_id AND o.deleted_at IS NULL
    JOIN users u ON u.tenant_id = g.user_tenant_id AND u.id = g.user_id AND u.status = 'active'
    JOIN sessions s ON s.tenant_id = u.tenant_id AND s.id = $3 AND s.user_id = u.id AND s.revoked_at IS NULL AND s.expires_at > now()
    WHERE g.tenant_id = $1 AND g.id = $2 AND g.revoked_at IS NULL`,
};
export const CONSUME_TOKEN = {
  name: 'consume_token',
  text: 'UPDATE oauth_artifacts SET consumed_at = now() WHERE id_hash = $1 AND consumed_at IS NULL RETURNING id_hash',
};
export const INSERT_TOKEN = {
  name: 'insert_token',
  text: `INSERT INTO oauth_artifacts (id_hash, tenant_id, kind, payload, sign_in_id, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
};
