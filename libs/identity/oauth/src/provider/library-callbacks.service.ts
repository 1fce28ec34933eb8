import { Injectable } from '@nestjs/common';
import { STANDARD_SCOPES } from '#platform/common';
import { AppConfig } from '#platform/config';
import { randomToken } from '#platform/crypto';
import { canInspect } from '../clients/client-rights.js';
import type { KnownClient } from '../clients/oauth-client.query.js';
import { USER_CODE_CHARSET, USER_CODE_MASK } from '../devices/user-code.js';
import { grantKeyText } from '../grants/grant-key.js';
import { OAuthGrantsService, type PendingGrant, union, unionOfResources } from '../grants/oauth-grants.service.js';
import { OrganizationChoiceService } from '../interactions/organization-choice.service.js';
import { requestedScopes } from '../interactions/requested-scopes.js';
import { actClaim } from '../exchange/token-chain.js';
import { type Claims, ClaimsService, scopesOf } from '../tokens/claims.service.js';
import type { Standing } from '../tokens/standing.service.js';
import { GuardedFetchService } from './guarded-fetch.service.js';
import type { KoaContext, Library, LibraryClient, LibraryGrant, LibraryToken } from './library.js';
import { currentRequest } from './oauth-request.js';
import { ResourceServersService } from './resource-servers.service.js';

interface Account {
  readonly accountId: string;
  claims(): Promise<Claims>;
}

/**
 * Answers the questions of the library: who the user is, what the user allowed, and what tokens contain. Apart from its only caller,
 * `OAuthProviderService`, so that the answers are read without the configuration of the protocol.
 */
@Injectable()
export class LibraryCallbacksService {
  constructor(
    private readonly claims: ClaimsService,
    private readonly grants: OAuthGrantsService,
    private readonly organizationChoice: OrganizationChoiceService,
    private readonly resourceServers: ResourceServersService,
    private readonly guardedFetch: GuardedFetchService,
    private readonly config: AppConfig,
  ) {}

  configuration(): object {
    return {
      fetch: this.guardedFetch.fetch,
      findAccount: (_ctx: KoaContext, id: string, token?: LibraryToken) => this.findAccount(id, token),
      loadExistingGrant: (ctx: KoaContext) => this.findGrant(ctx),
      issueRefreshToken: (_ctx: KoaContext, client: LibraryClient) => client.grantTypeAllowed('refresh_token'),
      extraTokenClaims: (_ctx: KoaContext, token: LibraryToken) => this.tokenClaims(token),
      clientBasedCORS: (_ctx: KoaContext, origin: string, client: LibraryClient) =>
        currentRequest().clients.get(client.clientId)?.origins.includes(origin) ?? false,
    };
  }

