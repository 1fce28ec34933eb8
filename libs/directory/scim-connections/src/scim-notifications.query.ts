import { defineNotifications } from '#platform/notification-sources';

/** A directory that has sent nothing for this time may have lost its connection. Directories send what changes, most of them at least daily. */
const SILENT_AFTER = `interval '7 days'`;

const IS_VALID = `t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)`;

const path = (organizationId: string, id: string): string => `/dashboard/organizations/${organizationId}/scim/${id}`;
const PERMISSIONS = ['scim:read', 'scim:write'] as const;

defineNotifications({
  scim_connection_stopped: {
    permissions: PERMISSIONS,
    isUrgent: true,
    sql: `SELECT c.organization_id, c.id AS resource_id, c.name, coalesce(c.stopped_at, c.updated_at) AS since,
        NULL::timestamptz AS due_at, NULL::text AS reason, NULL::text AS excluded_user_id, NULL::text AS user_id
      FROM scim_connections c WHERE c.tenant_id = $1 AND c.mode = 'stopped'`,
    path,
  },
  // A connection without requests yet is still being set up, so it is not reported.
  scim_connection_silent: {
    permissions: PERMISSIONS,
    isUrgent: false,
    sql: `SELECT c.organization_id, c.id AS resource_id, c.name, u.last_used_at AS since,
        NULL::timestamptz AS due_at, CASE WHEN u.has_token THEN 'no_requests' ELSE 'no_token' END AS reason,
        NULL::text AS excluded_user_id, NULL::text AS user_id
      FROM scim_connections c JOIN (
        SELECT t.connection_id, max(t.last_used_at) AS last_used_at, bool_or(${IS_VALID}) AS has_token
        FROM scim_tokens t WHERE t.tenant_id = $1 GROUP BY t.connection_id
      ) u ON u.connection_id = c.id
      WHERE c.tenant_id = $1 AND c.mode = 'active' AND u.last_used_at IS NOT NULL
        AND (NOT u.has_token OR u.last_used_at < $2 - ${SILENT_AFTER})`,
    path,
  },
  // Another token of the connection that is valid for longer has replaced the token.
  scim_token_expiring: {
    permissions: PERMISSIONS,
    isUrgent: true,
    sql: `SELECT c.organization_id, c.id AS resource_id, c.name || ': ' || t.name AS name, t.expires_at - interval '14 days' AS since,
        t.expires_at AS due_at, NULL::text AS reason, NULL::text AS excluded_user_id, NULL::text AS user_id
      FROM scim_tokens t JOIN scim_connections c ON c.tenant_id = $1 AND c.id = t.connection_id
      WHERE t.tenant_id = $1 AND t.revoked_at IS NULL AND t.expires_at > $2 AND t.expires_at <= $2 + interval '14 days'
        AND NOT EXISTS (SELECT FROM scim_tokens n WHERE n.tenant_id = $1 AND n.connection_id = t.connection_id AND n.revoked_at IS NULL
          AND n.created_at > t.created_at AND (n.expires_at IS NULL OR n.expires_at > t.expires_at))`,
    path,
  },
});
