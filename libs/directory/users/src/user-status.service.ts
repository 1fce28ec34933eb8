import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import type { LossAuthorization } from '#directory/privileges';
import { UserDirectoryService, type UserStatus } from '#directory/memberships';
import { ScimManagementService } from '#directory/scim-connections';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Changes the status of users in the table of users and in all directories. */
@Injectable()
export class UserStatusService {
  constructor(
    private readonly users: UserRepository,
    private readonly directory: UserDirectoryService,
    private readonly clock: Clock,
    private readonly scim: ScimManagementService,
  ) {}

  /**
   * Changes the status and the given fields of a user whom the caller has locked.
   * @throws EmailTaken, ExternalIdTaken, UserNameConflict (409) when another user has the email address, external id or userName of a
   * restored user
   */
  async change(
    ctx: RequestContext,
    user: User,
    status: UserStatus,
    fields: Partial<User>,
    loss: LossAuthorization,
  ): Promise<{ previousStatus: UserStatus; changedAt: Date }> {
    const previousStatus = user.status;
    const changedAt = this.clock.now();
    Object.assign(user, fields, { status, updatedAt: changedAt } satisfies Partial<User>);
    await this.users.save(ctx, user, loss);
    await this.directory.update(ctx, user, previousStatus);
    await this.scim.recordStatusChange(ctx, user, previousStatus);
    return { previousStatus, changedAt };
  }
}
