import { defineNotifications } from '#platform/notification-sources';

defineNotifications({
  // Requesters can't decide on their own requests.
  break_glass_requested: {
    permissions: ['break_glass:request', 'break_glass:approve'],
    withoutBreakGlass: true,
    isUrgent: true,
    sql: `SELECT b.organization_id, b.id AS resource_id, b.requester_email AS name, b.created_at AS since, b.expires_at AS due_at,
        NULL::text AS reason, b.requester_id AS excluded_user_id, NULL::text AS user_id
      FROM break_glass_requests b WHERE b.tenant_id = $1 AND b.status = 'pending' AND b.expires_at > $2`,
    path: (organizationId) => `/dashboard/organizations/${organizationId}/break-glass`,
  },
});
