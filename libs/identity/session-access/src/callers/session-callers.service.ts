import { Injectable } from '@nestjs/common';
import {
  type Actor,
  type Caller,
  Clock,
  hasPermission,
  type Impersonator,
  newId,
  ownPermissionsAt,
  type RequestSession,
  type SessionRules,
  systemContext,
} from '#platform/common';
import { sessionUserDetails, type SessionUser, type StoredSessionUser, UserGrantsQuery } from '#directory/memberships';
import { isTooOld, lacksSecondFactor } from '#directory/organizations';
import { exceedsPermissions } from '#directory/privileges';
import {
  type IdleTimeoutSecondsOf,
  type Session,
  type SessionImpersonator,
  SessionService,
  type UserKey,
} from '#directory/sessions';

/** The method of sessions that an identity provider opened. */
export const IDENTITY_PROVIDER = 'oidc';

const always = (): Promise<boolean> => Promise.resolve(true);

/** An active session with the status and grants of its user. */
export interface ActiveSession {
  readonly session: Session;
  readonly user: SessionUser;
  /** Whether the session can only be used to add an MFA factor. */
  readonly enrolmentOnly: boolean;
  /** Whether the user is a member of one of the organizations or their descendants, in the tenant of the user. */
  readonly visible: boolean;
  /** Set only if another user acts in the session for support. */
  readonly impersonator?: Impersonator;
}

/**
 * Finds the session and the user of a session token. Reads the database for each request, so that ended sessions and changed roles take
 * effect immediately.
 */
