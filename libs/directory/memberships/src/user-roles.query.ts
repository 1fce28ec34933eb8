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
         SELECT tenant_id, organization_id, user_id, role_id, user_status, 'assignment' AS source FROM role_assignments
         UNION ALL SELECT tenant_id, organization_id, user_id, role_id, user_status, 'break_glass' FROM break_glass_grants
       ) r
       WHERE r.tenant_id = $1 AND r.organization_id = ANY($2) AND r.user_id = ANY($3)
       ORDER BY r.organization_id, r.role_id, r.source`,
      [organization.tenantId, [...organization.ancestorIds, organization.id], userIds],
    );
  }
}
