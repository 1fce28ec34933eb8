import { Injectable } from '@nestjs/common';
import { changesBetween, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import { restorableUntil } from '#directory/organizations';
import { isRestorable } from './restore-window.js';
import { UserAccessService } from './user-access.service.js';
import { userData } from './user-data.js';
import { EmailConflict, EmailTaken, ExternalIdConflict, ExternalIdTaken } from './user-errors.js';
import { UserErasureService } from './user-erasure.service.js';
import { UserStatusService } from './user-status.service.js';
import type { User } from './user.entity.js';

/** Deletes and restores users. */
@Injectable()
export class UserDeletionService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: UserAccessService,
    private readonly status: UserStatusService,
    private readonly sessions: SessionService,
    private readonly tokens: OneTimeTokenService,
    private readonly erasure: UserErasureService,
  ) {}

  /**
   * Deletes a user and revokes all sessions of the user. Without `permanent`, the user can be restored for 30 days, and the deletion of a
   * deleted user has no effect. A user whom a SCIM connection provisions can be deleted permanently, because erasure can be a legal duty.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges (403), ManagedByScim, LastOwner (409)
   */
  async delete(ctx: RequestContext, userId: string, permanent: boolean): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const { user, managingOrganization, loss } = await this.access.lockForRemoval(ctx, userId);
      if (user.status === 'deleted' && !permanent) return;
      if (!permanent) await this.access.assertNotProvisioned(ctx, user);
      await this.tokens.voidAll(ctx, user);
      await this.sessions.revokeAll(ctx, user, 'user_deleted', managingOrganization, loss);
      if (permanent) {
        await this.erasure.erase(ctx, user, managingOrganization, loss);
        return;
      }
      const deletedAt = this.work.now();
      await this.status.change(ctx, user, 'deleted', { statusBeforeDeletion: user.status, deletedAt }, loss);
      const purgeAt = restorableUntil(deletedAt).toISOString();
      const data = { ...userData(user), permanent: false, deletedAt: deletedAt.toISOString(), purgeAt };
      await this.work.publish(ctx, 'user.deleted', managingOrganization, data, { userId: user.id });
    });
  }

  /**
   * Restores a deleted user with the previous status, roles, memberships and credentials. Has no effect on a user who is not deleted.
   * @throws ResourceNotFound (404: unknown, or deleted more than 30 days ago), ManagedElsewhere, HigherPrivileges (403)
   * @throws EmailConflict, ExternalIdConflict, UserNameConflict, ManagedByScim (409)
   */
  async restore(ctx: RequestContext, userId: string): Promise<User> {
    return this.work.run(ctx, async (ctx) => {
      const { user, managingOrganization, loss } = await this.access.lockForReturn(ctx, userId);
      const { statusBeforeDeletion } = user;
      if (user.status !== 'deleted' || !statusBeforeDeletion) return user;
      if (!isRestorable(user, this.work.now())) throw new ResourceNotFound('user', userId);
      await this.access.assertNotProvisioned(ctx, user);
      const dataOf = () => ({ ...userData(user), deletedAt: user.deletedAt?.toISOString() ?? null });
      const before = dataOf();
      const notDeleted = { statusBeforeDeletion: null, deletedAt: null };
      await this.status.change(ctx, user, statusBeforeDeletion, notDeleted, loss).catch((error: unknown) => {
        if (error instanceof EmailTaken) throw new EmailConflict(user.email);
        throw error instanceof ExternalIdTaken ? new ExternalIdConflict(user.externalId ?? '') : error;
      });
      const data = { ...userData(user), changes: changesBetween(before, dataOf()) };
      await this.work.publish(ctx, 'user.updated', managingOrganization, data, { userId: user.id });
      return user;
    });
  }
}
