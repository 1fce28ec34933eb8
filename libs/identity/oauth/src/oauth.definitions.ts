import { type Changes, defineIdPrefix, definePermissions } from '#platform/common';
import { defineEvents } from '#platform/events';
import { defineApiSection } from '#platform/http';

/** An OAuth client in the `data` of events. */
export interface OAuthClientData {
  id: string;
  organizationId: string;
  name: string;
  type: string;
  enabled: boolean;
  redirectUris: string[];
  postLogoutRedirectUris: string[];
  backchannelLogoutUri: string | null;
  backchannelLogoutSessionRequired: boolean;
  origins: string[];
  grantTypes: string[];
  scopes: string[];
  resources: { identifier: string; scopes: string[] }[];
  audiences: string[];
  authentication: string;
  requirePushedAuthorizationRequests: boolean;
  dpopBoundAccessTokens: boolean;
  visibility: string;
  consent: string;
  expiresAt: string | null;
  createdAt: string;
}

/** A secret of an OAuth client in the `data` of events. */
export interface OAuthClientSecretData {
  id: string;
  clientId: string;
  organizationId: string;
  last4: string;
  expiresAt: string | null;
}

/** An OAuth client whose owner is no longer suitable, in the `data` of events. */
export interface OAuthClientFlagData {
  id: string;
  organizationId: string;
  name: string;
  flag: 'owner_suspended' | 'owner_deleted' | 'permissions_lost' | null;
  missing: string[];
  disabled: boolean;
}

/** A resource in the `data` of events. */
export interface OAuthResourceData {
  id: string;
  organizationId: string;
  identifier: string;
  name: string;
  scopes: { name: string; description: string | null }[];
  createdAt: string;
}

/** What a user allowed an OAuth client to do, in the `data` of events. */
export interface OAuthGrantData {
  id: string;
  clientId: string;
  clientName: string;
  userId: string;
  organizationId: string;
  scopes: string[];
  resources: { identifier: string; scopes: string[] }[];
}

/** An access token that a client exchanged for another, in the `data` of events. */
export interface TokenExchangeData {
  /** The user or machine client that the token is for. */
  subjectId: string;
  /** The client that exchanged the token. */
  clientId: string;
  clientName: string;
  /** The client to which the first token was issued. */
  issuedToClientId: string;
  /** The clients that exchanged a token, the first exchange first. The last one is `clientId`. */
  actorClientIds: string[];
  fromAudience: string;
  audience: string;
  scopes: string[];
  expiresAt: string;
}

declare module '#platform/common' {
  interface ResourceKinds {
    oauthClient: string;
    oauthClientSecret: string;
    oauthResource: string;
    oauthGrant: string;
  }
  interface ServicePermissions {
    'oauth_clients:read': string;
    'oauth_clients:write': string;
    'oauth_resources:read': string;
    'oauth_resources:write': string;
    'oauth_grants:read': string;
    'oauth_grants:write': string;
  }
}

declare module '#platform/events' {
  interface EventCatalog {
    'oauth_client.created': OAuthClientData;
    'oauth_client.updated': OAuthClientData & { changes: Changes };
    'oauth_client.deleted': OAuthClientData;
    'oauth_client.flagged': OAuthClientFlagData;
    'oauth_client.secret_created': OAuthClientSecretData;
    'oauth_client.secret_deleted': OAuthClientSecretData;
    'oauth_resource.created': OAuthResourceData;
    'oauth_resource.updated': OAuthResourceData & { changes: Changes };
    'oauth_resource.deleted': OAuthResourceData;
    'oauth_grant.created': OAuthGrantData;
    'oauth_grant.updated': OAuthGrantData & { changes: Changes };
    'oauth_grant.revoked': OAuthGrantData & { reason: string };
    'token.exchanged': TokenExchangeData;
  }
}

defineIdPrefix('oauthClient', 'app');
defineIdPrefix('oauthClientSecret', 'apsec');
defineIdPrefix('oauthResource', 'ors');
defineIdPrefix('oauthGrant', 'ogr');

defineApiSection(
  'OAuth clients',
  'Applications that sign their users in with this service (OpenID Connect), or that call APIs with its access tokens (OAuth 2.1).',
);
defineApiSection('OAuth resources', 'APIs that accept access tokens of this service.');
defineApiSection('OAuth grants', 'What users allowed OAuth clients to do.');

definePermissions(
  {
    'oauth_clients:read': 'View OAuth clients, but not their secrets.',
    'oauth_clients:write': 'Create, update and delete OAuth clients and their secrets.',
    'oauth_resources:read': 'View OAuth resources.',
    'oauth_resources:write': 'Create, update and delete OAuth resources.',
    'oauth_grants:read': 'View what users allowed OAuth clients to do.',
    'oauth_grants:write': 'Revoke what users allowed OAuth clients to do.',
  },
  {
    admin: ['oauth_clients:*', 'oauth_resources:*', 'oauth_grants:*'],
    viewer: ['oauth_clients:read', 'oauth_resources:read', 'oauth_grants:read'],
  },
);

const ORGANIZATION_ID = 'org_01kf2b7m9ze4k8s1t6w3a5y0pd';
const RESOURCES = [{ identifier: 'https://api.example.com', scopes: ['invoices:read'] }];

