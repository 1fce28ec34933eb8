import type { OAuthClientData, OAuthClientSecretData } from '../oauth.definitions.js';
import { type OAuthClient, resourceList } from './oauth-client.entity.js';
import type { OAuthClientSecret } from './oauth-client-secret.entity.js';

/** Returns the `data` of events about a client of an organization. */
export function clientData(client: OAuthClient, organizationId: string): OAuthClientData {
  const { id, name, type, enabled, redirectUris, postLogoutRedirectUris, origins, grantTypes, scopes } = client;
  const { authentication, visibility, consent, expiresAt, createdAt } = client;
  const { backchannelLogoutUri, backchannelLogoutSessionRequired } = client;
  return {
    id,
    organizationId,
    name,
    type,
    enabled,
    redirectUris,
    postLogoutRedirectUris,
    backchannelLogoutUri,
    backchannelLogoutSessionRequired,
    origins,
    grantTypes,
    scopes,
    resources: resourceList(client.resourceScopes),
    audiences: client.audiences,
    authentication,
    requirePushedAuthorizationRequests: client.requirePushedAuthorizationRequests,
    dpopBoundAccessTokens: client.dpopBoundAccessTokens,
    visibility,
    consent,
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** Returns the `data` of events about a secret. */
export const secretData = (
  { id, clientId, last4, expiresAt }: OAuthClientSecret,
  organizationId: string,
): OAuthClientSecretData => ({ id, clientId, organizationId, last4, expiresAt: expiresAt?.toISOString() ?? null });
