import { randomToken } from '#platform/crypto';
import type { KnownClient } from '../clients/oauth-client.query.js';
import type { Payload } from './library.js';

/** The library demands a secret of clients that authenticate with one. It never compares this value, which nobody knows. */
const UNUSED_SECRET = randomToken();

/** Returns a client in the form of OpenID Connect Dynamic Client Registration. */
export function clientMetadata(client: KnownClient): Payload {
  const { clientId, name, type, grantTypes, authentication, jwks, jwksUri, idTokenAlgorithm } = client;
  const hasSecret = authentication === 'client_secret_basic' || authentication === 'client_secret_post';
  return {
    client_id: clientId,
    client_name: name,
    application_type: type === 'native' ? 'native' : 'web',
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    ...(client.backchannelLogoutUri === null
      ? {}
      : {
          backchannel_logout_uri: client.backchannelLogoutUri,
          backchannel_logout_session_required: client.backchannelLogoutSessionRequired,
        }),
    grant_types: grantTypes,
    response_types: grantTypes.includes('authorization_code') ? ['code'] : [],
    ...(client.scopes.length > 0 ? { scope: client.scopes.join(' ') } : {}),
    token_endpoint_auth_method: authentication,
    id_token_signed_response_alg: idTokenAlgorithm,
    require_pushed_authorization_requests: client.requirePushedAuthorizationRequests,
    dpop_bound_access_tokens: client.dpopBoundAccessTokens,
    ...(hasSecret ? { client_secret: UNUSED_SECRET } : {}),
    ...(jwks ? { jwks } : {}),
    ...(jwksUri ? { jwks_uri: jwksUri } : {}),
  };
}
