import { Injectable } from '@nestjs/common';
import { Clock, hasSecondFactor, newId, type RequestSession, systemContext } from '#platform/common';
import { UserGrantsQuery, type SessionUser } from '#directory/memberships';
import { type OrganizationSettings, resolveSettings } from '#directory/organizations';
import { type Session, SessionService } from '#directory/sessions';

/** The method of sessions that an identity provider opened. */
const IDENTITY_PROVIDER = 'oidc';

/** An active session with the status and grants of its user. */
export interface ActiveSession {
  readonly session: Session;
  readonly user: SessionUser;
  /** Networks from which the session's organization can be managed; empty for all networks. */
  readonly allowedNetworks: readonly string[];
  /** Whether the session can only be used to add an MFA factor. */
  readonly enrolmentOnly: boolean;
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
   * not active, or if the user must sign in with an identity provider and did not.
   */
  async find(token: string): Promise<ActiveSession | null> {
    let details: (Omit<ActiveSession, 'session'> & { expiresAt: Date }) | undefined;
    const session = await this.sessions.authenticate(token, async (session) => {
      const ctx = systemContext(newId('request'));
      const user = await this.userGrants.findSessionUser(
        ctx,
        { tenantId: session.tenantId, id: session.userId },
        session.organizationId,
      );
      if (!user || (user.ssoRequired && !session.authenticationMethods.includes(IDENTITY_PROVIDER))) return 0;
      const { values } = resolveSettings(user.settings);
      const lacksFactor = values.requireMfa && !hasSecondFactor(session.authenticationMethods, values.mfaMethods);
      const { allowedNetworks } = values;
      details = {
        user,
        allowedNetworks,
        enrolmentOnly: session.enrolmentOnly || lacksFactor,
        expiresAt: expiryOf(session, values),
      };
      return details.expiresAt > this.clock.now() ? values.sessionTimeout : 0;
    });
    if (!session || !details) return null;
    const { expiresAt, ...rest } = details;
    return { session: { ...session, expiresAt }, ...rest };
  }
}

/** Returns the expiry of a session. A shortened `sessionLifetime` applies to existing sessions. */
function expiryOf({ createdAt, expiresAt }: Session, { sessionLifetime }: OrganizationSettings): Date {
  return new Date(Math.min(expiresAt.getTime(), createdAt.getTime() + sessionLifetime * 1_000));
}

export const requestSessionOf = ({ session, allowedNetworks, enrolmentOnly }: ActiveSession): RequestSession => ({
  id: session.id,
  organizationId: session.organizationId,
  authenticationMethods: session.authenticationMethods,
  createdAt: session.createdAt,
  authenticatedAt: session.authenticatedAt,
  expiresAt: session.expiresAt,
  allowedNetworks,
  enrolmentOnly,
});
