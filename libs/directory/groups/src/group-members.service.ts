import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  assertNotImpersonated,
  type FieldProblem,
  InvalidRequest,
  isId,
  organizationOf,
  type OrganizationScope,
  type Page,
  type PageRequest,
  type RequestContext,
} from '#platform/common';
import { column, row, type RowOf } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import {
  type CountDelta,
  DirectoryCountsQuery,
  DirectoryListQuery,
  type ListColumns,
  MEMBER_USER,
  MemberRemovalHandlers,
  SelfGrantsService,
} from '#directory/memberships';
import type { GainAuthorization, LossAuthorization } from '#directory/privileges';
import { GroupAccessService } from './group-access.service.js';
import { NestedGroupsUnsupported } from './group-errors.js';
import { GroupMemberRepository } from './group-member.repository.js';
import { GroupMembersQuery, type LockedUser } from './group-members.query.js';
import type { Group } from './group.entity.js';
import { groupReference } from './groups.definitions.js';

/** Maximum number of fields in an error. */
const PROBLEMS_MAX = 50;

const ADDITION_ROW = row({ addedAt: column.timestamp() });

const COLUMNS: ListColumns<RowOf<typeof MEMBER_USER.row>, RowOf<typeof ADDITION_ROW>> = {
  user: MEMBER_USER,
  inOrganization: {
    row: ADDITION_ROW,
    columns: 'p.added_at AS "addedAt"',
    joins: 'LEFT JOIN group_members p ON p.tenant_id = $1 AND p.group_id = $3 AND p.user_id = i.user_id',
  },
};

type RemovedUser = Readonly<Record<'id' | 'email' | 'status', string>>;

export type ListedGroupMember = RowOf<typeof MEMBER_USER.row> & RowOf<typeof ADDITION_ROW>;

/** Lists the members of groups, adds members of the organization and removes them, also thousands with one call. */
@Injectable()
export class GroupMembersService implements OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: GroupAccessService,
    private readonly memberRows: GroupMemberRepository,
    private readonly members: GroupMembersQuery,
    private readonly counts: DirectoryCountsQuery,
    private readonly directoryList: DirectoryListQuery,
    private readonly selfGrants: SelfGrantsService,
    private readonly removalHandlers: MemberRemovalHandlers,
  ) {}

  onModuleInit(): void {
    this.removalHandlers.register((ctx, organization, user, loss) => this.removeFromAll(ctx, organization, user, loss));
  }

  /** Returns a page of the members of a group, newest users first. Deleted users are omitted. @throws ResourceNotFound (404) */
  async list(
    ctx: RequestContext,
    groupId: string,
    search: string | undefined,
    request: PageRequest,
  ): Promise<Page<ListedGroupMember>> {
    const organization = organizationOf(ctx);
    await this.access.get(ctx, organization, groupId);
    const filter = { membersOnly: true, groupId, ...(search === undefined ? {} : { search }) };
    return this.directoryList.page(ctx, organization, { filter, request }, COLUMNS);
  }

  /**
   * Adds members of the organization. Users who are in the group already are ignored. Returns the ids of the added users.
   * @throws ResourceNotFound (404: the group), InvalidRequest (400: users who are not members), NestedGroupsUnsupported (422),
   * ManagedByScim (409), GroupWithRoles, GrantBeyondOwn, NotWhileImpersonating (403), ReauthenticationRequired (401)
   */
  async add(ctx: RequestContext, groupId: string, userIds: readonly string[]): Promise<string[]> {
    const nested = userIds.find((id) => isId('group', id));
    if (nested !== undefined) throw new NestedGroupsUnsupported(nested);
    assertNotImpersonated(ctx, userIds);
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const group = await this.access.lock(ctx, organization, groupId);
      await this.access.assertNotProvisioned(ctx, group);
      const { roles, gain } = await this.access.authorizeNewMembers(ctx, organization, group);
      const users = (await this.members.lock(ctx, organization, group, userIds)).filter(({ status }) => status !== 'deleted');
      assertAllFound(userIds, users);
      const added = users.filter(({ isInGroup }) => !isInGroup);
      if (added.length === 0) return [];
      this.insert(ctx, group, added, gain);
      await this.publish(ctx, 'group.member_added', organization, group, added);
      const own = added.find(({ id }) => id === ctx.caller.id);
      if (own) for (const role of roles) await this.selfGrants.reportIfOwn(ctx, organization, own, role);
      return added.map(({ id }) => id);
    });
  }

  /**
   * Removes members. Users who are not in the group are ignored. Returns the ids of the removed users.
   * @throws ResourceNotFound (404: the group), ManagedByScim (409), GroupWithRoles, HigherPrivileges (403)
   */
  async remove(ctx: RequestContext, groupId: string, userIds: readonly string[]): Promise<string[]> {
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const group = await this.access.lock(ctx, organization, groupId);
      await this.access.assertNotProvisioned(ctx, group);
      const removed = (await this.members.lock(ctx, organization, group, userIds)).filter(({ isInGroup }) => isInGroup);
      if (removed.length === 0) return [];
      await this.deleteRows(ctx, group, removed, await this.access.authorizeRemoval(ctx, organization, group, removed));
      await this.publish(ctx, 'group.member_removed', organization, group, removed);
      return removed.map(({ id }) => id);
    });
  }

  private async publish(
    ctx: RequestContext,
    type: 'group.member_added' | 'group.member_removed',
    organization: OrganizationScope,
    group: Group,
    users: readonly LockedUser[],
  ): Promise<void> {
    const reference = groupReference(organization, group);
    const occurrences = users.map(({ id, email }) => ({ data: { ...reference, user: { id, email } }, userId: id }));
    await this.work.publishAll(ctx, type, organization, occurrences);
  }

  /** Inserts the rows of new members, and counts them. */
  private insert(ctx: RequestContext, group: Group, users: readonly LockedUser[], gain: GainAuthorization): void {
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

  private async deleteRows(
    ctx: RequestContext,
    group: Group,
    users: readonly LockedUser[],
    loss: LossAuthorization,
  ): Promise<void> {
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

  /** Removes a member from all groups of the organization. The caller has locked the user. */
  private async removeFromAll(
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

/** @throws InvalidRequest (400) with the users who are not members of the organization */
function assertAllFound(userIds: readonly string[], users: readonly LockedUser[]): void {
  const found = new Set(users.map(({ id }) => id));
  const problems = userIds.flatMap((id, index): FieldProblem[] => {
    if (found.has(id)) return [];
    const message = `The user "${id.slice(0, 64)}" is not a member of the organization. Add the user to the organization first.`;
    return [{ pointer: `/userIds/${index}`, code: 'member_not_found', message }];
  });
  if (problems.length > 0) throw new InvalidRequest(problems.slice(0, PROBLEMS_MAX));
}
