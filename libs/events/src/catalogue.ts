import type { Changes } from '#common';
import * as example from './catalogue-examples.js';
import type {
  ApiKeyData,
  ApiKeyFlaggedData,
  BreakGlassData,
  BreakGlassEndedData,
  EmailChangeCancelledData,
  EmailChangeRequestedData,
  IdentityProviderData,
  LoginData,
  LoginFailedData,
  LogoutData,
  MemberAddedData,
  MemberRemovedData,
  MfaChangedData,
  OrganizationData,
  PasswordChangedData,
  PasswordResetRequestedData,
  RecoveryCodesRenewedData,
  RoleAssignmentData,
  RoleData,
  SessionRevokedData,
  SuspiciousActivityData,
  UserCreatedData,
  UserData,
  UserInvitedData,
  UsersExportedData,
  WebhookData,
  WebhookFlaggedData,
  WebhookRevealedData,
} from './event-data.js';

/** One entry of the catalogue: what the event says, and one true example of its data. */
export interface EventDefinition<T extends object> {
  readonly description: string;
  readonly example: T;
  /** Fields of the example that not every event of the type has. */
  readonly optional: readonly (keyof T & string)[];
}

const event = <T extends object>(
  description: string,
  of: T,
  optional: readonly (keyof T & string)[] = [],
): EventDefinition<T> => ({ description, example: of, optional });

