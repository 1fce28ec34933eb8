import { Injectable } from '@nestjs/common';
import { Clock, covers, type OrganizationScope, type RequestContext, type RequestSession } from '#platform/common';
import type { SessionUser } from '#directory/memberships';
import { EffectiveSettingsService, isTooOld, lacksSecondFactor } from '#directory/organizations';
import { requestSessionOf, SessionCallersService } from '#identity/session-access';
import { clientReaches } from '../clients/client-reach.js';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import { type LiveGrant, OAuthGrantQuery } from '../grants/oauth-grant.query.js';
import { type GrantKey, parseGrantKey } from '../grants/grant-key.js';
import { OfflineUsersService } from './offline-users.service.js';

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
  /** The identity provider of the sign-in. */
  readonly identityProviderId?: string | null;
  /** When the user authenticated, in seconds since 1970. */
  readonly authTime: number;
}

/** Everything that a code or token stands for, read anew. */
export interface Standing {
  readonly key: GrantKey;
  readonly grant: LiveGrant;
  readonly organization: OrganizationScope;
  readonly client: KnownClient;
  readonly user: SessionUser;
  /** The session of the sign-in; with offline access, a session with its methods that has just begun. */
  readonly session: RequestSession;
}

type Person = Pick<Standing, 'user' | 'session'>;

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
    private readonly offlineUsers: OfflineUsersService,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly clock: Clock,
  ) {}

  /** `known` is the client, if the request has read it already. */
  async find(ctx: RequestContext, origin: TokenOrigin, known?: KnownClient): Promise<Standing | null> {
    const key = parseGrantKey(origin.grantId);
    if (!key) return null;
    const [grant, client] = await Promise.all([
      this.grantQuery.findLive(ctx, key.tenantId, key.grantId),
      known ?? this.clientQuery.findById(ctx, origin.clientId, this.clock.now()),
    ]);
    if (!grant?.isActive || !client?.isActive) return null;
    if (grant.clientId !== client.id || grant.userId !== origin.accountId) return null;
    const { organization } = grant;
    if (!clientReaches(client, organization)) return null;
    const person = origin.offline ? await this.findOffline(ctx, grant, origin) : await this.findInSession(ctx, grant, origin);
    const hasAccess = person?.user.grants.some(({ organizationId }) => covers(organizationId, organization));
    return person && hasAccess ? { key, grant, organization, client, ...person } : null;
  }

  /** Returns the user if the session still exists and the organization accepts it. */
  private async findInSession(ctx: RequestContext, grant: LiveGrant, { sessionUid }: TokenOrigin): Promise<Person | null> {
    const active = await this.sessionCallers.findById({ tenantId: grant.userTenantId, id: grant.userId }, sessionUid);
    if (!active || active.enrolmentOnly || active.user.suspended) return null;
    const session = requestSessionOf(active);
    return (await this.isAccepted(ctx, session, grant.organization)) ? { user: active.user, session } : null;
  }

  /** Returns the user if the way in which the user signed in is still good enough, although the session may have ended by itself. */
  private async findOffline(ctx: RequestContext, grant: LiveGrant, origin: TokenOrigin): Promise<Person | null> {
    const user = await this.offlineUsers.find(ctx, { tenantId: grant.userTenantId, id: grant.userId }, origin);
    if (!user) return null;
    const now = this.clock.now();
    const session: RequestSession = {
      id: origin.sessionUid,
      organizationId: grant.organization.id,
      authenticationMethods: origin.amr,
      createdAt: now,
      authenticatedAt: now,
      expiresAt: now,
      longestIdleSeconds: 0,
      rules: user.rules,
      enrolmentOnly: false,
    };
    if (lacksSecondFactor(user.rules, session)) return null;
    const rules = await this.effectiveSettings.getSessionRules(ctx, [grant.organization]);
    return lacksSecondFactor(rules, session) ? null : { user, session: { ...session, rules } };
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
