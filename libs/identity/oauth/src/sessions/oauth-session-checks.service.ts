import { Injectable } from '@nestjs/common';
import { covers, newId, type RequestContext, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { Notifications } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { SessionCallersService } from '#identity/session-access';
import { OAuthGrantQuery } from '../grants/oauth-grant.query.js';
import { type DueOAuthSession, OAuthSessionQuery } from './oauth-session.query.js';
import { OAUTH_SESSIONS_CHANNEL, OAuthSessionEndsService } from './oauth-session-ends.service.js';
import { usableUntil } from './usable-until.js';

const INTERVAL_MS = 10_000;
const BATCH_SIZE = 200;
const CONCURRENCY = 5;
/** Maximum time until a session is checked again, because a changed setting can end it earlier. */
const CHECK_INTERVAL_MAX_MS = 3_600_000;

/**
 * Ends the sessions at clients that expired, or that can't be used since a change: a suspended organization, a disabled identity provider, a
 * removed member. Rows stay due until they are checked, so that a killed process loses none.
 */
@Injectable()
export class OAuthSessionChecksService extends WorkerLoop {
  constructor(
    private readonly sessions: OAuthSessionQuery,
    private readonly ends: OAuthSessionEndsService,
    private readonly callers: SessionCallersService,
    private readonly grants: OAuthGrantQuery,
    private readonly work: UnitOfWork,
    config: AppConfig,
    notifications: Notifications,
  ) {
    super(config, OAuthSessionChecksService.name, INTERVAL_MS);
    notifications.on(OAUTH_SESSIONS_CHANNEL, () => this.wake());
  }

  async run(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const due = await this.sessions.findDue(ctx, this.work.now(), BATCH_SIZE);
    const waiting = [...due];
    const checkNext = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await this.check(ctx, next);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, checkNext));
    return due.length === BATCH_SIZE;
  }

  private async check(ctx: RequestContext, session: DueOAuthSession): Promise<void> {
    const now = this.work.now();
    const until = await this.findUsableUntil(ctx, session);
    if (until && until > now) {
      const latest = now.getTime() + CHECK_INTERVAL_MAX_MS;
      await this.sessions.postpone(ctx, session, now, new Date(Math.min(until.getTime(), latest)));
      return;
    }
    await this.work.run(ctx, async (ctx) => {
      await this.ends.publish(ctx, await this.sessions.endOne(ctx, session), session.reason ?? 'session_expired');
    });
  }

  /**
   * Returns until when a session can be used at a client without further activity, or undefined if it can't be used, by the rules that
   * decide about tokens without offline access. Records no activity.
   */
  private async findUsableUntil(
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
