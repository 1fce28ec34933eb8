import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

/** The sources of a role: a role assignment, or temporary break-glass access. */
export const GRANT_SOURCES = ['assignment', 'break_glass'] as const;

const USER_ROLE_ROW = row({
  userId: column.text(),
  roleId: column.text(),
  organizationId: column.text(),
  userStatus: column.text(),
  source: column.text<(typeof GRANT_SOURCES)[number]>(),
});

/** The condition for roles of the users $3 in the organizations $2 of tenant $1. */
const WHERE = 'WHERE tenant_id = $1 AND organization_id = ANY ($2) AND user_id = ANY ($3)';

export type UserRole = RowOf<typeof USER_ROLE_ROW>;

@Injectable()
export class UserRolesQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the roles of users in an organization and its ancestors, including roles through break-glass access. */
  list(ctx: RequestContext, organization: OrganizationScope, userIds: readonly string[]): Promise<UserRole[]> {
    return this.query(
      ctx,
      USER_ROLE_ROW,
      `SELECT r.user_id AS "userId", r.role_id AS "roleId", r.organization_id AS "organizationId", r.user_status AS "userStatus", r.source
       FROM (
         SELECT organization_id, user_id, role_id, user_status, 'assignment' AS source FROM role_assignments ${WHERE}
         UNION ALL SELECT organization_id, user_id, role_id,
           (SELECT min(a.user_status) FROM role_assignments a WHERE a.tenant_id = $1 AND a.user_id = b.user_id), 'break_glass'
         FROM break_glass_grants b ${WHERE}
       ) r
       ORDER BY r.organization_id, r.role_id, r.source`,
      [organization.tenantId, [...organization.ancestorIds, organization.id], userIds],
    );
  }
}
