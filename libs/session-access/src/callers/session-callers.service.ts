import { Injectable } from '@nestjs/common';
import { holdsSecondFactor, newId, type RequestSession, systemContext } from '#common';
import { UserGrants, type UserStanding } from '#memberships';
import { resolveSettings } from '#organizations';
import { type Session, SessionService } from '#sessions';

/** A session that works, with its user as they stand now. */
export interface SessionInUse {
  readonly session: Session;
  readonly user: UserStanding;
  /** May do nothing but add a second factor. */
  readonly enrolmentOnly: boolean;
}

/**
 * Finds who a session token belongs to. Read from the database each time, in two statements, so that whatever ends a session or changes a
 * role holds at once on every instance.
 */
@Injectable()
export class SessionCallers {
  constructor(
    private readonly sessions: SessionService,
    private readonly grants: UserGrants,
  ) {}

  /** Null when the session is over, or its user or organization may not be served. Counts as use of the session. */
  async find(token: string): Promise<SessionInUse | null> {
    let found: Omit<SessionInUse, 'session'> | undefined;
    const session = await this.sessions.authenticate(token, async (session) => {
      const ctx = systemContext(newId('request'));
      const user = await this.grants.standingOf(ctx, { tenantId: session.tenantId, id: session.userId }, session.organizationId);
      if (!user) return 0;
      const { values } = resolveSettings(user.settings);
      const lacksFactor = values.requireMfa && !holdsSecondFactor(session.authenticationMethods, values.mfaMethods);
      found = { user, enrolmentOnly: session.enrolmentOnly || lacksFactor };
      return values.sessionTimeout;
    });
    return session && found ? { session, ...found } : null;
  }
}

/** The session as requests know it. */
export const requestSession = ({ session, enrolmentOnly }: SessionInUse): RequestSession => ({
  id: session.id,
  organizationId: session.organizationId,
  authenticationMethods: session.authenticationMethods,
  createdAt: session.createdAt,
  expiresAt: session.expiresAt,
  enrolmentOnly,
});