  features(library: Library): object {
    return {
      resourceIndicators: {
        enabled: true,
        // Without a resource in the request, the token is for the userinfo endpoint, or for the resource of the code or refresh token. Scopes
        // of standards are for the API of this service, because receivers of these standards send no resource.
        defaultResource: ({ oidc }: KoaContext, _client: LibraryClient, oneOf?: readonly string[]) =>
          oneOf?.[0] ?? (asksOnlyForStandardScopes(oidc.params ?? {}) ? this.config.baseUrl : undefined),
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx: KoaContext, identifier: string, client: LibraryClient) =>
          this.resourceServers.find(library, identifier, currentRequest().clients.get(client.clientId)),
      },
      // A resource server can inspect tokens for itself, a client its own tokens.
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx: KoaContext, client: LibraryClient, token: LibraryToken) => this.canInspect(client, token),
      },
      // The user enters the code on a page of this service (`DeviceAnswersService`).
      deviceFlow: {
        enabled: true,
        charset: USER_CODE_CHARSET,
        mask: USER_CODE_MASK,
        deviceInfo: () => ({ ipAddress: currentRequest().ctx.ipAddress }),
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx: KoaContext, client: LibraryClient, token: LibraryToken) => client.clientId === token.clientId,
      },
    };
  }

  private async findAccount(id: string, token: LibraryToken | undefined): Promise<Account | undefined> {
    const { ctx, session, standings } = currentRequest();
    if (!token) return session?.session.userId === id ? { accountId: id, claims: () => Promise.resolve({ sub: id }) } : undefined;
    const standing = standings.get(token.grantId ?? '');
    // A code or refresh token that was used before stands for nothing. The library must find an account to end the sign-in.
    if (!standing) return { accountId: id, claims: () => Promise.resolve({ sub: id }) };
    return { accountId: id, claims: () => this.claims.ofUser(ctx, standing) };
  }

  /** Returns what the user allowed the client to do in the organization of the sign-in. */
  private async findGrant({ oidc }: KoaContext): Promise<LibraryGrant | undefined> {
    const request = currentRequest();
    const { ctx, session } = request;
    const client = request.clients.get(oidc.client.clientId);
    if (!session || !client) return undefined;
    const requested = oidc.result?.organization?.id ?? oidc.params['organization'];
    request.choice = await this.organizationChoice.find(ctx, session, client, requested);
    const { organization } = request.choice;
    if (!organization) return undefined;
    if (client.registration)
      request.foreignResource = await this.resourceServers.findForeign(Object.keys(oidc.resourceServers), organization);
    const user = { tenantId: session.session.tenantId, id: session.session.userId };
    const existing = await this.grants.findLive(ctx, { organization, client, user });
    const skipsConsent = client.consent === 'skipped';
    if (!existing && !skipsConsent) return undefined;
    const pending: PendingGrant = {
      id: existing?.id ?? this.grants.newGrantId(),
      organization,
      client,
      user,
      ...(skipsConsent ? requestedScopes(oidc) : { scopes: [], resourceScopes: {} }),
    };
    request.writes.grant = { ...pending, client, skipsConsent };
    return this.libraryGrant(oidc, pending, existing);
  }

  private libraryGrant(
    { provider, client: { clientId } }: KoaContext['oidc'],
    { id, organization, user, client: _, ...skipped }: PendingGrant,
    existing: Pick<PendingGrant, 'scopes' | 'resourceScopes'> | null,
  ): LibraryGrant {
    const resources = unionOfResources(existing?.resourceScopes ?? {}, skipped.resourceScopes);
    return new provider.Grant({
      jti: grantKeyText({ tenantId: organization.tenantId, grantId: id, signInId: randomToken(16) }),
      accountId: user.id,
      clientId,
      openid: { scope: union(existing?.scopes ?? [], skipped.scopes).join(' ') },
      resources: Object.fromEntries(Object.entries(resources).map(([each, names]) => [each, names.join(' ')])),
    });
  }

  private tokenClaims(token: LibraryToken): Claims | undefined {
    if (token.aud === undefined) return undefined;
    const { clients, standings, source, chain } = currentRequest();
    const scope = token.scope ?? '';
    const act = chain && { act: actClaim(chain.actors) };
    const standing: Standing | undefined = standings.get(token.grantId ?? '');
    // How the user signed in, so that an API can ask for more (RFC 9470).
    if (standing)
      return {
        ...this.claims.ofAccessToken(standing, scope),
        acr: source?.['acr'],
        amr: source?.['amr'],
        auth_time: source?.['authTime'],
        ...act,
      };
    const client: KnownClient | undefined = clients.get(chain?.clientId ?? token.clientId);
    return client && { ...this.claims.ofClient(client, scope), ...act };
  }

  private canInspect(client: LibraryClient, token: LibraryToken): boolean {
    const known = currentRequest().clients.get(client.clientId);
    return known !== undefined && canInspect(known, token, this.config.baseUrl);
  }
}

function asksOnlyForStandardScopes({ grant_type: grantType, scope }: Readonly<Record<string, string | undefined>>): boolean {
  const scopes = scopesOf(scope);
  return grantType === 'client_credentials' && scopes.length > 0 && scopes.every((each) => STANDARD_SCOPES.includes(each));
}
