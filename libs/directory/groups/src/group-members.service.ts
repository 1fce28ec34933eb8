import { Injectable } from '@nestjs/common';
import {
  assertNotImpersonated,
  type FieldProblem,
  InvalidRequest,
  isId,
  organizationOf,
  type OrganizationScope,
  type RequestContext,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { SelfGrantsService } from '#directory/memberships';
import { GroupAccessService } from './group-access.service.js';
import { NestedGroupsUnsupported } from './group-errors.js';
import { GroupMemberRowsService } from './group-member-rows.service.js';
import { GroupMembersQuery, type LockedUser } from './group-members.query.js';
import type { Group } from './group.entity.js';
import { groupReference } from './groups.definitions.js';

/** Maximum number of fields in an error. */
const PROBLEMS_MAX = 50;

/** Adds members of the organization to groups and removes them, also thousands with one call. */
@Injectable()
export class GroupMembersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: GroupAccessService,
    private readonly rows: GroupMemberRowsService,
    private readonly members: GroupMembersQuery,
    private readonly selfGrants: SelfGrantsService,
  ) {}

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
      this.rows.add(ctx, group, added, gain);
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
      await this.rows.remove(ctx, group, removed, await this.access.authorizeRemoval(ctx, organization, group, removed));
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
