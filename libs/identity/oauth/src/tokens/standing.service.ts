import { Injectable } from '@nestjs/common';
import {
  type Caller,
  Clock,
  covers,
  type OrganizationScope,
  type RequestContext,
  type RequestSession,
  type SessionRules,
} from '#platform/common';
import { type SessionUser, UserGrantsQuery } from '#directory/memberships';
import { isTooOld, lacksSecondFactor, resolveSettings, strictestSettings } from '#directory/organizations';
import type { UserKey } from '#directory/sessions';
import { IDENTITY_PROVIDER, requestSessionOf, SessionCallersService } from '#identity/session-access';
import { findObstacle, isDecider, needsApproval } from '../approval/application-rule.js';
import { ApplicationRulesService } from '../approval/application-rules.service.js';
import { clientReaches } from '../clients/client-reach.js';
import { TOKEN_EXCHANGE } from '../clients/oauth-client.entity.js';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import type { TokenChain } from '../exchange/token-chain.js';
import { type LiveGrant, OAuthGrantQuery } from '../grants/oauth-grant.query.js';
import { type GrantKey, parseGrantKey } from '../grants/grant-key.js';
import { OfflineAccessQuery, type OfflineSignIn } from './offline-access.query.js';
import { type ClaimedUser, UserClaimsQuery } from './user-claims.query.js';

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
  /** Set if the token was exchanged. The grant is then of the first client, and `clientId` is the last. */
  readonly chain?: TokenChain;
}

/** The clients of a token. */
interface ClientChain {
  /** The client to which the first token was issued. */
  readonly client: KnownClient;
  /** The clients to which the access was passed on, the last one last. */
  readonly actors: readonly KnownClient[];
}

/** Everything that a code or token stands for, read anew. */
export interface Standing extends ClientChain {
  readonly key: GrantKey;
  readonly grant: LiveGrant;
  readonly organization: OrganizationScope;
  readonly user: SessionUser;
  /** The session of the sign-in; with offline access, a session with its methods that has just begun. */
  readonly session: RequestSession;
  /** What claims say about the user, if it was read. */
  readonly profile?: ClaimedUser;
}

/** What the application has: the grant and the clients. */
type Access = Pick<Standing, 'grant' | keyof ClientChain>;

type Person = Pick<Standing, 'user' | 'session' | 'profile'>;

interface FindOptions {
  /** The client, if the request has read it already. */
  readonly client?: KnownClient | undefined;
  /** Whether the profile of the user is needed. */
  readonly withProfile?: boolean;
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
    private readonly applicationRules: ApplicationRulesService,
    private readonly sessionCallers: SessionCallersService,
    private readonly userGrants: UserGrantsQuery,
    private readonly offlineAccess: OfflineAccessQuery,
    private readonly userClaims: UserClaimsQuery,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads everything in one round trip. The user is nearly always of the tenant of the grant; a user of another tenant is read when the grant
   * says so.
   */
  async find(
    ctx: RequestContext,
    origin: TokenOrigin,
    { client, withProfile = false }: FindOptions = {},
  ): Promise<Standing | null> {
    const key = parseGrantKey(origin.grantId);
    if (!key) return null;
    const finding = this.findAccess(ctx, key, origin, client);
    const find = (tenantId: string) => this.findPerson(ctx, { tenantId, id: origin.accountId }, origin, finding, withProfile);
    const [access, ofTenant] = await Promise.all([finding, find(key.tenantId)]);
    if (!access) return null;
    const { userTenantId, organization } = access.grant;
    const person = userTenantId === key.tenantId ? ofTenant : await find(userTenantId);
    return person && (await this.canUse(ctx, person.user, access)) ? { key, organization, ...access, ...person } : null;
  }

  /** Returns a user whose access goes on after the session: the user is active, could still sign in in this way, and nothing ended the access. */
  async findOfflineUser(ctx: RequestContext, user: UserKey, signIn: OfflineSignIn): Promise<SessionUser | null> {
    const [found, hasEnded] = await Promise.all([
      this.userGrants.findActiveUser(ctx, user),
      this.offlineAccess.hasEnded(ctx, user, signIn),
    ]);
    if (hasEnded || !found || found.suspended || (found.ssoRequired && !signIn.amr.includes(IDENTITY_PROVIDER))) return null;
    return found;
  }

  /** Returns the machine client of a token and the clients to which it was passed on, if these can act in its organization. */
  async findMachine(ctx: RequestContext, chain: TokenChain, known?: KnownClient): Promise<ClientChain | null> {
    const machine = await this.findClients(ctx, chain, known);
    if (!machine) return null;
    const { client, actors } = machine;
    const { organization } = client;
    // Only clients of the platform act for clients of the platform, which have no organization.
    const areAllowed = organization
      ? await this.areAllowed(ctx, actors, organization)
      : actors.every((actor) => actor.organization === null);
    return areAllowed ? machine : null;
  }

