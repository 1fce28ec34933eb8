/** What a notification can be about. */
export const NOTIFICATION_TYPES = [
  'webhook_failing',
  'webhook_disabled',
  'webhook_flagged',
  'api_key_expiring',
  'api_key_flagged',
  'oauth_client_secret_expiring',
  'oauth_client_flagged',
  'scim_connection_stopped',
  'scim_connection_silent',
  'scim_token_expiring',
  'domain_lost',
  'application_approval_requested',
  'break_glass_requested',
  'impersonation_requested',
  'impersonation_of_you_requested',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];
