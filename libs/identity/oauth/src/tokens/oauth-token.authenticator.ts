import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type Caller,
  Clock,
  commonPermissions,
  covers,
  type Grant,
  isInNetworks,
  newId,
  type OrganizationScope,
  type RequestOrigin,
  systemContext,
} from '#platform/common';
import { AppConfig } from '#platform/config';
import {
  type AuthenticatedCaller,
  type CredentialAuthenticator,
  CredentialAuthenticators,
  NetworkNotAllowed,
  Unauthenticated,
} from '#identity/auth';
import type { UserGrant } from '#directory/privileges';
import { OAuthClientQuery } from '../clients/oauth-client.query.js';
import { isTokenOf } from '../provider/token-shape.js';
import { scopesOf } from './claims.service.js';
import { OAuthArtifactQuery } from './oauth-artifact.query.js';
import { type Standing, StandingService, type TokenOrigin } from './standing.service.js';

interface AccessTokenPayload extends TokenOrigin {
  readonly aud?: string;
  readonly scope?: string;
  readonly exp: number;
}

/**
 * Authenticates access tokens for the API of this service. A token of a user has the permissions that the user has now and the scopes
 * allow, in the organization of the sign-in and its descendants, and can do no sensitive operations. A token of a machine client has its
 * scopes, as an API key.
 */
@Injectable()
export class OAuthTokenAuthenticator implements CredentialAuthenticator, OnModuleInit {
  readonly transports = ['bearer'] as const;

  constructor(
    private readonly artifacts: OAuthArtifactQuery,
    private readonly clientQuery: OAuthClientQuery,
    private readonly standing: StandingService,
    private readonly authenticators: CredentialAuthenticators,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.authenticators.register(this);
  }

  async authenticate(token: string, origin: RequestOrigin = {}): Promise<AuthenticatedCaller | null> {
    const kind = (['AccessToken', 'ClientCredentials'] as const).find((each) => isTokenOf(each, token));
    if (!kind) {
      if (isTokenOf('RefreshToken', token) || isTokenOf('AuthorizationCode', token))
        throw new Unauthenticated(
          'This is a refresh token or an authorization code. Exchange it for an access token at the token endpoint, and send the access token.',
        );
      return null;
    }
    const now = this.clock.now();
    const stored = await this.artifacts.find(systemContext(newId('request')), kind, token, now);
    const payload = stored?.payload as AccessTokenPayload | undefined;
    if (!payload || payload.exp * 1_000 <= now.getTime())
      throw new Unauthenticated('The access token has expired or does not exist.');
    if (payload.aud !== this.config.baseUrl)
      throw new Unauthenticated(
        `The access token is not for this API. Request it with the parameter resource=${this.config.baseUrl} and scopes of this API.`,
      );
    return kind === 'AccessToken' ? this.authenticateUser(payload) : this.authenticateClient(payload, origin);
  }

  private async authenticateUser(payload: AccessTokenPayload): Promise<AuthenticatedCaller> {
    const standing = await this.standing.find(systemContext(newId('request')), payload);
    if (!standing)
      throw new Unauthenticated(
        'The access token is no longer valid, because the user, the application, the organization, the session or the grant is no longer active.',
      );
    const { client, grant, user, session } = standing;
    return {
      caller: callerOf(standing, scopesOf(payload.scope)),
      actor: { type: 'user', id: grant.userId, email: user.email, client: { id: client.id, name: client.name } },
      delegation: { client: { id: client.id, name: client.name }, session },
    };
  }

  private async authenticateClient(payload: AccessTokenPayload, origin: RequestOrigin): Promise<AuthenticatedCaller> {
    const client = await this.clientQuery.findById(systemContext(newId('request')), payload.clientId, this.clock.now());
    const { organization } = client ?? {};
    if (!client?.isActive || !organization) throw new Unauthenticated('The client of the access token is not active.');
    if (client.allowedNetworks && !isInNetworks(origin, client.allowedNetworks))
      throw new NetworkNotAllowed("This access token can't be used", origin, 'Use one of the allowed networks of the client.');
    const scopes = scopesOf(payload.scope).filter((scope) => client.resourceScopes[this.config.baseUrl]?.includes(scope));
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
      actor: { type: 'api', id: client.id, client: { id: client.id, name: client.name } },
    };
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
