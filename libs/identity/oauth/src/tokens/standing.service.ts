import { Injectable } from '@nestjs/common';
import { Clock, covers, type OrganizationScope, type RequestContext, type RequestSession } from '#platform/common';
import { type SessionUser, UserGrantsQuery } from '#directory/memberships';
import { EffectiveSettingsService, isTooOld, lacksSecondFactor } from '#directory/organizations';
import { IDENTITY_PROVIDER, requestSessionOf, SessionCallersService } from '#identity/session-access';
import { clientReaches } from '../clients/client-reach.js';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import { type LiveGrant, OAuthGrantQuery } from '../grants/oauth-grant.query.js';
import { type GrantKey, parseGrantKey } from '../grants/grant-key.js';

/** What a code or token says about its origin. */
export interface TokenOrigin {
  readonly grantId: string;
  readonly accountId: string;
  readonly clientId: string;
  /** The session in which the user signed in at the client. */
  readonly sessionUid: string;
  /** Whether the access continues after the end of the session. */
  readonly offline: boolean;
  /** How the user authenticated. */
  readonly amr: readonly string[];
}

/** Everything that a code or token stands for, read anew. */
export interface Standing {
  readonly key: GrantKey;
  readonly grant: LiveGrant;
  readonly organization: OrganizationScope;
  readonly client: KnownClient;
  readonly user: SessionUser;
}

/**
 * Decides whether a code or token is still good for anything. Asked whenever one is used, so that a suspension, a removal or a revocation
 * takes effect at once: the client and the organization are active, the grant is not revoked, the user is active and still has access to
 * the organization, and the session or, with offline access, the sign-in satisfies the rules of the organization.
 */
@Injectable()
export class StandingService {
  constructor(
    private readonly grantQuery: OAuthGrantQuery,
    private readonly clientQuery: OAuthClientQuery,
    private readonly sessionCallers: SessionCallersService,
    private readonly userGrants: UserGrantsQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly clock: Clock,
  ) {}

  async find(ctx: RequestContext, origin: TokenOrigin): Promise<Standing | null> {
    const key = parseGrantKey(origin.grantId);
    if (!key) return null;
    const [grant, client] = await Promise.all([
      this.grantQuery.findLive(ctx, key.tenantId, key.grantId),
      this.clientQuery.findById(ctx, origin.clientId, this.clock.now()),
    ]);
    if (!grant?.isActive || !client?.isActive) return null;
    if (grant.clientId !== client.id || grant.userId !== origin.accountId) return null;
    const { organization } = grant;
    if (!clientReaches(client, organization)) return null;
    const user = await this.findUser(ctx, grant, origin);
    if (!user || !user.grants.some(({ organizationId }) => covers(organizationId, organization))) return null;
    return { key, grant, organization, client, user };
  }

  /** Returns the user if the user is active and the organization accepts the session or, with offline access, the sign-in. */
  private async findUser(ctx: RequestContext, grant: LiveGrant, origin: TokenOrigin): Promise<SessionUser | null> {
    const userKey = { tenantId: grant.userTenantId, id: grant.userId };
    if (origin.offline) {
      const user = await this.userGrants.findSessionUser(ctx, userKey, null);
      if (!user || user.suspended || (user.ssoRequired && !origin.amr.includes(IDENTITY_PROVIDER))) return null;
      const signIn = { authenticationMethods: origin.amr };
      if (lacksSecondFactor(user.rules, signIn)) return null;
      const rules = await this.effectiveSettings.getSessionRules(ctx, [grant.organization]);
      return lacksSecondFactor(rules, signIn) ? null : user;
    }
    const active = await this.sessionCallers.findById(userKey, origin.sessionUid);
    if (!active || active.enrolmentOnly || active.user.suspended) return null;
    return (await this.isAccepted(ctx, requestSessionOf(active), grant.organization)) ? active.user : null;
  }

  /** The networks don't count, because requests come from the network of the client. */
  private async isAccepted(ctx: RequestContext, session: RequestSession, organization: OrganizationScope): Promise<boolean> {
    const rules =
      session.organizationId === organization.id
        ? session.rules
        : await this.effectiveSettings.getSessionRules(ctx, [organization]);
    return !lacksSecondFactor(rules, session) && !isTooOld(rules, session, this.clock.now());
  }
}
