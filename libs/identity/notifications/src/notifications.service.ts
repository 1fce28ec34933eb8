import { Injectable } from '@nestjs/common';
import { bindingSessionOf, Clock, organizationOf, ownUserOf, type RequestContext } from '#platform/common';
import { SessionRequirementsQuery } from '#directory/organizations';
import { type HeldPermission, heldPermissions } from './notification-reach.js';
import { NotificationReadQuery } from './notification-read.query.js';
import { NOTIFICATIONS_MAX, NotificationQuery, type Problem } from './notification.query.js';

/** Read notifications are remembered for this time after they were read, and for as long as they are listed. */
const READS_KEPT_MS = 90 * 86_400_000;

/** A problem that somebody should solve. */
export interface Notification extends Problem {
  /** The same as long as the problem lasts, another when it comes back. */
  readonly id: string;
  /** Null if the user has not read the notification, or if the caller is no user. */
  readonly readAt: Date | null;
}

/** Finds what needs attention, from the present state of the resources. Shows it to callers who can see and solve it. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly problems: NotificationQuery,
    private readonly reads: NotificationReadQuery,
    private readonly requirements: SessionRequirementsQuery,
    private readonly clock: Clock,
  ) {}

  /** Returns the notifications of the signed-in user in all organizations, newest first. */
  async listOwn(ctx: RequestContext): Promise<Notification[]> {
    const { tenantId: home, id: userId } = ownUserOf(ctx);
    const held = heldPermissions(ctx.caller);
    const tenantIds = [...new Set([home, ...(ctx.caller.tenantIds ?? [])])];
    const excludedIds = await this.listExcluded(ctx, tenantIds, held);
    const now = this.clock.now();
    const found: Problem[] = [];
    for (const tenantId of tenantIds) {
      const scope = { tenantId, now, held, excludedIds, userId, includeDescendants: true };
      found.push(...(await this.problems.list(ctx, scope)));
    }
    return this.withReadState(ctx, found);
  }

  /** Returns what needs attention in the organization of the route, and in its descendants if wanted. */
  async listIn(ctx: RequestContext, includeDescendants: boolean): Promise<Notification[]> {
    const { tenantId, id: organizationId } = organizationOf(ctx);
    const held = heldPermissions(ctx.caller, organizationId);
    const excludedIds = includeDescendants ? await this.listExcluded(ctx, [tenantId], held) : [];
    const userId = ctx.caller.kind === 'user' ? ctx.caller.id : undefined;
    const scope = { tenantId, now: this.clock.now(), held, excludedIds, userId, organizationId, includeDescendants };
    return this.withReadState(ctx, await this.problems.list(ctx, scope));
  }

  /** Marks notifications of the signed-in user as read. Ignores ids of other notifications, for example of problems that are solved. */
  async markRead(ctx: RequestContext, ids: readonly string[]): Promise<void> {
    const user = ownUserOf(ctx);
    const current = (await this.listOwn(ctx)).map(({ id }) => id);
    const wanted = new Set(ids);
    const now = this.clock.now();
    await this.reads.insert(
      ctx,
      user,
      current.filter((id) => wanted.has(id)),
      now,
    );
    await this.reads.deleteBefore(ctx, user, new Date(now.getTime() - READS_KEPT_MS), current);
  }

  /** Returns the organizations whose rules the session of the caller doesn't satisfy. */
  private async listExcluded(
    ctx: RequestContext,
    tenantIds: readonly string[],
    held: readonly HeldPermission[],
  ): Promise<readonly string[]> {
    const session = bindingSessionOf(ctx);
    const organizationIds = [...new Set(held.map(({ organizationId }) => organizationId))];
    if (!session || organizationIds.length === 0) return [];
    return this.requirements.listUnmet(ctx, { organizationIds, tenantIds }, session);
  }

  private async withReadState(ctx: RequestContext, problems: readonly Problem[]): Promise<Notification[]> {
    const isUser = ctx.caller.kind === 'user' && problems.length > 0;
    const reads = isUser ? await this.reads.mapOf(ctx, ownUserOf(ctx)) : undefined;
    return problems
      .toSorted((a, b) => b.since.getTime() - a.since.getTime())
      .slice(0, NOTIFICATIONS_MAX)
      .map((problem) => {
        const id = `${problem.type}.${problem.resourceId}.${problem.since.getTime().toString(36)}`;
        return { ...problem, id, readAt: reads?.get(id) ?? null };
      });
  }
}
