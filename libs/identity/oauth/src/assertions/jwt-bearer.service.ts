import { Injectable } from '@nestjs/common';
import { covers, type OrganizationScope, type RequestContext } from '#platform/common';
import { hashToken, randomToken } from '#platform/crypto';
import { OrganizationScopeQuery } from '#directory/organizations';
import { type AssertedUser, AssertedUsersService } from '#identity/federation';
import { IDENTITY_PROVIDER } from '#identity/session-access';
import { clientReaches } from '../clients/client-reach.js';
import { JWT_BEARER } from '../clients/oauth-client.entity.js';
import type { KnownClient } from '../clients/oauth-client.query.js';
import { grantKeyText, parseGrantKey } from '../grants/grant-key.js';
import { OAuthGrantsService } from '../grants/oauth-grants.service.js';
import { issueAccessToken } from '../provider/issue-access-token.js';
import type { GrantType, KoaContext, Library, ResourceServer } from '../provider/library.js';
import { currentRequest } from '../provider/oauth-request.js';
import { ResourceServersService } from '../provider/resource-servers.service.js';
import { acrOf } from '../provider/session-payload.js';
import { JWT_SECONDS } from '../provider/token-lifetimes.js';
import { scopesOf } from '../tokens/claims.service.js';
import { StandingService, type TokenOrigin } from '../tokens/standing.service.js';

const MULTI_FACTOR = 'mfa';

/**
 * Issues access tokens for users whom an identity provider of their organization asserts to a client that the provider allows (RFC 7523,
 * Identity Assertion JWT Authorization Grant). The user is not asked, because the organization allowed the client. There is no refresh
 * token: the provider decides again within minutes. Its only caller, `LibraryHandlerService`, would have 12 dependencies with it.
 */
@Injectable()
export class JwtBearerService implements GrantType {
  readonly name = JWT_BEARER;
  readonly parameters = ['assertion', 'scope', 'resource', 'organization'];
  readonly repeatable = [];

  constructor(
    private readonly assertedUsers: AssertedUsersService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly resourceServers: ResourceServersService,
    private readonly grants: OAuthGrantsService,
    private readonly standing: StandingService,
  ) {}

  /** @throws InvalidRequest, InvalidGrant, InvalidTarget, InvalidScope */
  async respond(library: Library, koa: KoaContext): Promise<void> {
    const { oidc } = koa;
    const request = currentRequest();
    const { ctx } = request;
    const client = request.clients.get(oidc.client.clientId)!;
    const { assertion, organization: reference, resource, scope } = oidc.params;
    if (assertion === undefined) throw new library.errors.InvalidRequest("missing required parameter 'assertion'");
    const organization = await this.findOrganization(ctx, client, reference);
    const asserted = organization && (await this.assertedUsers.find(ctx, organization, client.id, assertion));
    if (!asserted) throw new library.errors.InvalidGrant('the assertion is not valid for this client and organization');
    const { provider, claims } = asserted;
    if (claims.key !== undefined && claims.key !== request.proofKey)
      throw new library.errors.InvalidGrant('the assertion is bound to a key, and the request has no DPoP proof of it');
    // Each assertion works once, also if the request fails.
    const isNew = await oidc.provider.ReplayDetection.unique(`${provider.id}|`, claims.id, claims.usableUntil);
    if (!isNew) throw new library.errors.InvalidGrant('the assertion was used before');
    const server = await this.findServer(library, client, claims.resource, resource);
    const scopes = grantedScopes(library, server, claims.scope, scope);
    const origin = await this.allow(ctx, client, organization, asserted, { [server.audience]: scopes });
    const standing = origin && (await this.standing.find(ctx, origin, { client }));
    if (!standing) throw new library.errors.InvalidGrant('the user has no access to the organization');
    request.source = { ...origin, acr: acrOf(origin.amr) };
    request.standings.set(origin.grantId, standing);
    if (server.accessTokenFormat === 'jwt') storeSource(origin, organization, JWT_SECONDS);
    koa.body = await issueAccessToken(oidc, server, scopes, { ...origin, gty: 'jwt_bearer', seconds: JWT_SECONDS });
  }

  private async findOrganization(
    ctx: RequestContext,
    client: KnownClient,
    reference = client.organization?.id,
  ): Promise<OrganizationScope | undefined> {
    if (reference === undefined || reference.includes('\0')) return undefined;
    const organization = await this.organizationScopes.findScope(ctx, reference);
    return organization?.status === 'active' && clientReaches(client, organization) ? organization : undefined;
  }

  /** The provider can limit the assertion to an API. @throws InvalidTarget */
  private async findServer(
    library: Library,
    client: KnownClient,
    allowed: string | undefined,
    requested: string | undefined,
  ): Promise<ResourceServer> {
    const target = requested ?? allowed;
    if (target === undefined || (allowed !== undefined && target !== allowed))
      throw new library.errors.InvalidTarget('resource must name the API for which the token is, and for which the assertion is');
    return this.resourceServers.find(library, target, client);
  }

  /** Remembers what the client can do for the user, as a consent, if the user has access to the organization. */
  private async allow(
    ctx: RequestContext,
    client: KnownClient,
    organization: OrganizationScope,
    { user, provider, claims }: AssertedUser,
    resourceScopes: Readonly<Record<string, readonly string[]>>,
  ): Promise<TokenOrigin | undefined> {
    const hasSecondFactor = provider.mfaTrusted && claims.methods.includes(MULTI_FACTOR);
    const signIn = {
      sessionUid: '',
      amr: [IDENTITY_PROVIDER, ...(hasSecondFactor ? [MULTI_FACTOR] : [])],
      identityProviderId: provider.id,
      authTime: claims.issuedAt,
    };
    const found = await this.standing.findOfflineUser(ctx, user, signIn);
    if (!found?.grants.some(({ organizationId }) => covers(organizationId, organization))) return undefined;
    const pending = { id: this.grants.newGrantId(), organization, client, user, scopes: [], resourceScopes };
    const actor = { type: 'api', id: client.id, client: { id: client.id, name: client.name } } as const;
    const { id: grantId, tenantId } = await this.grants.allow({ ...ctx, actor }, pending);
    const key = grantKeyText({ tenantId, grantId, signInId: randomToken(16) });
    return { ...signIn, grantId: key, accountId: user.id, clientId: client.clientId, offline: true };
  }
}

/** Stores what the JWT comes from, so that its API can exchange it. The id is no token. */
function storeSource(origin: TokenOrigin, { tenantId }: OrganizationScope, seconds: number): void {
  const request = currentRequest();
  const id = randomToken();
  request.sourceHash = hashToken(id).toString('base64url');
  request.writes.inserted.push({
    kind: 'AccessToken',
    id,
    tenantId,
    payload: { ...origin, acr: acrOf(origin.amr) },
    signInId: parseGrantKey(origin.grantId)?.signInId ?? null,
    expiresAt: new Date(Date.now() + seconds * 1_000),
  });
}

/** Returns the scopes that the provider, the request and the client allow. @throws InvalidScope */
function grantedScopes(
  { errors }: Library,
  server: ResourceServer,
  allowed: string | undefined,
  requested: string | undefined,
): readonly string[] {
  const possible = scopesOf(server.scope).filter((scope) => allowed === undefined || scopesOf(allowed).includes(scope));
  const beyond = scopesOf(requested).filter((scope) => !possible.includes(scope));
  if (beyond.length > 0 || possible.length === 0)
    throw new errors.InvalidScope(
      'the assertion or the client does not have these scopes for the API',
      beyond.join(' ') || undefined,
    );
  return requested === undefined ? possible : [...new Set(scopesOf(requested))];
}
