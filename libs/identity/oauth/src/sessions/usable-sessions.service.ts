import { Injectable } from '@nestjs/common';
import { covers, type RequestContext } from '#platform/common';
import { type ActiveSession, SessionCallersService } from '#identity/session-access';
import { OAuthGrantQuery } from '../grants/oauth-grant.query.js';
import type { DueOAuthSession } from './oauth-session.query.js';

/** Decides whether a session can still be used at a client, with the rules that decide about tokens without offline access. */
@Injectable()
export class UsableSessionsService {
  constructor(
    private readonly callers: SessionCallersService,
    private readonly grants: OAuthGrantQuery,
  ) {}

  /** Returns until when the session can be used without further activity, or undefined if it can't be used. Records no activity. */
  async usableUntil(
    ctx: RequestContext,
    { tenantId, sessionId, grantId, userTenantId, userId }: DueOAuthSession,
  ): Promise<Date | undefined> {
    const [grant, active] = await Promise.all([
      this.grants.findLive(ctx, tenantId, grantId),
      this.callers.peek({ tenantId: userTenantId, id: userId }, sessionId),
    ]);
    if (!grant?.isActive || !active || active.user.suspended) return undefined;
    const hasAccess = active.user.grants.some(({ organizationId }) => covers(organizationId, grant.organization));
    return hasAccess ? usableUntil(active) : undefined;
  }
}

/** Returns when a session ends if it is not used again. */
export const usableUntil = ({ session, user }: ActiveSession): Date =>
  new Date(Math.min(session.expiresAt.getTime(), session.lastSeenAt.getTime() + user.rules.sessionTimeout * 1_000));
