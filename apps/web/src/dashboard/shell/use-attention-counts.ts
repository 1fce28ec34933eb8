import { type Notification, useNotifications } from '../notifications/notification-queries';

/** The page of the organization that solves what a notification is about. */
const PATHS: Partial<Record<Notification['type'], string>> = {
  webhook_failing: '/webhooks',
  webhook_disabled: '/webhooks',
  webhook_flagged: '/webhooks',
  api_key_expiring: '/api-keys',
  api_key_flagged: '/api-keys',
  oauth_client_secret_expiring: '/applications',
  oauth_client_flagged: '/applications',
  application_approval_requested: '/applications',
  scim_connection_stopped: '/scim',
  scim_connection_silent: '/scim',
  scim_token_expiring: '/scim',
  domain_lost: '/domains',
  break_glass_requested: '/break-glass',
  impersonation_requested: '/impersonations',
};

export type AttentionCounts = Readonly<Record<string, number>>;

/** Returns the number of things that fail, expire or wait for a decision in an organization, by the path of their page. */
export function useAttentionCounts(org: string): AttentionCounts {
  const data = useNotifications()?.query.data ?? [];
  const counts: Record<string, number> = {};
  for (const { type, organization } of data) {
    const path = PATHS[type];
    if (path !== undefined && organization.id === org) counts[path] = (counts[path] ?? 0) + 1;
  }
  return counts;
}
