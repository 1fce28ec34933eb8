import {
  type ApiKeyData,
  type IdentityProviderData,
  type OrganizationData,
  type RoleAssignmentData,
  type RoleData,
  type UserCreatedData,
  type UserData,
  type WebhookData,
  USER_TEXTS,
} from './event-data.js';

export const USER_ID = 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw';
export const ORGANIZATION_ID = 'org_01kf2b7m9ze4k8s1t6w3a5y0pd';
export const SESSION_ID = 'ses_01kf2bf6qhe2m7p4x9c1v8b3zt';
export const EARLIER = '2026-01-15T09:00:00.000Z';
export const LATER = '2026-01-15T10:00:00.000Z';

export const userCreated: UserCreatedData = {
  id: USER_ID,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  status: 'pending',
  createdAt: EARLIER,
};

export const user: UserData = {
  ...userCreated,
  status: 'active',
  ...USER_TEXTS,
  externalId: 'hr-4711',
  managedBy: 'scim_01kf2bav4hf7r8v2m5n9q1c3ek',
  emailVerified: true,
  phoneNumber: '+44 20 7946 0958',
  phoneVerified: false,
  mfaEnabled: true,
  mfaMethods: ['totp'],
  metadata: { team: 'engines' },
  lastLoginAt: EARLIER,
  lastPasswordChangeAt: EARLIER,
  updatedAt: LATER,
};

export const organization: OrganizationData = {
  id: ORGANIZATION_ID,
  name: 'Acme',
  slug: 'acme',
  description: 'Makers of everything',
  logo: 'https://cdn.example.com/logo.svg',
  type: 'standard',
  status: 'active',
  parentId: 'org_01kf2b6x2ref9v5c8m3t1w7n0q',
  settings: { allowPublicSignup: false, requireMfa: false, sessionTimeout: 86_400 },
  lockedSettings: ['requireMfa'],
  branding: { primaryColor: '#1a2b3c' },
  metadata: { plan: 'pro' },
  createdAt: EARLIER,
  updatedAt: LATER,
};

export const role: RoleData = {
  id: 'role_01kf2bav4hf7r8v2m5n9q1c3ek',
  organizationId: ORGANIZATION_ID,
  name: 'billing',
  description: 'Sees and pays invoices',
  permissions: ['invoices:read', 'invoices:write'],
  builtIn: false,
  createdAt: EARLIER,
  updatedAt: LATER,
};

export const roleAssignment: RoleAssignmentData = {
  organization: { id: ORGANIZATION_ID, name: 'Acme' },
  user: { id: USER_ID, email: 'ada@example.com' },
  role: { id: 'role_admin', name: 'admin' },
};

export const apiKey: ApiKeyData = {
  id: 'key_01kf2bct5mfqsr0x7b3d8w2h6n',
  name: 'backend',
  prefix: 'service_sk_4fJ2',
  scopes: ['users:read'],
};

export const webhook: WebhookData = {
  id: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx',
  organizationId: ORGANIZATION_ID,
  name: 'Billing',
  origin: 'https://billing.example.com',
  format: 'service',
  events: ['user.*'],
  enabled: true,
  includeDescendants: false,
  filter: { status: 'active' },
  rateLimit: 50,
  createdAt: EARLIER,
  updatedAt: LATER,
};

export const identityProvider: IdentityProviderData = {
  id: 'idp_01kf2bh8r6e1v5y9k3m7p2t4wn',
  organizationId: ORGANIZATION_ID,
  name: 'Acme SSO',
  type: 'oidc',
  enabled: true,
  issuer: 'https://login.example.com',
  clientId: 'identity-service',
  scopes: ['openid', 'email', 'profile'],
  trustedDomains: ['example.com'],
  mfaTrusted: false,
  allowedClients: ['app_01kf2bav4hf7r8v2m5n9q1c3ek'],
  createdAt: EARLIER,
  updatedAt: LATER,
};
