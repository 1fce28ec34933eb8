import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type CountDelta, DirectoryCountsQuery } from '#directory/memberships';
import type { GainAuthorization, LossAuthorization } from '#directory/privileges';
import { GroupMemberRepository } from './group-member.repository.js';
import { GroupMembersQuery, type LockedUser } from './group-members.query.js';
import type { Group } from './group.entity.js';

/** Writes the rows of group members together with their counts. */
@Injectable()
export class GroupMemberRowsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly memberRows: GroupMemberRepository,
    private readonly members: GroupMembersQuery,
    private readonly counts: DirectoryCountsQuery,
  ) {}

  add(ctx: RequestContext, group: Group, users: readonly LockedUser[], gain: GainAuthorization): void {
    const { tenantId, id: groupId, organizationId } = group;
    const addedBy = { addedByType: ctx.actor.type, addedById: ctx.actor.id ?? null };
    const key = { tenantId, groupId, organizationId, addedAt: this.work.now(), ...addedBy };
    this.memberRows.insertAllDeferred(
      ctx,
      users.map(({ id: userId }) => ({ ...key, userId })),
      gain,
    );
    this.count(ctx, group, users, 1);
  }

  async remove(ctx: RequestContext, group: Group, users: readonly LockedUser[], loss: LossAuthorization): Promise<void> {
    await this.members.delete(
      ctx,
      group,
      users.map(({ id }) => id),
      loss,
    );
    this.count(ctx, group, users, -1);
  }

  private count(ctx: RequestContext, group: Group, users: readonly LockedUser[], sign: 1 | -1): void {
    const { tenantId, organizationId, id: dimension } = group;
    const statuses = [...new Set(users.map(({ status }) => status))];
    const deltas = statuses.map((status): CountDelta => {
      const { length } = users.filter((user) => user.status === status);
      return { tenantId, organizationId, dimension, status, amount: sign * length };
    });
    this.counts.insertDeferred(ctx, deltas);
  }
}
