import { defineNotifications } from '#platform/notification-sources';

const PERMISSIONS = ['oauth_clients:read', 'oauth_clients:write'] as const;

defineNotifications({
  // Another secret of the client that is valid for longer has replaced the secret.
  oauth_client_secret_expiring: {
    permissions: PERMISSIONS,
    isUrgent: true,
    sql: `SELECT c.organization_id, c.id AS resource_id, c.name || ' (…' || s.last4 || ')' AS name, s.expires_at - interval '14 days' AS since,
        s.expires_at AS due_at, NULL::text AS reason, NULL::text AS excluded_user_id, NULL::text AS user_id
      FROM oauth_client_secrets s JOIN oauth_clients c ON c.tenant_id = $1 AND c.id = s.client_id
      WHERE s.tenant_id = $1 AND c.enabled AND s.expires_at > $2 AND s.expires_at <= $2 + interval '14 days'
        AND NOT EXISTS (SELECT FROM oauth_client_secrets n WHERE n.tenant_id = $1 AND n.client_id = s.client_id
          AND n.created_at > s.created_at AND (n.expires_at IS NULL OR n.expires_at > s.expires_at))`,
    path: (organizationId, id) => `/dashboard/organizations/${organizationId}/applications/${id}/secrets`,
  },
  oauth_client_flagged: {
    permissions: PERMISSIONS,
    isUrgent: false,
    sql: `SELECT c.organization_id, c.id AS resource_id, c.name, coalesce(c.flagged_at, c.updated_at) AS since,
        NULL::timestamptz AS due_at, c.flag AS reason, NULL::text AS excluded_user_id, NULL::text AS user_id
      FROM oauth_clients c
      WHERE c.tenant_id = $1 AND c.enabled AND (c.expires_at IS NULL OR c.expires_at > $2) AND c.flag IS NOT NULL`,
    path: (organizationId, id) => `/dashboard/organizations/${organizationId}/applications/${id}`,
  },
});
