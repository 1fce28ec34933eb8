import { defineNotifications } from '#platform/notification-sources';

const PENDING = `FROM impersonations i WHERE i.tenant_id = $1 AND i.status = 'pending' AND i.expires_at > $2`;

defineNotifications({
  // Requesters can't approve their own requests.
  impersonation_requested: {
    permissions: ['users:impersonate'],
    withoutBreakGlass: true,
    isUrgent: true,
    sql: `SELECT i.organization_id, i.id AS resource_id, i.impersonator_email AS name, i.created_at AS since, i.expires_at AS due_at,
        NULL::text AS reason, i.impersonator_id AS excluded_user_id, NULL::text AS user_id
      ${PENDING} AND i.approval = 'second_person'`,
    path: (organizationId) => `/dashboard/organizations/${organizationId}/impersonations`,
  },
  impersonation_of_you_requested: {
    permissions: [],
    isUrgent: true,
    sql: `SELECT i.organization_id, i.id AS resource_id, i.impersonator_email AS name, i.created_at AS since, i.expires_at AS due_at,
        NULL::text AS reason, NULL::text AS excluded_user_id, i.user_id
      ${PENDING} AND i.approval = 'user'`,
    path: () => '/account/acting-for-you',
  },
});
