import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { restorableUntil } from '#directory/organizations';
import type { RoleUse } from '#directory/roles';
import { DataSource } from 'typeorm';

const USE_ROW = row({
  by: column.text<RoleUse['by']>(),
  isDeleted: column.boolean(),
  count: column.integer(),
  lastDeletedAt: column.nullable(column.timestamp()),
});

/** Counts the users, groups and organizations that use a role. */
@Injectable()
export class RoleUseQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Counts the users and groups with a role, and the organizations with this default role, in a tenant. Deleted are users and organizations,
   * the users of deleted organizations, and what has the role in a deleted organization.
   */
  async listUses(ctx: RequestContext, tenantId: string, roleId: string): Promise<RoleUse[]> {
    const rows = await this.query(
      ctx,
      USE_ROW,
      `SELECT by, is_deleted AS "isDeleted", count(DISTINCT id)::int AS count, max(deleted_at) AS "lastDeletedAt"
       FROM (
         SELECT 'user' AS by, a.user_id AS id, a.user_status = 'deleted' OR o.deleted_at IS NOT NULL AS is_deleted,
           least(u.deleted_at, managing.deleted_at, o.deleted_at) AS deleted_at
         FROM role_assignments a
         JOIN organizations o ON o.tenant_id = $1 AND o.id = a.organization_id
         LEFT JOIN users u ON u.tenant_id = $1 AND u.id = a.user_id
         LEFT JOIN organizations managing ON managing.tenant_id = $1 AND managing.id = u.organization_id
         WHERE a.tenant_id = $1 AND a.role_id = $2
         UNION ALL
         SELECT 'group', g.group_id, o.deleted_at IS NOT NULL, o.deleted_at FROM group_role_assignments g
         JOIN organizations o ON o.tenant_id = $1 AND o.id = g.organization_id
         WHERE g.tenant_id = $1 AND g.role_id = $2
         UNION ALL
         SELECT 'organization', o.id, o.deleted_at IS NOT NULL, o.deleted_at FROM organizations o
         WHERE o.tenant_id = $1 AND o.settings_overrides ->> 'defaultRole' = $2
       ) uses
       GROUP BY by, is_deleted ORDER BY is_deleted, by DESC`,
      [tenantId, roleId],
    );
    return rows.map(({ by, isDeleted, count, lastDeletedAt }) => ({
      by,
      count,
      ...(isDeleted ? { deleted: { restorableUntil: lastDeletedAt && restorableUntil(lastDeletedAt) } } : {}),
    }));
  }
}
