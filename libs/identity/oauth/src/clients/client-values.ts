import { isConfidential, OAuthClient, type ResourceScopes } from './oauth-client.entity.js';
import type { ClientResourceRequest } from './client-resource.requests.js';
import type { CreateOauthClientRequest, UpdateOauthClientRequest } from './oauth-client.requests.js';
import { OPENID_SCOPES } from './openid-scopes.js';

/** Returns a client with safe defaults for its type. The caller sets the id, the home and the owner. */
export function newClient(request: CreateOauthClientRequest, now: Date): OAuthClient {
  const { type } = request;
  const isMachine = type === 'machine';
  const authentication = type === 'web' || isMachine ? 'client_secret_basic' : 'none';
  const client = Object.assign(new OAuthClient(), {
    name: request.name,
    type,
    enabled: true,
    redirectUris: [],
    postLogoutRedirectUris: [],
    backchannelLogoutUri: null,
    backchannelLogoutSessionRequired: false,
    origins: [],
    grantTypes: isMachine ? ['client_credentials'] : ['authorization_code', 'refresh_token'],
    scopes: isMachine ? [] : [...OPENID_SCOPES],
    resourceScopes: {},
    audiences: [],
    authentication,
    jwks: null,
    jwksUri: null,
    idTokenAlgorithm: 'ES256',
    requirePushedAuthorizationRequests: false,
    dpopBoundAccessTokens: false,
    logoUri: null,
    homePageUri: null,
    termsUri: null,
    privacyUri: null,
    visibility: 'descendants',
    consent: 'required',
    allowedNetworks: null,
    registration: null,
    metadataUri: null,
    expiresAt: null,
    flag: null,
    flaggedAt: null,
    disabledAt: null,
    lastUsedAt: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  } satisfies Partial<OAuthClient>);
  return withChanges(client, request);
}

/** Applies the fields of a request that are present. */
export function withChanges(client: OAuthClient, request: UpdateOauthClientRequest): OAuthClient {
  const { resources, ...fields } = request;
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) Object.assign(client, { [field]: value });
  if (resources) client.resourceScopes = scopesByIdentifier(resources);
  if (!isConfidential(client)) client.jwks = client.jwksUri = null;
  return client;
}

const scopesByIdentifier = (resources: readonly ClientResourceRequest[]): ResourceScopes =>
  Object.fromEntries(resources.map(({ identifier, scopes }) => [identifier, scopes]));