const CLIENT: OAuthClientData = {
  id: 'app_01kf2bav4hf7r8v2m5n9q1c3ek',
  organizationId: ORGANIZATION_ID,
  name: 'Billing',
  type: 'web',
  enabled: true,
  redirectUris: ['https://billing.example.com/callback'],
  postLogoutRedirectUris: ['https://billing.example.com/'],
  backchannelLogoutUri: 'https://billing.example.com/backchannel-logout',
  backchannelLogoutSessionRequired: true,
  origins: ['https://app.example.com'],
  grantTypes: ['authorization_code', 'refresh_token'],
  scopes: ['openid', 'profile', 'email', 'organization', 'offline_access'],
  resources: RESOURCES,
  audiences: ['https://billing.example.com'],
  authentication: 'client_secret_basic',
  requirePushedAuthorizationRequests: false,
  dpopBoundAccessTokens: false,
  visibility: 'descendants',
  consent: 'required',
  expiresAt: '2027-01-15T09:00:00.000Z',
  createdAt: '2026-01-15T09:00:00.000Z',
};

const SECRET: OAuthClientSecretData = {
  id: 'apsec_01kf2bav4hf7r8v2m5n9q1c3ek',
  clientId: CLIENT.id,
  organizationId: ORGANIZATION_ID,
  last4: 'x7Qd',
  expiresAt: '2027-01-15T09:00:00.000Z',
};

const RESOURCE: OAuthResourceData = {
  id: 'ors_01kf2bav4hf7r8v2m5n9q1c3ek',
  organizationId: ORGANIZATION_ID,
  identifier: 'https://api.example.com',
  name: 'Invoices API',
  scopes: [{ name: 'invoices:read', description: 'View invoices.' }],
  createdAt: '2026-01-15T09:00:00.000Z',
};

const GRANT: OAuthGrantData = {
  id: 'ogr_01kf2bav4hf7r8v2m5n9q1c3ek',
  clientId: CLIENT.id,
  clientName: CLIENT.name,
  userId: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  organizationId: ORGANIZATION_ID,
  scopes: ['openid', 'profile'],
  resources: RESOURCES,
};

defineEvents({
  'oauth_client.created': { description: 'An OAuth client was created.', example: CLIENT },
  'oauth_client.updated': {
    description: 'An OAuth client was changed. `changes` contains the previous and the new value of each changed field.',
    example: { ...CLIENT, changes: { name: { from: 'Invoices', to: 'Billing' } } },
  },
  'oauth_client.deleted': {
    description: 'An OAuth client was deleted, with its secrets. Its codes and tokens are no longer valid.',
    example: CLIENT,
  },
  'oauth_client.flagged': {
    description:
      'The owner of an OAuth client was suspended or deleted, or lost permissions that the client has as scopes (`missing`). The client is disabled if the setting `disableFlaggedApiKeys` is on. `flag` is null when the reason no longer applies.',
    example: {
      id: CLIENT.id,
      organizationId: ORGANIZATION_ID,
      name: CLIENT.name,
      flag: 'permissions_lost',
      missing: ['invoices:read'],
      disabled: true,
    },
  },
  'oauth_client.secret_created': { description: 'A secret of an OAuth client was created.', example: SECRET },
  'oauth_client.secret_deleted': { description: 'A secret of an OAuth client was deleted.', example: SECRET },
  'oauth_resource.created': { description: 'An OAuth resource was created.', example: RESOURCE },
  'oauth_resource.updated': {
    description: 'An OAuth resource was changed. `changes` contains the previous and the new value of each changed field.',
    example: { ...RESOURCE, changes: { name: { from: 'Invoices', to: 'Invoices API' } } },
  },
  'oauth_resource.deleted': { description: 'An OAuth resource was deleted.', example: RESOURCE },
  'oauth_grant.created': { description: 'A user allowed an OAuth client to act in an organization.', example: GRANT },
  'oauth_grant.updated': {
    description:
      'A user allowed an OAuth client to do more. `changes` contains the previous and the new value of each changed field.',
    example: { ...GRANT, changes: { scopes: { from: ['openid'], to: ['openid', 'profile'] } } },
  },
  'oauth_grant.revoked': {
    description:
      'A grant of an OAuth client was revoked. Its codes and tokens are no longer valid. `reason` says who or what revoked it.',
    example: { ...GRANT, reason: 'revoked_by_user' },
  },
  'token.exchanged': {
    description:
      'An OAuth client exchanged an access token that it received for one with which it calls another API on behalf of the same user or machine client. The last of `actorClientIds` is the client, and the others exchanged before.',
    example: {
      subjectId: GRANT.userId,
      clientId: CLIENT.id,
      clientName: CLIENT.name,
      issuedToClientId: 'app_01kf2bh2m0f4t8y5r1c6w9q3zs',
      actorClientIds: [CLIENT.id],
      fromAudience: 'https://api.example.com',
      audience: 'https://ledger.example.com',
      scopes: ['invoices:read'],
      expiresAt: '2026-01-15T09:05:00.000Z',
    },
  },
});
