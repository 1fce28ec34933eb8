import type { Shape } from './fields.js';

/**
 * The tables of the specification: resources (2.1 to 2.9), responses that differ from a resource (4.x), and events (6.x). Each constant is one table.
 * The comment of a constant starts with the section number.
 */

export const USER_STATUS = ['active', 'suspended', 'pending', 'deleted'] as const;

/** 2.2: a role in the response with one user. */
export const ROLE: Shape = { id: 'string', name: 'string', permissions: 'strings' };

/** 2.3: a membership. */
export const ORGANIZATION_MEMBERSHIP: Shape = { id: 'string', name: 'string', role: 'string' };

/** 2.4: a linked identity. */
export const IDENTITY_PROVIDER_LINK: Shape = { provider: 'string', externalId: 'string' };

/** 2.1: a user. */
export const USER: Shape = {
  id: 'string',
  email: 'string',
  firstName: 'string?',
  lastName: 'string?',
  displayName: 'string?',
  picture: 'string?',
  status: USER_STATUS,
  emailVerified: 'boolean',
  phoneNumber: 'string?',
  phoneVerified: 'boolean',
  mfaEnabled: 'boolean',
  mfaMethods: 'strings?',
  roles: { each: ROLE },
  organizations: { each: ORGANIZATION_MEMBERSHIP },
  metadata: 'object?',
  identityProviders: { each: IDENTITY_PROVIDER_LINK, optional: true },
  lastLoginAt: 'timestamp?',
  lastPasswordChangeAt: 'timestamp?',
  createdAt: 'timestamp',
  updatedAt: 'timestamp',
};

/** 2.1: the reduced user of the list. */
export const REDUCED_USER: Shape = {
  id: 'string',
  email: 'string',
  firstName: 'string?',
  lastName: 'string?',
  displayName: 'string?',
  status: USER_STATUS,
  emailVerified: 'boolean',
  mfaEnabled: 'boolean',
  roles: { each: { id: 'string', name: 'string' } },
  metadata: 'object?',
  lastLoginAt: 'timestamp?',
  createdAt: 'timestamp',
  updatedAt: 'timestamp',
};

/** 4.1: the response to the creation of a user. */
export const CREATED_USER: Shape = {
  id: 'string',
  email: 'string',
  firstName: 'string?',
  lastName: 'string?',
  status: ['pending'],
  emailVerified: 'boolean',
  createdAt: 'timestamp',
};

/** 4.1: the response to an update of a user. */
export const UPDATED_USER: Shape = {
  id: 'string',
  email: 'string',
  firstName: 'string?',
  lastName: 'string?',
  displayName: 'string?',
  metadata: 'object?',
  updatedAt: 'timestamp',
};

/** 4.1: the response to the suspension of a user. */
export const SUSPENDED_USER: Shape = { id: 'string', status: ['suspended'], suspendedAt: 'timestamp', suspendedReason: 'text' };

/** An assigned role. */
export const ASSIGNED_ROLE: Shape = {
  userId: 'string',
  roleId: 'string',
  roleName: 'string',
  organizationId: 'string',
  assignedAt: 'timestamp',
};

const PASSWORD_POLICY: Shape = {
  minLength: 'integer',
  requireUppercase: 'boolean',
  requireNumbers: 'boolean',
  requireSymbols: 'boolean',
  preventReuse: 'integer',
};

/** 2.5: settings. */
export const SETTINGS: Shape = {
  allowPublicSignup: 'boolean',
  requireMfa: 'boolean',
  mfaMethods: 'strings?',
  sessionTimeout: 'integer',
  passwordPolicy: { of: PASSWORD_POLICY, optional: true },
  allowedDomains: 'strings?',
  defaultRole: 'string?',
  // Fields that the specification does not have.
  sessionLifetime: 'integer',
  maxApiKeyLifetime: 'integer',
  disableFlaggedApiKeys: 'boolean',
  disableFlaggedWebhooks: 'boolean',
  allowedNetworks: 'strings?',
  defaultLocale: 'string',
  ssoRequired: 'boolean',
};

const IDENTITY_PROVIDER_SUMMARY: Shape = { id: 'string', name: 'string', type: 'string', enabled: 'boolean' };

