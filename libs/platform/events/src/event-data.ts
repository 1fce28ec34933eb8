import type { Changes } from '#platform/common';

/** The shapes of the `data` of events. Fields have the names and values of the API. Secrets are never included. */

export interface UserCreatedData {
  id: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  status: string;
  createdAt: string;
}

/** Text fields of a user, with example values. */
export const USER_TEXTS = {
  displayName: 'Ada Lovelace',
  picture: 'https://cdn.example.com/ada.png',
  locale: 'en-GB',
};

export interface UserData extends UserCreatedData, Record<keyof typeof USER_TEXTS, string | null> {
  /** Absent if the user has no external ID. */
  externalId?: string;
  /** Id of the SCIM connection that provisions the user. Absent if there is none. */
  managedBy?: string;
  emailVerified: boolean;
  phoneNumber: string | null;
  phoneVerified: boolean;
  mfaEnabled: boolean;
  mfaMethods: string[];
  metadata: Record<string, unknown>;
  lastLoginAt: string | null;
  lastPasswordChangeAt: string | null;
  updatedAt: string;
}

export interface UserInvitedData {
  userId: string;
  email: string;
  expiresAt: string;
}

export interface UsersExportedData {
  format: string;
  /** The filters of the request, such as `status`. */
  filters: Record<string, unknown>;
}

export interface EventsExportedData {
  format: string;
  /** The filters of the request, such as `type`. `search` is `true` instead of the text. */
  filters: Record<string, unknown>;
}

export interface UserDataExportedData {
  userId: string;
  email: string;
  requestedBy: 'user' | 'administrator';
}

export interface PasswordResetRequestedData {
  userId: string;
  email: string;
  requestedBy: 'user' | 'administrator';
  expiresAt: string;
}

export interface EmailChangeRequestedData {
  userId: string;
  email: string;
  newEmail: string;
}

export interface EmailChangeCanceledData {
  userId: string;
  email: string;
}

export interface RecoveryCodesRenewedData {
  userId: string;
}

/** A webhook with only the origin of its URL and without its custom headers, because both can contain credentials. */
export interface WebhookData {
  id: string;
  organizationId: string;
  name: string;
  origin: string;
  format: string;
  events: string[];
  enabled: boolean;
  includeDescendants: boolean;
  filter: object | null;
  rateLimit: number | null;
  createdAt: string;
  updatedAt: string;
}

export interface WebhookRevealedData {
  id: string;
  organizationId: string;
  name: string;
}

export interface IdentityProviderData {
  id: string;
  organizationId: string;
  name: string;
  type: string;
  enabled: boolean;
  issuer: string;
  clientId: string;
  scopes: string[];
  trustedDomains: string[];
  mfaTrusted: boolean;
  allowedClients: string[];
  createdAt: string;
  updatedAt: string;
}

export interface OrganizationData {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  logo: string | null;
  type: string;
  status: string;
  parentId: string | null;
  settings: object;
  lockedSettings: string[];
  branding: object | null;
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
}

export interface OrganizationMovedData extends OrganizationData {
  /** The changed fields of the moved organization. */
  changes: Changes;
  /** Number of moved organizations: the organization and its descendants. */
  organizationCount: number;
  /** Number of descendants whose effective settings changed. */
  changedDescendantCount: number;
  /** Up to 100 of these descendants, with the changed settings. */
  changedDescendants: { id: string; name: string; changes: Changes }[];
}

export interface MemberAddedData {
  organizationId: string;
  userId: string;
  email: string;
  role: string;
  joinedAt: string;
}

export interface MemberRemovedData {
  organizationId: string;
  userId: string;
  email: string;
  role: string;
  removedAt: string;
}

export interface RoleData {
  id: string;
  organizationId: string | null;
  name: string;
  description: string | null;
  permissions: string[];
  builtIn: boolean;
  createdAt: string | null;
  updatedAt: string | null;
}

export interface RoleAssignmentData {
  organization: { id: string; name: string };
  user: { id: string; email: string };
  role: { id: string; name: string };
}

export interface LoginData {
  userId: string;
  sessionId: string;
  method: string;
  mfaMethod: string | null;
  client?: { id: string; name: string };
}

export interface LoginFailedData {
  userId?: string;
  email: string;
  method: string;
  reason: string;
  failedAttempts: number;
}

export interface LogoutData {
  userId: string;
  sessionId: string;
  reason: string;
}

export interface PasswordChangedData {
  userId: string;
  method: string;
  changedAt: string;
}

export interface MfaChangedData {
  userId: string;
  method: string;
  mfaMethods: string[];
  /** Of a passkey: `platform` (built into a device) or `roaming` (a security key). Absent if the browser did not say. */
  authenticator?: string;
}

export interface SuspiciousActivityData {
  rule: string;
  riskLevel: 'low' | 'medium' | 'high';
  signals: Record<string, unknown>;
  action: string;
}

export interface ApiKeyData {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
}

export interface ApiKeyFlaggedData extends ApiKeyData {
  /** `owner_suspended`, `owner_deleted` or `permissions_lost`; null when the flag was removed. */
  flag: string | null;
  /** Scopes of the key that its owner does not have. */
  missing: string[];
  disabled: boolean;
}

export interface WebhookFlaggedData {
  id: string;
  organizationId: string;
  name: string;
  /** `owner_suspended`, `owner_deleted` or `permissions_lost`; null when the flag was removed. */
  flag: string | null;
  /** Whether the webhook is disabled because of the flag. */
  disabled: boolean;
}

export interface SsoBypassedData {
  userId: string;
  sessionId: string;
  /** The first factor: `password` or `passkey`. */
  method: string;
  /** The second factor, or null. */
  mfaMethod: string | null;
}

export interface SessionRevokedData {
  sessionId: string;
  userId: string;
  reason: string;
}

export interface BreakGlassData {
  requestId: string;
  requesterId: string;
  reason: string;
  role: string;
  durationSeconds: number;
}

export interface BreakGlassEndedData {
  requestId: string;
  requesterId: string;
  role: string;
  /** Whether the request was approved, so that access was granted. */
  granted: boolean;
  reason: string;
}
