import type { Changes } from '#platform/common';
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

/** An entry of the catalogue: a description of the event type and a valid example of its data. */
export interface EventDefinition<T extends object> {
  readonly description: string;
  readonly example: T;
  /** Fields that can be absent from an event of the type. */
  readonly optional: readonly (keyof T & string)[];
}

const event = <T extends object>(
  description: string,
  of: T,
  optional: readonly (keyof T & string)[] = [],
): EventDefinition<T> => ({ description, example: of, optional });

/** All event types: those of the specification (6.1) and those of later resources. Types, OpenAPI, docs, test deliveries and tests are derived from this table. */
export const EVENTS = {
  'user.created': event<UserCreatedData>(
    'A user was created by an API request, an import, a sign-up, or the first sign-in with an identity provider.',
    example.userCreated,
  ),
  'user.updated': event<UserData & { changes: Changes }>(
    'A user was updated or restored. `changes` contains the previous and the new value of each changed field.',
    {
      ...example.user,
      changes: { firstName: { from: 'Augusta', to: 'Ada' } },
    },
    ['externalId'],
  ),
  'user.deleted': event<UserData & { permanent: boolean; deletedAt: string; purgeAt: string | null }>(
    'A user was deleted. `permanent` is false if the user can be restored until `purgeAt`, and true if the user was removed permanently.',
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
    'A user was suspended. Also published if the user was already suspended and the request replaced the time and the reason of the suspension.',
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
    'A pending or suspended user became active.',
    {
      ...example.user,
      previousStatus: 'pending',
      activatedAt: example.LATER,
    },
    ['externalId'],
  ),
  'user.login': event<LoginData>('A user signed in. `mfaMethod` is null if no MFA factor was used.', {
    userId: example.USER_ID,
    sessionId: example.SESSION_ID,
    method: 'password',
    mfaMethod: 'totp',
  }),
  'user.login_failed': event<LoginFailedData>(
    'A sign-in failed. `userId` is absent if no user has the email address.',
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
  'user.password_changed': event<PasswordChangedData>(
    'The password of a user was set or changed. `method` is `invitation`, `sign_up`, `reset` or `change`.',
    {
      userId: example.USER_ID,
      method: 'reset',
      changedAt: example.LATER,
    },
  ),
  'user.mfa_enabled': event<MfaChangedData>(
    'An MFA factor was added. `method` is the added factor; `mfaMethods` lists all factors of the user.',
    {
      userId: example.USER_ID,
      method: 'totp',
      mfaMethods: ['totp'],
    },
  ),
  'user.mfa_disabled': event<MfaChangedData>(
    'An MFA factor was removed. `method` is the removed factor; `mfaMethods` lists the remaining factors of the user.',
    {
      userId: example.USER_ID,
      method: 'totp',
      mfaMethods: ['passkey'],
    },
  ),
  'user.invited': event<UserInvitedData>(
    'An invitation was sent to an existing pending user. If the invitation is sent when the user is created (`sendInvitation`), only `user.created` is published.',
    {
      userId: example.USER_ID,
      email: 'ada@example.com',
      expiresAt: '2026-01-22T10:00:00.000Z',
    },
  ),
  'user.exported': event<UsersExportedData>(
    'The users of an organization were exported. `filters` contains the filters of the request.',
    {
      format: 'csv',
      filters: { status: 'active' },
    },
  ),
  'user.password_reset_requested': event<PasswordResetRequestedData>(
    'A link to set a new password was sent to a user. `requestedBy` is `user` or `administrator`.',
    { userId: example.USER_ID, email: 'ada@example.com', requestedBy: 'administrator', expiresAt: '2026-01-15T11:00:00.000Z' },
  ),
  'user.email_change_requested': event<EmailChangeRequestedData>(
    'A user requested a change of their email address. The email address changes when the user confirms the new address.',
    { userId: example.USER_ID, email: 'ada@example.com', newEmail: 'ada@example.org' },
  ),
  'user.email_change_cancelled': event<EmailChangeCancelledData>(
    'A requested email change was canceled with the link that was sent to the current address.',
    { userId: example.USER_ID, email: 'ada@example.com' },
  ),
  'user.recovery_codes_renewed': event<RecoveryCodesRenewedData>(
    'A user generated new recovery codes. The previous codes no longer work.',
    { userId: example.USER_ID },
  ),
  'organization.created': event<OrganizationData>(
    'An organization was created. Webhooks of its parent organization receive the event, too.',
    example.organization,
  ),
  'organization.updated': event<OrganizationData & { changes: Changes }>(
    'An organization was updated, suspended, activated or restored. `changes` contains the previous and the new value of each changed field.',
    {
      ...example.organization,
      changes: { name: { from: 'Acme', to: 'Acme Corporation' } },
    },
  ),
  'organization.deleted': event<OrganizationData & { deletedAt: string; purgeAt: string }>(
    'An organization was deleted. It can be restored until `purgeAt`. A separate event is published for each deleted descendant organization. Webhooks of the parent organization receive the event, too.',
    {
      ...example.organization,
      deletedAt: example.LATER,
      purgeAt: '2026-02-14T10:00:00.000Z',
    },
  ),
  'organization.member_added': event<MemberAddedData>(
    'A user was added to an organization. When a user is created in an organization, only `user.created` is published.',
    {
      organizationId: example.ORGANIZATION_ID,
      userId: example.USER_ID,
      email: 'ada@example.com',
      role: 'member',
      joinedAt: example.LATER,
    },
  ),
  'organization.member_removed': event<MemberRemovedData>(
    'A member was removed from an organization. `role` is the role that the member had.',
    {
      organizationId: example.ORGANIZATION_ID,
      userId: example.USER_ID,
      email: 'ada@example.com',
      role: 'member',
      removedAt: example.LATER,
    },
  ),
  'role.created': event<RoleData>('A role was created.', example.role),
  'role.updated': event<RoleData & { changes: Changes }>(
    'A role was updated. `changes` contains the previous and the new value of each changed field.',
    {
      ...example.role,
      changes: { permissions: { from: ['invoices:read'], to: ['invoices:read', 'invoices:write'] } },
    },
  ),
  'role.deleted': event<RoleData & { reassignedTo: { id: string; name: string } | null }>(
    'A role was deleted. `reassignedTo` is the role that replaces the deleted role, or null if the deleted role was not in use.',
    { ...example.role, reassignedTo: { id: 'role_viewer', name: 'viewer' } },
  ),
  'role.assigned': event<RoleAssignmentData>(
    'A role was assigned to a user. Also published when break-glass access is approved.',
    example.roleAssignment,
  ),
  'role.revoked': event<RoleAssignmentData>(
    'A role was revoked from a user. Also published when break-glass access ends.',
    example.roleAssignment,
  ),
  'webhook.created': event<WebhookData>('A webhook was created.', example.webhook),
  'webhook.updated': event<WebhookData & { changes: Changes }>(
    'A webhook was updated, or its signing secret was rotated. `changes` does not contain the values of secrets, URLs and custom headers. Not published when the service disables or enables a webhook automatically.',
    {
      ...example.webhook,
      changes: { events: { from: ['user.created'], to: ['user.*'] } },
    },
  ),
  'webhook.deleted': event<WebhookData>('A webhook was deleted.', example.webhook),
  'webhook.secret_revealed': event<WebhookRevealedData>('The signing secret of a webhook was returned to a caller.', {
    id: example.webhook.id,
    organizationId: example.ORGANIZATION_ID,
    name: 'Billing',
  }),
  'identity_provider.created': event<IdentityProviderData>('An identity provider was created.', example.identityProvider),
  'identity_provider.updated': event<IdentityProviderData & { changes: Changes }>(
    'An identity provider was updated. `changes` contains the previous and the new value of each changed field.',
    {
      ...example.identityProvider,
      changes: { trustedDomains: { from: [], to: ['example.com'] } },
    },
  ),
  'identity_provider.deleted': event<IdentityProviderData>('An identity provider was deleted.', example.identityProvider),
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

export type EventType = keyof typeof EVENTS;
/** The shape of an event type's `data`. */
export type EventData<T extends EventType> = (typeof EVENTS)[T]['example'] extends infer D
  ? D extends object
    ? D
    : never
  : never;

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];
