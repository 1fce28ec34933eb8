import { Injectable } from '@nestjs/common';
import { type Caller, Clock, newId, type RequestSession, type SessionRules, systemContext } from '#platform/common';
import { sessionUserDetails, type SessionUser, type StoredSessionUser, UserGrantsQuery } from '#directory/memberships';
import { lacksSecondFactor } from '#directory/organizations';
import { type IdleTimeoutSecondsOf, type Session, SessionService, type UserKey } from '#directory/sessions';

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
   * `isAllowed` resolves to false.
   */
  findById(user: UserKey, sessionId: string, isAllowed: () => Promise<boolean> = always): Promise<ActiveSession | null> {
    const details = sessionUserDetails();
    return this.findWith(
      (idleTimeoutSecondsOf) => this.sessions.authenticateById(user, sessionId, idleTimeoutSecondsOf, details),
      isAllowed,
    );
  }

  private async findWith(
    authenticate: (idleTimeoutSecondsOf: IdleTimeoutSecondsOf<StoredSessionUser>) => Promise<Session | null>,
    isAllowed = always,
  ): Promise<ActiveSession | null> {
    let details: (Omit<ActiveSession, 'session'> & { expiresAt: Date }) | undefined;
    const session = await authenticate(async (session) => {
      if (!(await isAllowed())) return 0;
      const user = await this.userGrants.sessionUserOf(systemContext(newId('request')), session);
      if (user.ssoRequired && !session.authenticationMethods.includes(IDENTITY_PROVIDER)) return 0;
      const { rules } = user;
      const enrolmentOnly = session.enrolmentOnly || lacksSecondFactor(rules, session);
      details = { user, enrolmentOnly, visible: session.visible, expiresAt: expiryOf(session, rules) };
      return details.expiresAt > this.clock.now() ? rules.sessionTimeout : 0;
    });
    if (!session || !details) return null;
    const { expiresAt, ...rest } = details;
    return { session: { ...session, expiresAt }, ...rest };
  }
}

/** Returns the expiry of a session. A shortened `sessionLifetime` applies to existing sessions. */
function expiryOf({ createdAt, expiresAt }: Session, { sessionLifetime }: SessionRules): Date {
  return new Date(Math.min(expiresAt.getTime(), createdAt.getTime() + sessionLifetime * 1_000));
}

/** Returns whether a user has a role in an organization itself, which every member has. Roles in ancestors don't count. */
export const hasRoleIn = ({ grants }: Pick<Caller, 'grants'>, organizationId: string): boolean =>
  grants?.some((grant) => grant.organizationId === organizationId) ?? false;

export const requestSessionOf = ({ session, user, enrolmentOnly }: ActiveSession): RequestSession => ({
  id: session.id,
  organizationId: session.organizationId,
  authenticationMethods: session.authenticationMethods,
  createdAt: session.createdAt,
  authenticatedAt: session.authenticatedAt,
  expiresAt: session.expiresAt,
  longestIdleSeconds: session.longestIdleSeconds,
  rules: user.rules,
  enrolmentOnly,
});
