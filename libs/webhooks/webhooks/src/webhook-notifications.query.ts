import { defineNotifications } from '#platform/notification-sources';

/** As many failures in a row as the pages show a webhook as failing. */
const FAILING_FROM_FAILURES = 3;

const path = (organizationId: string, id: string): string => `/dashboard/organizations/${organizationId}/webhooks/${id}`;
const PERMISSIONS = ['webhooks:read', 'webhooks:write'] as const;

defineNotifications({
  webhook_failing: {
    permissions: PERMISSIONS,
    isUrgent: true,
    sql: `SELECT w.organization_id, w.id AS resource_id, w.name, coalesce(h.failing_since, h.last_delivery_at) AS since,
        NULL::timestamptz AS due_at, CASE WHEN f.response_code IS NULL THEN f.error_kind ELSE 'status_' || f.response_code END AS reason,
        NULL::text AS excluded_user_id, NULL::text AS user_id
      FROM webhooks w JOIN webhook_health h ON h.tenant_id = $1 AND h.webhook_id = w.id
      LEFT JOIN LATERAL (SELECT t.error_kind, t.response_code FROM delivery_attempts t
        WHERE t.tenant_id = $1 AND t.webhook_id = w.id AND t.error_kind IS NOT NULL ORDER BY t.started_at DESC LIMIT 1) f ON true
      WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.enabled AND h.consecutive_failures >= ${FAILING_FROM_FAILURES}`,
    path,
  },
  // A webhook that a person disabled needs no action.
  webhook_disabled: {
    permissions: PERMISSIONS,
    isUrgent: true,
    sql: `SELECT w.organization_id, w.id AS resource_id, w.name, coalesce(w.disabled_at, w.updated_at) AS since,
        NULL::timestamptz AS due_at, w.disabled_by AS reason, NULL::text AS excluded_user_id, NULL::text AS user_id
      FROM webhooks w WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND NOT w.enabled AND w.disabled_by <> 'hand'`,
    path,
  },
  webhook_flagged: {
    permissions: PERMISSIONS,
    isUrgent: false,
    sql: `SELECT w.organization_id, w.id AS resource_id, w.name, coalesce(w.flagged_at, w.updated_at) AS since,
        NULL::timestamptz AS due_at, w.flag AS reason, NULL::text AS excluded_user_id, NULL::text AS user_id
      FROM webhooks w WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.enabled AND w.flag IS NOT NULL`,
    path,
  },
});