@Injectable()
export class SessionCallersService {
  constructor(
    private readonly sessions: SessionService,
    private readonly userGrants: UserGrantsQuery,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the active session of a token, and records the activity. Returns null if the session has ended, if its user or organization is
   * not active, or if the user must sign in with an identity provider and did not. One statement reads everything, unless the user is a
   * guest in another tenant. Without `organizationIds`, the user is visible.
   */
  find(token: string, organizationIds?: readonly string[]): Promise<ActiveSession | null> {
    const details = sessionUserDetails(organizationIds);
    return this.findWith((idleTimeoutSecondsOf) => this.sessions.authenticate(token, idleTimeoutSecondsOf, details));
  }

  /**
   * Same as `find` for the id of a session of the user, when an OAuth client acts in the session. Returns null and records no activity if
   * `isAllowed` resolves to false. Sessions of impersonators are not found, because applications act only for the user.
   */
  async findById(user: UserKey, sessionId: string, isAllowed: () => Promise<boolean> = always): Promise<ActiveSession | null> {
    const found = await this.findWith((idle) => this.authenticateById(user, sessionId, idle), isAllowed);
    return found?.impersonator ? null : found;
  }

  /** Returns whether a session of the user is active, without recording activity. */
  async isActive(user: UserKey, sessionId: string): Promise<boolean> {
    return (await this.peek(user, sessionId)) !== null;
  }

  /** Returns an active session of the user, also of an impersonator, without recording activity. */
  peek(user: UserKey, sessionId: string): Promise<ActiveSession | null> {
    const isActivity = false;
    const authenticate: Authenticate = (idle) => this.authenticateById(user, sessionId, idle, isActivity);
    return this.findWith(authenticate, always, isActivity);
  }

  private authenticateById(
    user: UserKey,
    sessionId: string,
    idleTimeoutSecondsOf: IdleTimeoutSecondsOf<StoredSessionUser>,
    isActivity = true,
  ): Promise<Session | null> {
    return this.sessions.authenticateById(user, sessionId, idleTimeoutSecondsOf, sessionUserDetails(), { isActivity });
  }

  private async findWith(authenticate: Authenticate, isAllowed = always, isActivity = true): Promise<ActiveSession | null> {
    let details: (Omit<ActiveSession, 'session'> & { expiresAt: Date }) | undefined;
    const session = await authenticate(async (session) => {
      if (!(await isAllowed())) return 0;
      const user = await this.userGrants.sessionUserOf(systemContext(newId('request')), session);
      if (user.ssoRequired && !session.authenticationMethods.includes(IDENTITY_PROVIDER)) return 0;
      const { rules } = user;
      const enrolmentOnly = session.enrolmentOnly || lacksSecondFactor(rules, session);
      details = { user, enrolmentOnly, visible: session.visible, expiresAt: expiryOf(session, rules) };
      if (session.impersonator) {
        const own = enrolmentOnly ? null : await this.findImpersonator(session.impersonator, user, isActivity);
        if (!own) return 0;
        details = { ...details, user: impersonatedUser(user, own), impersonator: impersonatorOf(session.impersonator, own) };
      }
      return details.expiresAt > this.clock.now() ? rules.sessionTimeout : 0;
    });
    if (!session || !details) return null;
    const { expiresAt, ...rest } = details;
    return { session: { ...session, expiresAt }, ...rest };
  }

  /**
   * Returns the session in which the impersonation of a user started, if the impersonator can still act for the user: the session is active
   * and satisfies the rules for the user, and the impersonator has the permission and everything that the user has.
   */
  private async findImpersonator(
    { tenantId, id, sessionId }: SessionImpersonator,
    user: SessionUser,
    isActivity: boolean,
  ): Promise<ActiveSession | null> {
    const key = { tenantId, id };
    const own = await this.findWith((idle) => this.authenticateById(key, sessionId, idle, isActivity), always, isActivity);
    return own && !own.impersonator && mayImpersonate(own, user, this.clock.now()) ? own : null;
  }
}

type Authenticate = (idleTimeoutSecondsOf: IdleTimeoutSecondsOf<StoredSessionUser>) => Promise<Session | null>;

/** Returns the expiry of a session. A shortened `sessionLifetime` applies to existing sessions. */
function expiryOf({ createdAt, expiresAt }: Session, { sessionLifetime }: SessionRules): Date {
  return new Date(Math.min(expiresAt.getTime(), createdAt.getTime() + sessionLifetime * 1_000));
}

/** Returns whether a user has a role in an organization itself, which every member has. Roles in ancestors don't count. */
export const hasRoleIn = ({ grants }: Pick<Caller, 'grants'>, organizationId: string): boolean =>
  grants?.some((grant) => grant.organizationId === organizationId) ?? false;

/** Returns the user as a caller. The access guard adds the permissions for the operation. */
export const callerOf = ({ session, user }: Pick<ActiveSession, 'session' | 'user'>): Caller => ({
  kind: 'user',
  id: session.userId,
  tenantId: session.tenantId,
  // The id of a tenant is the id of its root organization.
  tenantIds: [...new Set(user.grants.map(({ organizationId, ancestorIds: [root = organizationId] }) => root))],
  organizationIds: user.grants.map(({ organizationId }) => organizationId),
  permissions: [],
  grants: user.grants,
  suspended: user.suspended,
});

/** Returns the user as events name the user, with the impersonator. */
export const actorOf = ({ session, user, impersonator }: Pick<ActiveSession, 'session' | 'user' | 'impersonator'>): Actor => ({
  type: 'user',
  id: session.userId,
  email: user.email,
  ...(impersonator ? { impersonator: { id: impersonator.id } } : {}),
});

const impersonatorOf = ({ tenantId, id, impersonationId }: SessionImpersonator, own: ActiveSession): Impersonator => ({
  tenantId,
  id,
  email: own.user.email,
  impersonationId,
});

/** Returns the user without what break glass lends the user, and with the networks from which the impersonator can act. */
const impersonatedUser = (user: SessionUser, { user: impersonator }: ActiveSession): SessionUser => ({
  ...user,
  grants: user.grants.filter(({ temporary }) => !temporary),
  roles: user.roles.filter(({ temporary }) => !temporary),
  rules: {
    ...user.rules,
    allowedNetworks: [...user.rules.allowedNetworks, ...impersonator.rules.allowedNetworks],
  },
});

/** Returns whether the user of an active session can act for another user, without what break glass lends the first. */
function mayImpersonate(own: ActiveSession, user: SessionUser, now: Date): boolean {
  if (own.enrolmentOnly || own.user.suspended || user.suspended) return false;
  if (lacksSecondFactor(user.rules, own.session) || isTooOld(user.rules, own.session, now)) return false;
  const caller = callerOf(own);
  const managing = { id: user.managingPath.at(-1) ?? '', ancestorIds: user.managingPath.slice(0, -1) };
  if (!hasPermission(ownPermissionsAt(caller, managing), 'users:impersonate')) return false;
  return !user.grants.some((grant) => exceedsPermissions(caller, grant));
}

export const requestSessionOf = ({ session, user, enrolmentOnly, impersonator }: ActiveSession): RequestSession => ({
  id: session.id,
  organizationId: session.organizationId,
  authenticationMethods: session.authenticationMethods,
  createdAt: session.createdAt,
  authenticatedAt: session.authenticatedAt,
  expiresAt: session.expiresAt,
  longestIdleSeconds: session.longestIdleSeconds,
  rules: user.rules,
  enrolmentOnly,
  ...(impersonator ? { impersonator } : {}),
});
