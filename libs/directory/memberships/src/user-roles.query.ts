import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

/** The sources of a role: a role assignment, a group of the user, or temporary break-glass access. */
export const GRANT_SOURCES = ['assignment', 'group', 'break_glass'] as const;

const USER_ROLE_ROW = row({
  userId: column.text(),
  roleId: column.text(),
  organizationId: column.text(),
  userStatus: column.text(),
  /** The organization that manages the user. */
  managingOrganization: column.nullable(column.json<{ tenantId: string; id: string }>()),
  source: column.text<(typeof GRANT_SOURCES)[number]>(),
  /** The group with the role, if the source is a group. */
  groupId: column.nullable(column.text()),
  groupName: column.nullable(column.text()),
});

/** The condition for roles of the users $3 in the organizations $2 of tenant $1. */
const WHERE = 'WHERE tenant_id = $1 AND organization_id = ANY ($2) AND user_id = ANY ($3)';

export type UserRole = RowOf<typeof USER_ROLE_ROW>;

@Injectable()
export class UserRolesQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the roles of users in an organization and its ancestors, including roles of groups and through break-glass access. */
  list(ctx: RequestContext, organization: OrganizationScope, userIds: readonly string[]): Promise<UserRole[]> {
    return this.query(
      ctx,
      USER_ROLE_ROW,
      `SELECT r.user_id AS "userId", r.role_id AS "roleId", r.organization_id AS "organizationId",
         r.user_status AS "userStatus", r.source,
         (SELECT json_build_object('tenantId', e.user_tenant_id, 'id', e.user_organization_id) FROM directory_entries e
          WHERE e.tenant_id = $1 AND e.organization_id = r.organization_id AND e.user_id = r.user_id) AS "managingOrganization",
         r.group_id AS "groupId", r.group_name AS "groupName"
       FROM (
         SELECT organization_id, user_id, role_id, user_status, 'assignment' AS source, NULL::text AS group_id, NULL::text AS group_name
         FROM role_assignments ${WHERE}
         UNION ALL SELECT p.organization_id, p.user_id, g.role_id,
           (SELECT min(a.user_status) FROM role_assignments a WHERE a.tenant_id = $1 AND a.user_id = p.user_id), 'group', n.id, n.name
         FROM group_members p
         JOIN group_role_assignments g ON g.tenant_id = $1 AND g.group_id = p.group_id
         JOIN groups n ON n.tenant_id = $1 AND n.id = p.group_id
         WHERE p.tenant_id = $1 AND p.organization_id = ANY ($2) AND p.user_id = ANY ($3)
         UNION ALL SELECT organization_id, user_id, role_id,
           (SELECT min(a.user_status) FROM role_assignments a WHERE a.tenant_id = $1 AND a.user_id = b.user_id), 'break_glass', NULL, NULL
         FROM break_glass_grants b ${WHERE}
       ) r
       ORDER BY r.organization_id, r.role_id, r.source, r.group_id`,
      [organization.tenantId, [...organization.ancestorIds, organization.id], userIds],
    );
  }
}
