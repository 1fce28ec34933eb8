import { defineNotifications } from '#platform/notification-sources';

defineNotifications({
  domain_lost: {
    permissions: ['domains:read', 'domains:write'],
    isUrgent: true,
    sql: `SELECT d.organization_id, d.id AS resource_id, d.name, coalesce(d.failing_since, d.updated_at) AS since,
        NULL::timestamptz AS due_at, d.last_error AS reason, NULL::text AS excluded_user_id, NULL::text AS user_id
      FROM domains d WHERE d.tenant_id = $1 AND d.status = 'failed'`,
    path: (organizationId) => `/dashboard/organizations/${organizationId}/domains`,
  },
});
