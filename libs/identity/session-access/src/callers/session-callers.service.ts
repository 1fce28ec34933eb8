import { Injectable } from '@nestjs/common';
import { Clock, holdsSecondFactor, newId, type RequestSession, systemContext } from '#platform/common';
import { UserGrantsQuery, type UserStanding } from '#directory/memberships';
import { type OrganizationSettings, resolveSettings } from '#directory/organizations';
import { type Session, SessionService } from '#directory/sessions';

/** A session that works, with its user as they stand now. */
export interface ActiveSession {
  readonly session: Session;
  readonly user: UserStanding;
  /** Networks from which the organization signed in to is managed; empty: from everywhere. */
  readonly allowedNetworks: readonly string[];
  /** May do nothing but add a second factor. */
  readonly enrolmentOnly: boolean;
}

/**
 * Finds who a session token belongs to. Read from the database each time, in two statements, so that whatever ends a session or changes a
 * role holds at once on every instance.
 */
@Injectable()
export class SessionCallersService {
  constructor(
    private readonly sessions: SessionService,
    private readonly grants: UserGrantsQuery,
    private readonly clock: Clock,
  ) {}

  /** Null when the session is over, or its user or organization may not be served. Counts as use of the session. */
  async find(token: string): Promise<ActiveSession | null> {
    let found: (Omit<ActiveSession, 'session'> & { endsAt: Date }) | undefined;
    const session = await this.sessions.authenticate(token, async (session) => {
      const ctx = systemContext(newId('request'));
      const user = await this.grants.standingOf(ctx, { tenantId: session.tenantId, id: session.userId }, session.organizationId);
      if (!user) return 0;
      const { values } = resolveSettings(user.settings);
      const lacksFactor = values.requireMfa && !holdsSecondFactor(session.authenticationMethods, values.mfaMethods);
      const { allowedNetworks } = values;
      found = { user, allowedNetworks, enrolmentOnly: session.enrolmentOnly || lacksFactor, endsAt: endOf(session, values) };
      return found.endsAt > this.clock.now() ? values.sessionTimeout : 0;
    });
    if (!session || !found) return null;
    const { endsAt, ...rest } = found;
    return { session: { ...session, expiresAt: endsAt }, ...rest };
  }
}

/** A lifetime that was shortened since counts for sessions that are open already. */
function endOf({ createdAt, expiresAt }: Session, { sessionLifetime }: OrganizationSettings): Date {
  return new Date(Math.min(expiresAt.getTime(), createdAt.getTime() + sessionLifetime * 1_000));
}

/** The session as requests know it. */
export const requestSession = ({ session, allowedNetworks, enrolmentOnly }: ActiveSession): RequestSession => ({
  id: session.id,
  organizationId: session.organizationId,
  authenticationMethods: session.authenticationMethods,
  createdAt: session.createdAt,
  authenticatedAt: session.authenticatedAt,
  expiresAt: session.expiresAt,
  allowedNetworks,
  enrolmentOnly,
});
