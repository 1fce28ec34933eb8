import { Injectable } from '@nestjs/common';
import { organizationOf, type PageRequest, type RequestContext } from '#common';
import { TransactionRunner } from '#database';
import { type ListAnswer, listAnswer } from '#http';
import { RolesService, type VisibleRole } from '#roles';
import { NOBODYS_ROLE_ID } from './directory-conditions.js';
import { DirectoryList } from './directory-list.read.js';
import { shownName } from './directory-user.js';
import type { ListMembersQuery } from './member.requests.js';
import type { MemberResponse } from './member.responses.js';
import { MembershipRepository } from './membership.repository.js';
import { MembershipReads } from './memberships.read.js';
import { UserLookup } from './user-lookup.read.js';

/** Answers reads of members, and what others need to show of memberships. */
@Injectable()
export class MemberList {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly directory: DirectoryList,
    private readonly memberships: MembershipRepository,
    private readonly reads: MembershipReads,
    private readonly users: UserLookup,
    private readonly roles: RolesService,
  ) {}

  async list(ctx: RequestContext, query: ListMembersQuery, request: PageRequest): Promise<ListAnswer<MemberResponse>> {
    const organization = organizationOf(ctx);
    const role = query.role === undefined ? undefined : await this.roles.findVisible(ctx, organization, query.role);
    const roleId = query.role === undefined ? undefined : (role?.id ?? NOBODYS_ROLE_ID);
    const filter = { membersOnly: true, status: query.status, search: query.search, roleId };
    return this.transactions.snapshot(ctx, async (ctx) => {
      const page = await this.directory.page(ctx, organization, filter, request);
      const ids = page.items.map(({ userId }) => userId);
      const users = await this.users.byIds(ctx, ids);
      const memberships = await this.reads.ofUsers(ctx, organization, ids);
      const roleIds = [...memberships.values()].map(({ roleId }) => roleId);
      const roles = await this.roles.byIds(ctx, roleIds);
      return listAnswer(page, ({ userId }) => {
        const user = users.get(userId)!;
        const membership = memberships.get(userId)!;
        return {
          userId,
          email: user.email,
          displayName: shownName(user),
          role: roles.get(membership.roleId)?.name ?? membership.roleId,
          status: user.status,
          joinedAt: membership.joinedAt.toISOString(),
        };
      });
    });
  }

  /** The roles of several users in an organization, the membership's own first; two queries for any number. */
  async rolesOf(ctx: RequestContext, userIds: readonly string[]): Promise<Map<string, VisibleRole[]>> {
    const assignments = await this.memberships.assignmentsOf(ctx, organizationOf(ctx), userIds);
    const roles = await this.roles.byIds(
      ctx,
      assignments.map(({ roleId }) => roleId),
    );
    const held = new Map<string, VisibleRole[]>(userIds.map((userId) => [userId, []]));
    for (const { userId, roleId } of assignments.sort((a, b) => Number(a.explicit) - Number(b.explicit))) {
      const role = roles.get(roleId);
      if (role) held.get(userId)!.push(role);
    }
    return held;
  }
}
