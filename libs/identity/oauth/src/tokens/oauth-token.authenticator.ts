import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type Caller,
  commonPermissions,
  covers,
  type Grant,
  isInNetworks,
  newId,
  type OrganizationScope,
  permissionsOfScope,
  type RequestOrigin,
  systemContext,
} from '#platform/common';
import { AppConfig } from '#platform/config';
import {
  type AuthenticatedCaller,
  type CredentialAuthenticator,
  CredentialAuthenticators,
  type DpopRequest,
  NetworkNotAllowed,
  Unauthenticated,
} from '#identity/auth';
import type { UserGrant } from '#directory/privileges';
import type { KnownClient } from '../clients/oauth-client.query.js';
import { actingClient, type TokenChain } from '../exchange/token-chain.js';
import { isTokenOf } from '../provider/token-shape.js';
import { type AccessToken, AccessTokensService } from './access-tokens.service.js';
import { scopesOf } from './claims.service.js';
import { type Standing, StandingService } from './standing.service.js';

/** Codes and tokens that only the token endpoint accepts. */
const EXCHANGED_KINDS = ['RefreshToken', 'AuthorizationCode', 'DeviceCode'] as const;

/**
 * Authenticates access tokens for the API of this service. A token of a user has the permissions that the user has now and the scopes
 * allow, in the organization of the sign-in and its descendants, and can do no sensitive operations. A token of a machine client has its
 * scopes, as an API key.
 */
@Injectable()
export class OAuthTokenAuthenticator implements CredentialAuthenticator, OnModuleInit {
  readonly transports = ['bearer', 'dpop'] as const;

  constructor(
    private readonly accessTokens: AccessTokensService,
    private readonly standing: StandingService,
    private readonly authenticators: CredentialAuthenticators,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.authenticators.register(this);
  }

  async authenticate(token: string, origin: RequestOrigin = {}, request?: DpopRequest): Promise<AuthenticatedCaller | null> {
    const kind = (['AccessToken', 'ClientCredentials'] as const).find((each) => isTokenOf(each, token));
    if (!kind) {
      if (EXCHANGED_KINDS.some((each) => isTokenOf(each, token)))
        throw new Unauthenticated(
          'This is a refresh token or a code. Exchange it for an access token at the token endpoint, and send the access token.',
        );
      return null;
    }
    const ctx = systemContext(newId('request'));
    const payload = await this.accessTokens.get(ctx, kind, token);
    if (payload.aud !== this.config.baseUrl)
      throw new Unauthenticated(
        `The access token is not for this API. Request it with the parameter resource=${this.config.baseUrl} and scopes of this API.`,
      );
    await this.accessTokens.assertBinding(ctx, token, payload, request);
    const { clientId, grantId, chain = { clientId, actors: [] } } = payload;
    const isOfUser = kind === 'AccessToken' && grantId !== undefined;
    return isOfUser ? this.authenticateUser(payload) : this.authenticateMachine(payload, chain, origin);
  }

  private async authenticateUser(payload: AccessToken): Promise<AuthenticatedCaller> {
    const standing = await this.standing.find(systemContext(newId('request')), payload);
    if (!standing)
      throw new Unauthenticated(
        'The access token is no longer valid, because the user, the application, the organization, the session or the grant is no longer active.',
      );
    const { client, actors, grant, user, session } = standing;
    const acting = actingClient(client, actors);
    return {
      caller: callerOf(standing, this.allowedScopes(payload, actors)),
      actor: { type: 'user', id: grant.userId, email: user.email, ...acting },
      delegation: { client: acting.client, session },
    };
  }

  private async authenticateMachine(
    payload: AccessToken,
    chain: TokenChain,
    origin: RequestOrigin,
  ): Promise<AuthenticatedCaller> {
    const machine = await this.standing.findMachine(systemContext(newId('request')), chain);
    const { client, actors = [] } = machine ?? {};
    const { organization } = client ?? {};
    if (!client || !organization) throw new Unauthenticated('The client of the access token is not active.');
    for (const each of [client, ...actors])
      if (each.allowedNetworks && !isInNetworks(origin, each.allowedNetworks))
        throw new NetworkNotAllowed("This access token can't be used", origin, 'Use one of the allowed networks of the client.');
    const scopes = this.allowedScopes(payload, [client, ...actors]);
    const { ownerTenantId, ownerId, allowedNetworks } = client;
    return {
      caller: {
        kind: 'oauth',
        id: client.id,
        tenantId: client.tenantId,
        tenantIds: [client.tenantId],
        organizationIds: [organization.id],
        permissions: scopes,
        keyLimits: { allowedNetworks, expiresAt: client.expiresAt },
        ...(ownerTenantId && ownerId ? { owner: { tenantId: ownerTenantId, id: ownerId } } : {}),
      },
      actor: { type: 'api', id: client.id, ...actingClient(client, actors) },
    };
  }

  /** Returns the permissions of the scopes that the last of the clients can still have. */
  private allowedScopes({ scope }: AccessToken, clients: readonly KnownClient[]): string[] {
    const client = clients.at(-1);
    const { baseUrl } = this.config;
    const scopes = scopesOf(scope).filter((name) => !client || client.resourceScopes[baseUrl]?.includes(name));
    return scopes.flatMap(permissionsOfScope);
  }
}

function callerOf({ grant, user, organization }: Standing, scopes: readonly string[]): Caller {
  const grants = user.grants.flatMap((each) => limited(each, organization, scopes));
  return {
    kind: 'oauth',
    id: grant.userId,
    tenantId: grant.userTenantId,
    tenantIds: [organization.tenantId],
    organizationIds: grants.map(({ organizationId }) => organizationId),
    permissions: [],
    grants,
    owner: { tenantId: grant.userTenantId, id: grant.userId },
    suspended: false,
  };
}

/** Returns the part of a user's permissions that is within the organization and the scopes. Break-glass access is for people only. */
function limited(grant: UserGrant, organization: OrganizationScope, scopes: readonly string[]): Grant[] {
  if (grant.temporary) return [];
  const permissions = commonPermissions(grant.permissions, scopes);
  if (permissions.length === 0) return [];
  const { id, ancestorIds } = organization;
  if (covers(grant.organizationId, organization)) return [{ organizationId: id, ancestorIds, permissions } as UserGrant];
  return covers(id, { id: grant.organizationId, ancestorIds: grant.ancestorIds }) ? [{ ...grant, permissions }] : [];
}
