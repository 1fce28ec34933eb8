import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { DirectoryCountsQuery, MemberRemovalHandlers } from '#directory/memberships';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import type { LossAuthorization } from '#directory/privileges';
import { GroupMembersQuery } from './group-members.query.js';
import { GroupQuery } from './group.query.js';
import { groupReference } from './groups.definitions.js';

type RemovedUser = Readonly<Record<'id' | 'email' | 'status', string>>;

/** Removes users who leave an organization from its groups, and deletes the groups of purged organizations. */
@Injectable()
export class GroupCleanupService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly groupQuery: GroupQuery,
    private readonly members: GroupMembersQuery,
    private readonly counts: DirectoryCountsQuery,
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
    private readonly removalHandlers: MemberRemovalHandlers,
  ) {}

  onModuleInit(): void {
    this.lifecycleHandlers.register(this);
    this.removalHandlers.register((ctx, organization, user, loss) => this.removeMember(ctx, organization, user, loss));
  }

  /** Deletes the groups of purged organizations, in the transaction of the purge. */
  async onPurged(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    loss: LossAuthorization,
  ): Promise<void> {
    await this.groupQuery.deleteByOrganizations(ctx, tenantId, organizationIds, loss);
  }

  /** Removes a member from all groups of the organization. The caller has locked the user. */
  private async removeMember(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: RemovedUser,
    loss: LossAuthorization,
  ): Promise<void> {
    const groups = await this.members.lockGroups(ctx, organization, user.id);
    if (groups.length === 0) return;
    await this.members.deleteOfMember(ctx, organization, user.id, loss);
    const { tenantId, id: organizationId } = organization;
    const key = { tenantId, organizationId, status: user.status, amount: -1 };
    this.counts.insertDeferred(
      ctx,
      groups.map(({ id }) => ({ ...key, dimension: id })),
    );
    const occurrences = groups.map((group) => ({
      data: { ...groupReference(organization, group), user: { id: user.id, email: user.email } },
      userId: user.id,
    }));
    await this.work.publishAll(ctx, 'group.member_removed', organization, occurrences);
  }
}
