import { Injectable } from '@nestjs/common';
import { organizationOf, type PageRequest, type RequestContext } from '#platform/common';
import { type ListAnswer, listAnswer } from '#platform/http';
import { builtInRole, RolesService, type VisibleRole } from '#directory/roles';
import { NOBODYS_ROLE_ID } from './directory-conditions.js';
import { DirectoryList, type ShownColumns } from './directory-list.read.js';
import { type DirectoryUser, shownName } from './directory-user.js';
import type { ListMembersQuery } from './member.requests.js';
import type { MemberResponse } from './member.responses.js';
import { MembershipRepository } from './membership.repository.js';

interface MemberRow extends Pick<DirectoryUser, 'email' | 'firstName' | 'lastName' | 'displayName' | 'status'> {
  userId: string;
  roleId: string;
  /** Null for a built-in role. */
  roleName: string | null;
  joinedAt: Date;
}

const MEMBER_COLUMNS: ShownColumns = {
  columns: `u.id AS "userId", u.email, u.first_name AS "firstName", u.last_name AS "lastName", u.display_name AS "displayName", u.status,
    m.role_id AS "roleId", r.name AS "roleName", m.joined_at AS "joinedAt"`,
  joins: `LEFT JOIN memberships m ON m.tenant_id = $1 AND m.organization_id = $2 AND m.user_id = i.user_id
    LEFT JOIN users u ON u.tenant_id = m.user_tenant_id AND u.id = i.user_id
    LEFT JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id`,
};

/** Answers reads of members, and what others need to show of memberships. */
@Injectable()
export class MemberListService {
  constructor(
    private readonly directory: DirectoryList,
    private readonly memberships: MembershipRepository,
    private readonly roles: RolesService,
  ) {}

  async list(ctx: RequestContext, query: ListMembersQuery, request: PageRequest): Promise<ListAnswer<MemberResponse>> {
    const organization = organizationOf(ctx);
    const role = query.role === undefined ? undefined : await this.roles.findVisible(ctx, organization, query.role);
    const roleId = query.role === undefined ? undefined : (role?.id ?? NOBODYS_ROLE_ID);
    const filter = { membersOnly: true, status: query.status, search: query.search, roleId };
    const page = await this.directory.page<MemberRow>(ctx, organization, filter, request, MEMBER_COLUMNS);
    return listAnswer(page, ({ userId, email, firstName, lastName, displayName, roleId, roleName, status, joinedAt }) => ({
      userId,
      email,
      displayName: shownName({ email, firstName, lastName, displayName }),
      role: builtInRole(roleId)?.name ?? roleName ?? roleId,
      status,
      joinedAt: joinedAt.toISOString(),
    }));
  }

  /** The roles of several users in an organization, the membership's own first; two queries for any number. */
  async rolesOf(ctx: RequestContext, userIds: readonly string[]): Promise<Map<string, VisibleRole[]>> {
    const assignments = await this.memberships.assignmentsOf(ctx, organizationOf(ctx), userIds);
    const roles = await this.roles.byIds(
      ctx,
      [organizationOf(ctx).tenantId],
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
