import * as example from '../catalog-examples.js';
import type {
  ApiKeyData,
  ApiKeyFlaggedData,
  BreakGlassData,
  BreakGlassEndedData,
  SessionRevokedData,
  SsoBypassedData,
  SuspiciousActivityData,
  WebhookFlaggedData,
} from '../event-data.js';
import { event } from './event-definition.js';

export const SECURITY_EVENTS = {
  'security.suspicious_activity': event<SuspiciousActivityData>(
    'Suspicious activity was detected. `rule` is the name of the detection rule. `signals` contains the details. `action` is the reaction of the service. If a rule repeatedly detects activity of the same user, email address, IP address or webhook, the event is published at most once per hour.',
    {
      rule: 'many_failures',
      riskLevel: 'high',
      signals: { userId: example.USER_ID, ipAddress: '203.0.113.7', failures: 5 },
      action: 'locked',
    },
  ),
  'security.api_key_created': event<ApiKeyData & { expiresAt: string | null }>('An API key was created.', {
    ...example.apiKey,
    expiresAt: '2027-01-31T12:00:00.000Z',
  }),
  'security.api_key_revoked': event<ApiKeyData & { reason: string }>(
    'An API key was revoked or rotated. `reason` is `revoked` or `rotated`.',
    {
      ...example.apiKey,
      reason: 'revoked',
    },
  ),
  'security.api_key_flagged': event<ApiKeyFlaggedData>(
    'An API key was flagged because its owner is suspended or deleted, or lacks permissions of the key. `missing` lists the permissions that the owner lacks. Also published when the flag is removed. In this case, `flag` is null.',
    { ...example.apiKey, flag: 'permissions_lost', missing: ['users:read'], disabled: false },
  ),
  'security.webhook_flagged': event<WebhookFlaggedData>(
    'A webhook was flagged because its owner is suspended or deleted, or lacks the permission `events:read`. Also published when the flag is removed. In this case, `flag` is null.',
    {
      id: example.webhook.id,
      organizationId: example.webhook.organizationId,
      name: 'Billing',
      flag: 'permissions_lost',
      disabled: false,
    },
  ),
  'security.session_revoked': event<SessionRevokedData>(
    'A session was revoked by its user, by an administrator or by the service, for example after a password change. `reason` is the reason why the session was revoked. When a user signs out, `user.logout` is published instead.',
    {
      sessionId: example.SESSION_ID,
      userId: example.USER_ID,
      reason: 'user_suspended',
    },
  ),
  'security.sso_bypassed': event<SsoBypassedData>(
    'An owner signed in with a password or a passkey, although the setting `ssoRequired` applies. Owners are excepted from the setting, so that they can still sign in if the identity provider does not work.',
    { userId: example.USER_ID, sessionId: example.SESSION_ID, method: 'password', mfaMethod: 'totp' },
  ),
  'security.break_glass_requested': event<BreakGlassData>('A user requested break-glass access.', {
    requestId: 'bgr_01kf0000000000000000000000',
    requesterId: example.USER_ID,
    reason: 'Production is down and no owner can be reached',
    role: 'owner',
    durationSeconds: 3600,
  }),
  'security.break_glass_ended': event<BreakGlassEndedData>(
    'Break-glass access ended, or a break-glass request ended before its approval. A request also ends if it is not approved or denied in time. `granted` is true if the request was approved.',
    {
      requestId: 'bgr_01kf0000000000000000000000',
      requesterId: example.USER_ID,
      role: 'owner',
      granted: true,
      reason: 'time_over',
    },
  ),
} as const;