/** 4.2: an organization in the list, without children, branding and logo. */
export const LISTED_ORGANIZATION: Shape = {
  id: 'string',
  name: 'string',
  slug: 'string',
  description: 'string?',
  type: ['standard', 'enterprise'],
  status: ['active', 'suspended', 'pending'],
  parentId: 'string|null',
  settings: { of: SETTINGS },
  identityProviders: { each: IDENTITY_PROVIDER_SUMMARY, optional: true },
  metadata: 'object?',
  memberCount: 'integer',
  createdAt: 'timestamp',
  updatedAt: 'timestamp',
};

/** 2.5: an organization. */
export const ORGANIZATION: Shape = {
  ...LISTED_ORGANIZATION,
  logo: 'string?',
  children: { each: { id: 'string', name: 'string', memberCount: 'integer' } },
  branding: { of: { primaryColor: 'string?', logo: 'string?', favicon: 'string?' }, optional: true },
};

/** 4.2: the response to the creation of an organization. */
export const CREATED_ORGANIZATION: Shape = {
  id: 'string',
  name: 'string',
  slug: 'string',
  parentId: 'string|null',
  status: ['active'],
  memberCount: 'integer',
  createdAt: 'timestamp',
};

/** 2.6: a member in the list. */
export const LISTED_MEMBER: Shape = {
  userId: 'string',
  email: 'string',
  displayName: 'string?',
  role: 'string',
  status: USER_STATUS,
  joinedAt: 'timestamp',
};

/** 4.2: the response to the addition of a member. */
export const ADDED_MEMBER: Shape = { userId: 'string', organizationId: 'string', role: 'string', joinedAt: 'timestamp' };

/** 2.8: a webhook, with the additional fields of the API. The specification has no payload. */
export const WEBHOOK: Shape = {
  id: 'string',
  organizationId: 'string',
  name: 'string',
  url: 'string',
  events: 'strings',
  enabled: 'boolean',
  disabledReason: 'string|null',
  ownerId: 'string|null',
  flag: 'string|null',
  flaggedAt: 'string|null',
  disabledAt: 'string|null',
  secret: 'string',
  headers: 'object?',
  includeDescendants: 'boolean',
  metadata: { of: { lastDelivery: 'timestamp?', successRate: 'number?', failureCount: 'integer?' }, optional: true },
  createdAt: 'timestamp',
  updatedAt: 'timestamp',
};

/** 4.3: the response to the creation of a webhook. */
export const CREATED_WEBHOOK: Shape = {
  id: 'string',
  name: 'string',
  url: 'string',
  events: 'strings',
  enabled: 'boolean',
  secret: 'string',
  createdAt: 'timestamp',
};

/** 4.3: the response to a test of a webhook, not wrapped in `data`. */
export const WEBHOOK_TEST: Shape = {
  success: 'boolean',
  deliveryId: 'string',
  responseCode: 'integer',
  responseTime: 'integer',
  responseBody: 'text',
};

/** 2.9: a list. */
export const LIST: readonly string[] = ['data', 'pagination'];
export const PAGINATION: Shape = { total: 'integer', page: 'integer', limit: 'integer', hasMore: 'boolean' };

/** 6.1: the event types. */
export const EVENT_TYPES: readonly string[] = `
  user.created user.updated user.deleted user.suspended user.activated user.login user.login_failed user.logout
  user.password_changed user.mfa_enabled user.mfa_disabled
  organization.created organization.updated organization.deleted organization.member_added organization.member_removed
  role.created role.updated role.deleted role.assigned role.revoked
  security.suspicious_activity security.api_key_created security.api_key_revoked security.session_revoked
  security.break_glass_requested
`
  .trim()
  .split(/\s+/);

/** 6.2: an event, with the additional field `requestId`. */
export const EVENT_PAYLOAD: Shape = {
  id: 'string',
  type: EVENT_TYPES,
  timestamp: 'timestamp',
  organization: { of: { id: 'string', name: 'string' } },
  data: 'object',
  actor: { of: { type: ['user', 'system', 'api'], id: 'string?', email: 'string?' }, optional: true },
  metadata: { of: { ipAddress: 'string', userAgent: 'string', source: 'string', requestId: 'string' }, optional: true },
};

/** 6.2: `data` of user.created. */
export const USER_CREATED_DATA: Shape = {
  id: 'string',
  email: 'string',
  firstName: 'string',
  lastName: 'string',
  status: ['pending'],
  createdAt: 'timestamp',
};