  /** Returns the grant and the clients if all are active and belong to the token. */
  private async findAccess(
    ctx: RequestContext,
    { tenantId, grantId }: GrantKey,
    { accountId, clientId, chain = { clientId, actors: [] } }: TokenOrigin,
    known: KnownClient | undefined,
  ): Promise<Access | null> {
    const [grant, clients] = await Promise.all([
      this.grantQuery.findLive(ctx, tenantId, grantId),
      this.findClients(ctx, chain, known),
    ]);
    if (!grant?.isActive || !clients) return null;
    if (grant.clientId !== clients.client.id || grant.userId !== accountId) return null;
    return clientReaches(clients.client, grant.organization) ? { grant, ...clients } : null;
  }

  private async findPerson(
    ctx: RequestContext,
    user: UserKey,
    origin: TokenOrigin,
    access: Promise<Access | null>,
    withProfile: boolean,
  ): Promise<Person | null> {
    const [person, profile] = await Promise.all([
      origin.offline ? this.findOffline(ctx, user, origin, access) : this.findInSession(user, origin, access),
      withProfile ? this.userClaims.findUser(ctx, user) : undefined,
    ]);
    return person && profile ? { ...person, profile } : person;
  }

  /** Returns the user if the session still exists and the organization accepts it. A token that is good for nothing is no activity. */
  private async findInSession(
    user: UserKey,
    { sessionUid }: TokenOrigin,
    access: Promise<Access | null>,
  ): Promise<Person | null> {
    const isAllowed = async () => (await access)?.grant.userTenantId === user.tenantId;
    const [found, active] = await Promise.all([access, this.sessionCallers.findById(user, sessionUid, isAllowed)]);
    if (!found || !active || active.enrolmentOnly || active.user.suspended) return null;
    const session = requestSessionOf(active);
    return this.isAccepted(session, found.grant) ? { user: active.user, session } : null;
  }

  /** Returns the user if the way in which the user signed in is still good enough, although the session may have ended by itself. */
  private async findOffline(
    ctx: RequestContext,
    key: UserKey,
    origin: TokenOrigin,
    access: Promise<Access | null>,
  ): Promise<Person | null> {
    const [found, user] = await Promise.all([access, this.findOfflineUser(ctx, key, origin)]);
    if (!found || !user) return null;
    const now = this.clock.now();
    const session: RequestSession = {
      id: origin.sessionUid,
      organizationId: found.grant.organization.id,
      authenticationMethods: origin.amr,
      createdAt: now,
      authenticatedAt: now,
      expiresAt: now,
      longestIdleSeconds: 0,
      rules: user.rules,
      enrolmentOnly: false,
    };
    if (lacksSecondFactor(user.rules, session)) return null;
    const rules = rulesOf(found.grant);
    return lacksSecondFactor(rules, session) ? null : { user, session: { ...session, rules } };
  }

  /** Returns whether the user still has access to the organization, and can use the application and the programs behind it there. */
  private async canUse(ctx: RequestContext, { grants }: SessionUser, { grant, client, actors }: Access): Promise<boolean> {
    const { organization, isApproved } = grant;
    if (!grants.some(({ organizationId }) => covers(organizationId, organization))) return false;
    if (needsApproval(client)) {
      const settings = resolveSettings(grant.settings).values;
      if (findObstacle(client, settings, { isApproved, isDecider: isDecider(grants, organization) })) return false;
    }
    return this.areAllowed(ctx, actors, organization, grants);
  }

  /** The networks don't count, because requests come from the network of the client. */
  private isAccepted(session: RequestSession, grant: LiveGrant): boolean {
    const rules = session.organizationId === grant.organization.id ? session.rules : rulesOf(grant);
    return !lacksSecondFactor(rules, session) && !isTooOld(rules, session, this.clock.now());
  }

  /** Returns the clients if all are active, and those that exchanged a token can still do so. `known` is a client that was read before. */
  private async findClients(
    ctx: RequestContext,
    { clientId, actors: actorIds }: TokenChain,
    known: KnownClient | undefined,
  ): Promise<ClientChain | null> {
    const now = this.clock.now();
    const find = async (id: string) => (known?.clientId === id ? known : this.clientQuery.findById(ctx, id, now));
    const found = await Promise.all([clientId, ...actorIds].map(find));
    const [client, ...actors] = found.filter((each): each is KnownClient => each?.isActive === true);
    if (!client || actors.length !== actorIds.length) return null;
    return actors.every(({ grantTypes }) => grantTypes.includes(TOKEN_EXCHANGE)) ? { client, actors } : null;
  }

  /**
   * Returns whether an organization allows each client to act for a user with these permissions, or for a machine client, which has none.
   * Each client gets access to data, so the rules are for each.
   */
  private async areAllowed(
    ctx: RequestContext,
    clients: readonly KnownClient[],
    organization: OrganizationScope,
    grants: Caller['grants'] = [],
  ): Promise<boolean> {
    if (!clients.every((client) => clientReaches(client, organization))) return false;
    for (const client of clients) if (await this.applicationRules.findObstacle(ctx, client, organization, grants)) return false;
    return true;
  }
}

/** The rules of the organization of a grant for sessions. */
const rulesOf = ({ settings }: LiveGrant): SessionRules => strictestSettings([resolveSettings(settings).values]);
