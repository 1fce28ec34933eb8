import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import { UserAccessService } from './user-access.service.js';
import { userData } from './user-data.js';
import { UserDeleted } from './user-errors.js';
import { UserStatusService } from './user-status.service.js';
import type { SuspendUserRequest } from './user.requests.js';
import type { User } from './user.entity.js';

/** Suspends and activates users. */
@Injectable()
export class UserLifecycleService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: UserAccessService,
    private readonly status: UserStatusService,
    private readonly sessions: SessionService,
    private readonly tokens: OneTimeTokenService,
  ) {}

  /**
   * Suspends a user, and invalidates all links and pending changes of the account. For a suspended user, replaces the time and the reason
   * of the suspension.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges (403), UserDeleted, ManagedByScim, LastOwner (409)
   */
  async suspend(ctx: RequestContext, userId: string, request: SuspendUserRequest): Promise<User> {
    return this.work.run(ctx, async (ctx) => {
      const { user, managingOrganization, loss } = await this.access.lockForRemoval(ctx, userId);
      if (user.status === 'deleted') throw new UserDeleted(userId);
      await this.access.assertNotProvisioned(ctx, user);
      const suspendedAt = this.work.now();
      const suspendedReason = request.reason ?? '';
      const { previousStatus } = await this.status.change(ctx, user, 'suspended', { suspendedAt, suspendedReason }, loss);
      await this.tokens.voidAll(ctx, user);
      const sessionsRevoked = request.revokeActiveSessions
        ? await this.sessions.revokeAll(ctx, user, 'user_suspended', managingOrganization, loss)
        : 0;
      const data = {
        ...userData(user),
        previousStatus,
        suspendedAt: suspendedAt.toISOString(),
        suspendedReason,
        sessionsRevoked,
      };
      await this.work.publish(ctx, 'user.suspended', managingOrganization, data, { userId: user.id });
      return user;
    });
  }

  /**
   * Activates a pending or suspended user. Has no effect on an active user.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges (403), UserDeleted, ManagedByScim (409)
   */
  async activate(ctx: RequestContext, userId: string): Promise<User> {
    return this.work.run(ctx, async (ctx) => {
      const { user, managingOrganization, loss } = await this.access.lockForReturn(ctx, userId);
      if (user.status === 'deleted') throw new UserDeleted(userId);
      if (user.status === 'active') return user;
      await this.access.assertNotProvisioned(ctx, user);
      const notSuspended = { suspendedAt: null, suspendedReason: null };
      const { previousStatus, changedAt } = await this.status.change(ctx, user, 'active', notSuspended, loss);
      const data = { ...userData(user), previousStatus, activatedAt: changedAt.toISOString() };
      await this.work.publish(ctx, 'user.activated', managingOrganization, data, { userId: user.id });
      return user;
    });
  }
}
