import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { EventRedaction } from '#platform/event-log';
import { type EventOrganization, UnitOfWork } from '#platform/events';
import { tenantIdsOf, UserDirectoryService } from '#directory/memberships';
import { type LossAuthorization, unneeded } from '#directory/privileges';
import { isRestorable } from './restore-window.js';
import { userData } from './user-data.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import { UserTracesService } from './user-traces.service.js';

/** Deletes users, sessions and tokens permanently, and redacts the events of the users. */
@Injectable()
export class UserErasureService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UserRepository,
    private readonly directory: UserDirectoryService,
    private readonly traces: UserTracesService,
    private readonly redaction: EventRedaction,
  ) {}

  /** Erases a deleted user. Returns false if the user is not deleted or can still be restored. */
  async purge(
    ctx: RequestContext,
    key: Pick<User, 'tenantId' | 'id'>,
    managingOrganization: EventOrganization,
  ): Promise<boolean> {
    return this.work.run(ctx, async (ctx) => {
      const user = await this.users.lockDeleted(ctx, key);
      if (!user || isRestorable(user, this.work.now())) return false;
      await this.erase(ctx, user, managingOrganization, unneeded<'loss'>('user_deleted_permanently'));
      return true;
    });
  }

  /** Erases a user whom the caller has locked. */
  async erase(ctx: RequestContext, user: User, managingOrganization: EventOrganization, loss: LossAuthorization): Promise<void> {
    await this.directory.remove(ctx, user);
    await this.traces.delete(ctx, user);
    await this.users.delete(ctx, user, loss);
    await this.redaction.request(ctx, [{ userId: user.id, tenantIds: tenantIdsOf(user) }]);
    const deletedAt = this.work.now().toISOString();
    const data = { ...userData(user), status: 'deleted', permanent: true, deletedAt, purgeAt: null };
    await this.work.publish(ctx, 'user.deleted', managingOrganization, data, { userId: user.id });
  }
}
