import { defineNotifications } from '#platform/notification-sources';

const path = (organizationId: string): string => `/dashboard/organizations/${organizationId}/api-keys`;
const PERMISSIONS = ['api_keys:read', 'api_keys:write'] as const;

defineNotifications({
  // A key that was replaced by a rotation needs no action.
  api_key_expiring: {
    permissions: PERMISSIONS,
    isUrgent: true,
    sql: `SELECT k.organization_id, k.id AS resource_id, k.name || ' (…' || k.last4 || ')' AS name, k.expires_at - interval '14 days' AS since,
        k.expires_at AS due_at, NULL::text AS reason, NULL::text AS excluded_user_id, NULL::text AS user_id
      FROM api_keys k
      WHERE k.tenant_id = $1 AND k.revoked_at IS NULL AND k.expires_at > $2 AND k.expires_at <= $2 + interval '14 days'
        AND NOT EXISTS (SELECT FROM api_keys n WHERE n.tenant_id = $1 AND n.rotated_from_id = k.id)`,
    path,
  },
  api_key_flagged: {
    permissions: PERMISSIONS,
    isUrgent: false,
    sql: `SELECT k.organization_id, k.id AS resource_id, k.name || ' (…' || k.last4 || ')' AS name, coalesce(k.flagged_at, k.created_at) AS since,
        NULL::timestamptz AS due_at, k.flag AS reason, NULL::text AS excluded_user_id, NULL::text AS user_id
      FROM api_keys k
      WHERE k.tenant_id = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2) AND k.flag IS NOT NULL`,
    path,
  },
});
