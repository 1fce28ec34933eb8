import type { Shape } from './fields.js';

/**
 * The tables of the specification: resources (2.1 to 2.9), responses that differ from a resource (4.x), and events (6.x). Each constant is one table.
 * The comment of a constant starts with the section number.
 */

/** Returns the fields of one type. The names are separated by spaces. */
const of = <Type extends string>(type: Type, names: string): Record<string, Type> =>
  Object.fromEntries(names.split(' ').map((name) => [name, type]));

export const USER_STATUS = ['active', 'suspended', 'pending', 'deleted'] as const;
const NAMES = of('string?', 'firstName lastName displayName');
const TIMES = of('timestamp', 'createdAt updatedAt');

/** 2.1: a user, with roles (2.2), memberships (2.3) and linked identities (2.4). */
export const USER: Shape = {
  ...of('string', 'id email'),
  ...NAMES,
  ...of('string?', 'picture phoneNumber'),
  ...of('boolean', 'emailVerified phoneVerified mfaEnabled'),
  ...of('timestamp?', 'lastLoginAt lastPasswordChangeAt'),
  ...TIMES,
  status: USER_STATUS,
  mfaMethods: 'strings?',
  roles: { each: { ...of('string', 'id name'), permissions: 'strings' } },
  organizations: { each: of('string', 'id name role') },
  metadata: 'object?',
  identityProviders: { each: of('string', 'provider externalId'), optional: true },
};

/** 2.1: the reduced user of the list. */
export const REDUCED_USER: Shape = {
  ...of('string', 'id email'),
  ...NAMES,
  ...of('boolean', 'emailVerified mfaEnabled'),
  ...TIMES,
  status: USER_STATUS,
  roles: { each: of('string', 'id name') },
  metadata: 'object?',
  lastLoginAt: 'timestamp?',
};

/** 4.1: the responses to the creation, an update and the suspension of a user. */
export const CREATED_USER: Shape = {
  ...of('string', 'id email'),
  ...of('string?', 'firstName lastName'),
  status: ['pending'],
  emailVerified: 'boolean',
  createdAt: 'timestamp',
};
export const UPDATED_USER: Shape = { ...of('string', 'id email'), ...NAMES, metadata: 'object?', updatedAt: 'timestamp' };
export const SUSPENDED_USER: Shape = { id: 'string', status: ['suspended'], suspendedAt: 'timestamp', suspendedReason: 'text' };

/** An assigned role. */
export const ASSIGNED_ROLE: Shape = { ...of('string', 'userId roleId roleName organizationId'), assignedAt: 'timestamp' };

/** 2.5: settings. The specification does not have the fields from `sessionLifetime` on. */
const SETTINGS: Shape = {
  ...of('boolean', 'allowPublicSignup requireMfa'),
  ...of('strings?', 'mfaMethods allowedDomains'),
  sessionTimeout: 'integer',
  passwordPolicy: {
    of: { ...of('integer', 'minLength preventReuse'), ...of('boolean', 'requireUppercase requireNumbers requireSymbols') },
    optional: true,
  },
  defaultRole: 'string?',
  ...of('integer', 'sessionLifetime maxApiKeyLifetime'),
  ...of('boolean', 'disableFlaggedApiKeys disableFlaggedWebhooks ssoRequired'),
  allowedNetworks: 'strings?',
  defaultLocale: 'string',
};

/** 4.2: an organization in the list, without children, branding and logo. */
export const LISTED_ORGANIZATION: Shape = {
  ...of('string', 'id name slug'),
  ...TIMES,
  description: 'string?',
  type: ['standard', 'enterprise'],
  status: ['active', 'suspended', 'pending'],
  parentId: 'string|null',
  settings: { of: SETTINGS },
  identityProviders: { each: { ...of('string', 'id name type'), enabled: 'boolean' }, optional: true },
  metadata: 'object?',
  memberCount: 'integer',
};

/** 2.5: an organization. */
export const ORGANIZATION: Shape = {
  ...LISTED_ORGANIZATION,
  logo: 'string?',
  children: { each: { ...of('string', 'id name'), memberCount: 'integer' } },
  branding: { of: of('string?', 'primaryColor logo favicon'), optional: true },
};

/** 4.2: the response to the creation of an organization. */
export const CREATED_ORGANIZATION: Shape = {
  ...of('string', 'id name slug'),
  parentId: 'string|null',
  status: ['active'],
  memberCount: 'integer',
  createdAt: 'timestamp',
};

/** 2.6: a member in the list, and the response to the addition of a member. */
export const LISTED_MEMBER: Shape = {
  ...of('string', 'userId email role'),
  displayName: 'string?',
  status: USER_STATUS,
  joinedAt: 'timestamp',
};
export const ADDED_MEMBER: Shape = { ...of('string', 'userId organizationId role'), joinedAt: 'timestamp' };

/** 4.3: the response to the creation of a webhook. */
export const CREATED_WEBHOOK: Shape = {
  ...of('string', 'id name url secret'),
  events: 'strings',
  enabled: 'boolean',
  createdAt: 'timestamp',
};

/** 2.8: a webhook, with the additional fields of the API. The specification has no payload. */
export const WEBHOOK: Shape = {
  ...CREATED_WEBHOOK,
  ...of('string|null', 'disabledReason ownerId flag flaggedAt disabledAt'),
  organizationId: 'string',
  headers: 'object?',
  includeDescendants: 'boolean',
  metadata: { of: { lastDelivery: 'timestamp?', successRate: 'number?', failureCount: 'integer?' }, optional: true },
  updatedAt: 'timestamp',
};

/** 4.3: the response to a test of a webhook, not wrapped in `data`. */
export const WEBHOOK_TEST: Shape = {
  success: 'boolean',
  deliveryId: 'string',
  ...of('integer', 'responseCode responseTime'),
  responseBody: 'text',
};

/** 2.9: a list. */
export const LIST: readonly string[] = ['data', 'pagination'];
export const PAGINATION: Shape = { ...of('integer', 'total page limit'), hasMore: 'boolean' };

/** 6.1: the event types. The catalog has more. */
export const EVENT_TYPES: readonly string[] = Object.entries({
  user: 'created updated deleted suspended activated login login_failed logout password_changed mfa_enabled mfa_disabled',
  organization: 'created updated deleted member_added member_removed',
  role: 'created updated deleted assigned revoked',
  security: 'suspicious_activity api_key_created api_key_revoked session_revoked break_glass_requested',
}).flatMap(([group, names]) => names.split(' ').map((name) => `${group}.${name}`));

/** 6.2: an event, with the additional field `requestId`. */
export const EVENT_PAYLOAD: Shape = {
  id: 'string',
  type: EVENT_TYPES,
  timestamp: 'timestamp',
  organization: { of: of('string', 'id name') },
  data: 'object',
  actor: { of: { type: ['user', 'system', 'api'], ...of('string?', 'id email') }, optional: true },
  metadata: { of: of('string', 'ipAddress userAgent source requestId'), optional: true },
};

/** 6.2: `data` of user.created. */
export const USER_CREATED_DATA: Shape = {
  ...of('string', 'id email firstName lastName'),
  status: ['pending'],
  createdAt: 'timestamp',
};
