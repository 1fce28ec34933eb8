import { Injectable } from '@nestjs/common';
import { changesBetween, type RequestContext, ResourceNotFound } from '#platform/common';
import { EventRedaction } from '#platform/event-log';
import { type EventOrganization, UnitOfWork } from '#platform/events';
import { OwnersService, UserDirectoryService } from '#directory/memberships';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import { RESTORE_WINDOW_MS } from './restore-window.js';
import { UserAccess } from './user-access.js';
import { EmailConflict, EmailTaken, ExternalIdConflict, ExternalIdTaken } from './user-errors.js';
import { userData } from './user-data.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Deletes users, brings them back within 30 days, and removes them for good. */
@Injectable()
export class UserDeletionService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UserRepository,
    private readonly access: UserAccess,
    private readonly directory: UserDirectoryService,
    private readonly owners: OwnersService,
    private readonly sessions: SessionService,
    private readonly tokens: OneTimeTokenService,
    private readonly redaction: EventRedaction,
  ) {}

  /**
   * Deletes a user, restorable for 30 days; with `permanent` at once and for good. All sessions end. A user deleted already stays as it is.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges (403), LastOwner (409)
   */
  async remove(ctx: RequestContext, userId: string, permanent: boolean): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const { user, home } = await this.access.lockForLifecycle(ctx, userId);
      if (user.status === 'deleted' && !permanent) return;
      await this.owners.assertOtherRemains(ctx, user.id);
      await this.tokens.voidAll(ctx, user);
      await this.sessions.revokeAll(ctx, user, 'user_deleted', home);
      if (permanent) return this.erase(ctx, user, home);
      const previousStatus = user.status;
      const deletedAt = this.work.now();
      Object.assign(user, {
        status: 'deleted',
        statusBeforeDeletion: previousStatus,
        deletedAt,
        updatedAt: deletedAt,
      } satisfies Partial<User>);
      await this.users.save(ctx, user);
      await this.directory.update(ctx, user, previousStatus);
      const purgeAt = new Date(deletedAt.getTime() + RESTORE_WINDOW_MS).toISOString();
      const data = { ...userData(user), permanent: false, deletedAt: deletedAt.toISOString(), purgeAt };
      await this.work.publish(ctx, 'user.deleted', home, data, { userId: user.id });
    });
  }

  /**
   * Makes a deleted user what it was before, with its roles, memberships and credentials. One that is not deleted stays as it is.
   * @throws ResourceNotFound (404: unknown, or the 30 days are over), ManagedElsewhere, HigherPrivileges (403), EmailConflict (409), ExternalIdConflict (409)
   */
  async restore(ctx: RequestContext, userId: string): Promise<User> {
    return this.work.run(ctx, async (ctx) => {
      const { user, home } = await this.access.lockForLifecycle(ctx, userId);
      if (user.status !== 'deleted') return user;
      const now = this.work.now();
      if (user.deletedAt!.getTime() + RESTORE_WINDOW_MS <= now.getTime()) throw new ResourceNotFound('user', userId);
      const shown = () => ({ ...userData(user), deletedAt: user.deletedAt?.toISOString() ?? null });
      const before = shown();
      Object.assign(user, {
        status: user.statusBeforeDeletion!,
        statusBeforeDeletion: null,
        deletedAt: null,
        updatedAt: now,
      } satisfies Partial<User>);
      await this.users.save(ctx, user).catch((error: unknown) => {
        if (error instanceof EmailTaken) throw new EmailConflict(user.email);
        throw error instanceof ExternalIdTaken ? new ExternalIdConflict(user.externalId ?? '') : error;
      });
      await this.directory.update(ctx, user, 'deleted');
      const data = { ...userData(user), changes: changesBetween(before, shown()) };
      await this.work.publish(ctx, 'user.updated', home, data, { userId: user.id });
      return user;
    });
  }

  /** Removes one user that can no longer be restored; false when that changed meanwhile. */
  async purge(ctx: RequestContext, key: Pick<User, 'tenantId' | 'id'>, home: EventOrganization): Promise<boolean> {
    return this.work.run(ctx, async (ctx) => {
      const user = await this.users.lockDeleted(ctx, key);
      if (!user || user.deletedAt!.getTime() + RESTORE_WINDOW_MS > this.work.now().getTime()) return false;
      await this.erase(ctx, user, home);
      return true;
    });
  }

  private async erase(ctx: RequestContext, user: User, home: EventOrganization): Promise<void> {
    await this.directory.remove(ctx, user.id, user.status);
    await this.sessions.deleteAll(ctx, user);
    await this.tokens.deleteAll(ctx, user);
    await this.users.delete(ctx, user);
    await this.redaction.request(ctx, user.tenantId, [user.id]);
    const deletedAt = this.work.now().toISOString();
    const data = { ...userData(user), status: 'deleted', permanent: true, deletedAt, purgeAt: null };
    await this.work.publish(ctx, 'user.deleted', home, data, { userId: user.id });
  }
}
