import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#common';
import { TransactionRunner } from '#database';
import { DomainEventBus } from '#events';
import { Owners, UserDirectory } from '#memberships';
import { OneTimeTokens, SessionService } from '#sessions';
import { RESTORE_WINDOW_MS } from './restore-window.js';
import { UserAccess } from './user-access.js';
import { UserDeleted } from './user-errors.js';
import type { SuspendUserRequest } from './user.requests.js';
import { userData } from './user.responses.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Suspends and deletes users. */
@Injectable()
export class UserLifecycle {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly users: UserRepository,
    private readonly access: UserAccess,
    private readonly directory: UserDirectory,
    private readonly owners: Owners,
    private readonly sessions: SessionService,
    private readonly tokens: OneTimeTokens,
    private readonly events: DomainEventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Suspends a user; again on a suspended one it replaces time and reason.
   * @throws ResourceNotFound (404), ManagedElsewhere (403), UserDeleted (409)
   */
  async suspend(ctx: RequestContext, userId: string, request: SuspendUserRequest): Promise<User> {
    return this.transactions.run(ctx, async (ctx) => {
      const { user, home } = await this.access.lockForChange(ctx, userId);
      if (user.status === 'deleted') throw new UserDeleted(userId);
      await this.owners.assertOtherRemains(ctx, user.id);
      const previousStatus = user.status;
      const suspendedAt = this.clock.now();
      const suspendedReason = request.reason ?? '';
      Object.assign(user, { status: 'suspended', suspendedAt, suspendedReason, updatedAt: suspendedAt } satisfies Partial<User>);
      await this.users.save(ctx, user);
      await this.directory.refresh(ctx, user, previousStatus);
      const sessionsRevoked = request.revokeActiveSessions ? await this.sessions.revokeAll(ctx, user, 'user_suspended', home) : 0;
      const data = {
        ...userData(user),
        previousStatus,
        suspendedAt: suspendedAt.toISOString(),
        suspendedReason,
        sessionsRevoked,
      };
      await this.events.publish(ctx, 'user.suspended', home, data, { userId: user.id });
      return user;
    });
  }

  /**
   * Deletes a user, restorable for 30 days; with `permanent` at once and for good. All sessions end. A user deleted already stays as it is.
   * @throws ResourceNotFound (404), ManagedElsewhere (403)
   */
  async remove(ctx: RequestContext, userId: string, permanent: boolean): Promise<void> {
    await this.transactions.run(ctx, async (ctx) => {
      const { user, home } = await this.access.lockForChange(ctx, userId);
      if (user.status === 'deleted' && !permanent) return;
      await this.owners.assertOtherRemains(ctx, user.id);
      const deletedAt = this.clock.now();
      await this.sessions.revokeAll(ctx, user, 'user_deleted', home);
      const previousStatus = user.status;
      const statusBeforeDeletion = user.statusBeforeDeletion ?? previousStatus;
      Object.assign(user, { status: 'deleted', statusBeforeDeletion, deletedAt, updatedAt: deletedAt } satisfies Partial<User>);
      if (permanent) await this.erase(ctx, user, previousStatus);
      else {
        await this.users.save(ctx, user);
        await this.directory.refresh(ctx, user, previousStatus);
      }
      const purgeAt = permanent ? null : new Date(deletedAt.getTime() + RESTORE_WINDOW_MS).toISOString();
      const data = { ...userData(user), permanent, deletedAt: deletedAt.toISOString(), purgeAt };
      await this.events.publish(ctx, 'user.deleted', home, data, { userId: user.id });
    });
  }

  private async erase(ctx: RequestContext, user: User, countedStatus: string): Promise<void> {
    await this.directory.forget(ctx, user.id, countedStatus);
    await this.sessions.forget(ctx, user);
    await this.tokens.forget(ctx, user);
    await this.users.remove(ctx, user);
  }
}
