import type { ResourceScopes } from '../clients/oauth-client.entity.js';
import type { KoaContext } from '../provider/library.js';

/** Returns the scopes that an authorization request asks for, and that the client can have. */
export function requestedScopes(oidc: KoaContext['oidc']): {
  readonly scopes: readonly string[];
  readonly resourceScopes: ResourceScopes;
} {
  const requested = [...oidc.requestParamScopes];
  const resources = Object.entries(oidc.resourceServers).map(([identifier, { scopes }]) => [
    identifier,
    requested.filter((scope) => scopes.has(scope)),
  ]);
  return { scopes: [...oidc.requestParamOIDCScopes], resourceScopes: Object.fromEntries(resources) as ResourceScopes };
}
