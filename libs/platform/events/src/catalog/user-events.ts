import type { Changes } from '#platform/common';
import * as example from '../catalog-examples.js';
import type {
  EmailChangeCanceledData,
  EmailChangeRequestedData,
  LoginData,
  LoginFailedData,
  LogoutData,
  MfaChangedData,
  PasswordChangedData,
  PasswordResetRequestedData,
  RecoveryCodesRenewedData,
  UserCreatedData,
  UserData,
  UserDataExportedData,
  UserInvitedData,
  UsersExportedData,
} from '../event-data.js';
import { event } from './event-definition.js';

export const USER_EVENTS = {
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
    ['externalId', 'managedBy'],
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
    ['externalId', 'managedBy'],
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
    ['externalId', 'managedBy'],
  ),
  'user.activated': event<UserData & { previousStatus: string; activatedAt: string }>(
    'A pending or suspended user became active.',
    {
      ...example.user,
      previousStatus: 'pending',
      activatedAt: example.LATER,
    },
    ['externalId', 'managedBy'],
  ),
  'user.login': event<LoginData>(
    'A user signed in. `mfaMethod` is null if no MFA factor was used. `client` is the application that sent the user to the sign-in, if any.',
    {
      userId: example.USER_ID,
      sessionId: example.SESSION_ID,
      method: 'password',
      mfaMethod: 'totp',
      client: { id: 'app_01kf2bav4hf7r8v2m5n9q1c3ek', name: 'Billing' },
    },
    ['client'],
  ),
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
    'An MFA factor was added. `method` is the added factor; `mfaMethods` lists all factors of the user. `authenticator` of a passkey is `platform` if it is built into a device, and `roaming` for a security key.',
    {
      userId: example.USER_ID,
      method: 'passkey',
      mfaMethods: ['passkey'],
      authenticator: 'platform',
    },
    ['authenticator'],
  ),
  'user.mfa_disabled': event<MfaChangedData>(
    'An MFA factor was removed. `method` is the removed factor; `mfaMethods` lists the remaining factors of the user. `authenticator` as in `user.mfa_enabled`.',
    {
      userId: example.USER_ID,
      method: 'passkey',
      mfaMethods: ['totp'],
      authenticator: 'roaming',
    },
    ['authenticator'],
  ),
  'user.invited': event<UserInvitedData>(
    'An invitation was sent to an existing pending user, by an administrator or because the user requested a link. If the invitation is sent when the user is created (`sendInvitation`), only `user.created` is published.',
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
  'user.data_exported': event<UserDataExportedData>(
    'All data that is stored about a user was exported. `requestedBy` is `user` or `administrator`.',
    { userId: example.USER_ID, email: 'ada@example.com', requestedBy: 'administrator' },
  ),
  'user.password_reset_requested': event<PasswordResetRequestedData>(
    'A link to set a new password was sent to a user. `requestedBy` is `user` or `administrator`.',
    { userId: example.USER_ID, email: 'ada@example.com', requestedBy: 'administrator', expiresAt: '2026-01-15T11:00:00.000Z' },
  ),
  'user.email_change_requested': event<EmailChangeRequestedData>(
    'A user requested a change of their email address. The email address changes when the user confirms the new address.',
    { userId: example.USER_ID, email: 'ada@example.com', newEmail: 'ada@example.org' },
  ),
  'user.email_change_cancelled': event<EmailChangeCanceledData>(
    'A requested email change was canceled with the link that was sent to the current address.',
    { userId: example.USER_ID, email: 'ada@example.com' },
  ),
  'user.recovery_codes_renewed': event<RecoveryCodesRenewedData>(
    'A user generated new recovery codes. The previous codes no longer work.',
    { userId: example.USER_ID },
  ),
} as const;
