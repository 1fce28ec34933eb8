import { defineNotifications } from '#platform/notification-sources';

defineNotifications({
  application_approval_requested: {
    permissions: ['application_approvals:read', 'application_approvals:write'],
    withoutBreakGlass: true,
    isUrgent: false,
    sql: `SELECT a.organization_id, a.id AS resource_id, r.email AS name, r.created_at AS since,
        NULL::timestamptz AS due_at, NULL::text AS reason, NULL::text AS excluded_user_id, NULL::text AS user_id
      FROM application_approvals a
      JOIN LATERAL (SELECT q.email, q.created_at FROM application_approval_requests q WHERE q.tenant_id = $1 AND q.approval_id = a.id
        ORDER BY q.created_at, q.user_id LIMIT 1) r ON true
      WHERE a.tenant_id = $1 AND a.status = 'pending'`,
    path: (organizationId) => `/dashboard/organizations/${organizationId}/applications/requests`,
  },
});
