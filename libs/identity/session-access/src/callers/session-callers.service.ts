import { Injectable } from '@nestjs/common';
import { Clock, hasSecondFactor, newId, type RequestSession, systemContext } from '#platform/common';
import { UserGrantsQuery, type SessionUser } from '#directory/memberships';
import { type OrganizationSettings, resolveSettings } from '#directory/organizations';
import { type Session, SessionService } from '#directory/sessions';

/** An active session with the current status and grants of its user. */
export interface ActiveSession {
  readonly session: Session;
  readonly user: SessionUser;
  /** Networks from which the organization of the session can be managed; empty for all networks. */
  readonly allowedNetworks: readonly string[];
  /** Whether the session can only be used to add an MFA factor. */
  readonly enrolmentOnly: boolean;
}

/**
 * Finds the session and the user of a session token. Reads them from the database for each request, in two statements, so that ended
 * sessions and changed roles take effect immediately on every instance.
 */
@Injectable()
export class SessionCallersService {
  constructor(
    private readonly sessions: SessionService,
    private readonly userGrants: UserGrantsQuery,
    private readonly clock: Clock,
  ) {}

  /** Returns the active session of a token, or null if the session has ended, or its user or organization is not active. Counts as activity. */
  async find(token: string): Promise<ActiveSession | null> {
    let found: (Omit<ActiveSession, 'session'> & { expiresAt: Date }) | undefined;
    const session = await this.sessions.authenticate(token, async (session) => {
      const ctx = systemContext(newId('request'));
      const user = await this.userGrants.findSessionUser(
        ctx,
        { tenantId: session.tenantId, id: session.userId },
        session.organizationId,
      );
      if (!user) return 0;
      const { values } = resolveSettings(user.settings);
      const lacksFactor = values.requireMfa && !hasSecondFactor(session.authenticationMethods, values.mfaMethods);
      const { allowedNetworks } = values;
      found = {
        user,
        allowedNetworks,
        enrolmentOnly: session.enrolmentOnly || lacksFactor,
        expiresAt: expiryOf(session, values),
      };
      return found.expiresAt > this.clock.now() ? values.sessionTimeout : 0;
    });
    if (!session || !found) return null;
    const { expiresAt, ...rest } = found;
    return { session: { ...session, expiresAt }, ...rest };
  }
}

/** Returns when a session expires. A shortened `sessionLifetime` also applies to existing sessions. */
function expiryOf({ createdAt, expiresAt }: Session, { sessionLifetime }: OrganizationSettings): Date {
  return new Date(Math.min(expiresAt.getTime(), createdAt.getTime() + sessionLifetime * 1_000));
}

/** Returns the session for the context of a request. */
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