/** Every event type (specification 6.1, and those of later resources). Types, OpenAPI, docs, test deliveries and tests all follow from this table. */
export const EVENTS = {
  'user.created': event<UserCreatedData>('A user was created.', example.userCreated),
  'user.updated': event<UserData & { changes: Changes }>(
    'A user was updated.',
    {
      ...example.user,
      changes: { firstName: { from: 'Augusta', to: 'Ada' } },
    },
    ['externalId'],
  ),
  'user.deleted': event<UserData & { permanent: boolean; deletedAt: string; purgeAt: string | null }>(
    'A user was deleted.',
    {
      ...example.user,
      status: 'deleted',
      permanent: false,
      deletedAt: example.LATER,
      purgeAt: '2026-02-14T10:00:00.000Z',
    },
    ['externalId'],
  ),
  'user.suspended': event<
    UserData & { previousStatus: string; suspendedAt: string; suspendedReason: string; sessionsRevoked: number }
  >(
    'A user was suspended.',
    {
      ...example.user,
      status: 'suspended',
      previousStatus: 'active',
      suspendedAt: example.LATER,
      suspendedReason: 'Left the company',
      sessionsRevoked: 2,
    },
    ['externalId'],
  ),
  'user.activated': event<UserData & { previousStatus: string; activatedAt: string }>(
    'A user was activated.',
    {
      ...example.user,
      previousStatus: 'pending',
      activatedAt: example.LATER,
    },
    ['externalId'],
  ),
  'user.login': event<LoginData>('A user signed in.', {
    userId: example.USER_ID,
    sessionId: example.SESSION_ID,
    method: 'password',
    mfaMethod: 'totp',
  }),
  'user.login_failed': event<LoginFailedData>(
    'Someone failed to sign in.',
    {
      userId: example.USER_ID,
      email: 'ada@example.com',
      method: 'password',
      reason: 'wrong_password',
      failedAttempts: 3,
    },
    ['userId'],
  ),
  'user.logout': event<LogoutData>('A user signed out.', {
    userId: example.USER_ID,
    sessionId: example.SESSION_ID,
    reason: 'signed_out',
  }),
  'user.password_changed': event<PasswordChangedData>('A password was set or changed.', {
    userId: example.USER_ID,
    method: 'reset',
    changedAt: example.LATER,
  }),
  'user.mfa_enabled': event<MfaChangedData>('A second factor was added.', {
    userId: example.USER_ID,
    method: 'totp',
    mfaMethods: ['totp'],
  }),
  'user.mfa_disabled': event<MfaChangedData>('A second factor was removed.', {
    userId: example.USER_ID,
    method: 'totp',
    mfaMethods: ['passkey'],
  }),
  'user.invited': event<UserInvitedData>('A user was invited again: a new link was sent.', {
    userId: example.USER_ID,
    email: 'ada@example.com',
    expiresAt: '2026-01-22T10:00:00.000Z',
  }),
  'user.exported': event<UsersExportedData>('The users of an organization were exported.', {
    format: 'csv',
    filters: { status: 'active' },
  }),
  'user.password_reset_requested': event<PasswordResetRequestedData>(
    'A link that sets a new password was sent to a user, who or whose administrator asked for it.',
    { userId: example.USER_ID, email: 'ada@example.com', requestedBy: 'administrator', expiresAt: '2026-01-15T11:00:00.000Z' },
  ),
  'user.email_change_requested': event<EmailChangeRequestedData>(
    'A user asked for another email address, which has to be confirmed.',
    { userId: example.USER_ID, email: 'ada@example.com', newEmail: 'ada@example.org' },
  ),
  'user.email_change_cancelled': event<EmailChangeCancelledData>(
    'A requested change of an email address was cancelled by the link in the notice to the present address.',
    { userId: example.USER_ID, email: 'ada@example.com' },
  ),
  'user.recovery_codes_renewed': event<RecoveryCodesRenewedData>('A user got new recovery codes.', { userId: example.USER_ID }),
  'organization.created': event<OrganizationData>('An organization was created.', example.organization),
  'organization.updated': event<OrganizationData & { changes: Changes }>('An organization was updated, suspended or activated.', {
    ...example.organization,
    changes: { name: { from: 'Acme', to: 'Acme Corporation' } },
  }),
  'organization.deleted': event<OrganizationData & { deletedAt: string; purgeAt: string }>('An organization was deleted.', {
    ...example.organization,
    deletedAt: example.LATER,
    purgeAt: '2026-02-14T10:00:00.000Z',
  }),
  'organization.member_added': event<MemberAddedData>('A user became a member of an organization.', {
    organizationId: example.ORGANIZATION_ID,
    userId: example.USER_ID,
    email: 'ada@example.com',
    role: 'member',
    joinedAt: example.LATER,
  }),
  'organization.member_removed': event<MemberRemovedData>('A user is no longer a member of an organization.', {
    organizationId: example.ORGANIZATION_ID,
    userId: example.USER_ID,
    email: 'ada@example.com',
    role: 'member',
    removedAt: example.LATER,
  }),
  'role.created': event<RoleData>('A role was created.', example.role),
  'role.updated': event<RoleData & { changes: Changes }>('A role was updated.', {
    ...example.role,
    changes: { permissions: { from: ['invoices:read'], to: ['invoices:read', 'invoices:write'] } },
  }),
  'role.deleted': event<RoleData & { reassignedTo: { id: string; name: string } | null }>(
    'A role was deleted; those who held it have the role `reassignedTo` instead.',
    { ...example.role, reassignedTo: { id: 'role_viewer', name: 'viewer' } },
  ),
  'role.assigned': event<RoleAssignmentData>('A role was assigned to a user.', example.roleAssignment),
  'role.revoked': event<RoleAssignmentData>('A role was taken from a user.', example.roleAssignment),
  'webhook.created': event<WebhookData>('A webhook was created.', example.webhook),
  'webhook.updated': event<WebhookData & { changes: Changes }>('A webhook was changed by somebody, or its secret was.', {
    ...example.webhook,
    changes: { events: { from: ['user.created'], to: ['user.*'] } },
  }),
  'webhook.deleted': event<WebhookData>('A webhook was deleted.', example.webhook),
  'webhook.secret_revealed': event<WebhookRevealedData>("Somebody was shown a webhook's signing secret.", {
    id: example.webhook.id,
    organizationId: example.ORGANIZATION_ID,
    name: 'Billing',
  }),
  'identity_provider.created': event<IdentityProviderData>('An identity provider was added.', example.identityProvider),
  'identity_provider.updated': event<IdentityProviderData & { changes: Changes }>('An identity provider was changed.', {
    ...example.identityProvider,
    changes: { trustedDomains: { from: [], to: ['example.com'] } },
  }),
  'identity_provider.deleted': event<IdentityProviderData>('An identity provider was removed.', example.identityProvider),
  'security.suspicious_activity': event<SuspiciousActivityData>('Something looks like an attack.', {
    rule: 'many_failures',
    riskLevel: 'high',
    signals: { userId: example.USER_ID, ipAddress: '203.0.113.7', failures: 5 },
    action: 'locked',
  }),
  'security.api_key_created': event<ApiKeyData & { expiresAt: string | null }>('An API key was created.', {
    ...example.apiKey,
    expiresAt: '2027-01-31T12:00:00.000Z',
  }),
  'security.api_key_revoked': event<ApiKeyData & { reason: string }>('An API key was revoked.', {
    ...example.apiKey,
    reason: 'revoked',
  }),
  'security.api_key_flagged': event<ApiKeyFlaggedData>(
    'An API key was flagged because its owner is suspended or deleted or lacks permissions of the key, or the flag was removed (`flag` is null).',
    { ...example.apiKey, flag: 'permissions_lost', missing: ['users:read'], disabled: false },
  ),
  'security.webhook_flagged': event<WebhookFlaggedData>(
    'A webhook was flagged because its owner is suspended or deleted or may not read events, or the flag was removed (`flag` is null).',
    {
      id: example.webhook.id,
      organizationId: example.webhook.organizationId,
      name: 'Billing',
      flag: 'permissions_lost',
      disabled: false,
    },
  ),
  'security.session_revoked': event<SessionRevokedData>(
    'A session was ended by someone or something else than its user signing out.',
    {
      sessionId: example.SESSION_ID,
      userId: example.USER_ID,
      reason: 'user_suspended',
    },
  ),
  'security.break_glass_requested': event<BreakGlassData>('Someone asked for emergency access.', {
    requestId: 'bgr_01kf0000000000000000000000',
    requesterId: example.USER_ID,
    reason: 'Production is down and no owner can be reached',
    role: 'owner',
    durationSeconds: 3600,
  }),
  'security.break_glass_ended': event<BreakGlassEndedData>(
    'Emergency access ended, or a request for it was withdrawn or was not decided in time.',
    {
      requestId: 'bgr_01kf0000000000000000000000',
      requesterId: example.USER_ID,
      role: 'owner',
      granted: true,
      reason: 'time_over',
    },
  ),
} as const;

export type EventType = keyof typeof EVENTS;
/** The shape of an event type's `data`. */
export type EventData<T extends EventType> = (typeof EVENTS)[T]['example'] extends infer D
  ? D extends object
    ? D
    : never
  : never;

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

/**
 * Whether a subscription (`user.created`, `user.*`, `*`) covers an event type. `*` leaves out `webhook.*`, so that receivers of all events
 * don't begin with the creation of their own webhook.
 */
export function coversEvent(subscription: string, type: EventType): boolean {
  if (subscription === '*') return !type.startsWith('webhook.');
  return subscription === type || (subscription.endsWith('.*') && type.startsWith(subscription.slice(0, -1)));
}

/** Everything that a webhook's `events` may name. */
export const SUBSCRIPTIONS: readonly string[] = [
  '*',
  ...new Set(EVENT_TYPES.map((type) => `${type.split('.')[0]}.*`)),
  ...EVENT_TYPES,
];
