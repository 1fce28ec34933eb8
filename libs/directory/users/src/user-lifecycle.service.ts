import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OwnersService, UserDirectoryService } from '#directory/memberships';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import { UserAccess } from './user-access.js';
import { UserDeleted } from './user-errors.js';
import type { SuspendUserRequest } from './user.requests.js';
import { userData } from './user-data.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Suspends and activates users. */
@Injectable()
export class UserLifecycleService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UserRepository,
    private readonly access: UserAccess,
    private readonly directory: UserDirectoryService,
    private readonly owners: OwnersService,
    private readonly sessions: SessionService,
    private readonly tokens: OneTimeTokenService,
  ) {}

  /**
   * Suspends a user and voids every pending link and change of the account. On a suspended user it replaces time and reason.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges (403), UserDeleted (409)
   */
  async suspend(ctx: RequestContext, userId: string, request: SuspendUserRequest): Promise<User> {
    return this.work.run(ctx, async (ctx) => {
      const { user, home } = await this.access.lockForLifecycle(ctx, userId);
      if (user.status === 'deleted') throw new UserDeleted(userId);
      await this.owners.assertOtherRemains(ctx, user.id);
      const previousStatus = user.status;
      const suspendedAt = this.work.now();
      const suspendedReason = request.reason ?? '';
      Object.assign(user, { status: 'suspended', suspendedAt, suspendedReason, updatedAt: suspendedAt } satisfies Partial<User>);
      await this.users.save(ctx, user);
      await this.directory.update(ctx, user, previousStatus);
      await this.tokens.voidAll(ctx, user);
      const sessionsRevoked = request.revokeActiveSessions ? await this.sessions.revokeAll(ctx, user, 'user_suspended', home) : 0;
      const data = {
        ...userData(user),
        previousStatus,
        suspendedAt: suspendedAt.toISOString(),
        suspendedReason,
        sessionsRevoked,
      };
      await this.work.publish(ctx, 'user.suspended', home, data, { userId: user.id });
      return user;
    });
  }

  /**
   * Makes a pending or suspended user active. An active one stays as it is.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges (403), UserDeleted (409)
   */
  async activate(ctx: RequestContext, userId: string): Promise<User> {
    return this.work.run(ctx, async (ctx) => {
      const { user, home } = await this.access.lockForLifecycle(ctx, userId);
      if (user.status === 'deleted') throw new UserDeleted(userId);
      if (user.status === 'active') return user;
      const previousStatus = user.status;
      const activatedAt = this.work.now();
      Object.assign(user, {
        status: 'active',
        suspendedAt: null,
        suspendedReason: null,
        updatedAt: activatedAt,
      } satisfies Partial<User>);
      await this.users.save(ctx, user);
      await this.directory.update(ctx, user, previousStatus);
      const data = { ...userData(user), previousStatus, activatedAt: activatedAt.toISOString() };
      await this.work.publish(ctx, 'user.activated', home, data, { userId: user.id });
      return user;
    });
  }
}
