import { Injectable } from '@nestjs/common';
import { organizationOf, type PageRequest, type RequestContext } from '#platform/common';
import { type ListResponse, listResponse } from '#platform/http';
import { roleNameOf, RolesService, type VisibleRole } from '#directory/roles';
import { column, row, type RowOf } from '#platform/database';
import { NONEXISTENT_ROLE_ID } from './directory-conditions.js';
import { DirectoryListQuery, type ListColumns } from './directory-list.query.js';
import { type UserStatus, visibleName } from './directory-user.js';
import type { ListMembersQuery } from './member.requests.js';
import type { MemberResponse } from './member.responses.js';
import { RoleAssignmentRepository } from './role-assignment.repository.js';

const MEMBER_ROW = row({
  userId: column.text(),
  email: column.text(),
  firstName: column.nullable(column.text()),
  lastName: column.nullable(column.text()),
  displayName: column.nullable(column.text()),
  status: column.text<UserStatus>(),
});

/** What lists of members say about each user. */
export const MEMBER_USER: ListColumns<RowOf<typeof MEMBER_ROW>, never>['user'] = {
  row: MEMBER_ROW,
  columns: `u.id AS "userId", u.email, u.first_name AS "firstName", u.last_name AS "lastName", u.display_name AS "displayName", u.status`,
};
const MEMBERSHIP_ROW = row({
  roleId: column.text(),
  /** Null for a built-in role. */
  roleName: column.nullable(column.text()),
  joinedAt: column.timestamp(),
});

const MEMBER_COLUMNS: ListColumns<RowOf<typeof MEMBER_ROW>, RowOf<typeof MEMBERSHIP_ROW>> = {
  user: MEMBER_USER,
  inOrganization: {
    row: MEMBERSHIP_ROW,
    columns: 'm.role_id AS "roleId", r.name AS "roleName", m.joined_at AS "joinedAt"',
    joins: `LEFT JOIN memberships m ON m.tenant_id = $1 AND m.organization_id = $2 AND m.user_id = i.user_id
      LEFT JOIN roles r ON r.tenant_id = $1 AND r.id = m.role_id`,
  },
};

/** Lists members, and the roles of users. */
@Injectable()
export class MemberListService {
  constructor(
    private readonly directoryList: DirectoryListQuery,
    private readonly assignments: RoleAssignmentRepository,
    private readonly roles: RolesService,
  ) {}

  async list(ctx: RequestContext, query: ListMembersQuery, request: PageRequest): Promise<ListResponse<MemberResponse>> {
    const organization = organizationOf(ctx);
    const role = query.role === undefined ? undefined : await this.roles.findVisible(ctx, organization, query.role);
    const roleId = query.role === undefined ? undefined : (role?.id ?? NONEXISTENT_ROLE_ID);
    const filter = { membersOnly: true, status: query.status, search: query.search, roleId };
    const page = await this.directoryList.page(ctx, organization, { filter, request }, MEMBER_COLUMNS);
    return listResponse(page, ({ userId, email, firstName, lastName, displayName, roleId, roleName, status, joinedAt }) => ({
      userId,
      email,
      displayName: visibleName({ email, firstName, lastName, displayName }),
      role: roleNameOf(roleId, roleName),
      status,
      joinedAt: joinedAt.toISOString(),
    }));
  }

  /** Returns the roles of several users in an organization, the role of the membership first. Runs two queries for any number of users. */
  async mapRolesByUser(ctx: RequestContext, userIds: readonly string[]): Promise<Map<string, VisibleRole[]>> {
    const organization = organizationOf(ctx);
    const assignments = await this.assignments.listOfUsers(ctx, organization, userIds);
    const roles = await this.roles.listByIds(
      ctx,
      [organization.tenantId],
      assignments.map(({ roleId }) => roleId),
    );
    const byUser = new Map<string, VisibleRole[]>(userIds.map((userId) => [userId, []]));
    for (const { userId, roleId } of assignments.sort((a, b) => Number(a.explicit) - Number(b.explicit))) {
      const role = roles.get(roleId);
      if (role) byUser.get(userId)?.push(role);
    }
    return byUser;
  }
}
