import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import {
  type InheritedGrant,
  type InheritedRole,
  OrganizationInheritance,
  type OrganizationInheritanceHandler,
} from '#directory/organizations';
import { builtInRole } from '#directory/roles';
import { DataSource } from 'typeorm';
import { GRANT_SOURCES } from './user-roles.query.js';

const GRANT_ROW = row({
  userId: column.text(),
  email: column.nullable(column.text()),
  organizationId: column.text(),
  roleId: column.text(),
  /** Null for a built-in role. */
  roleName: column.nullable(column.text()),
  permissions: column.nullable(column.arrayOf(column.text())),
  source: column.text<(typeof GRANT_SOURCES)[number]>(),
  /** Null unless the source is a group. */
  groupId: column.nullable(column.text()),
  groupName: column.nullable(column.text()),
});
const ROLE_ROW = row({
  id: column.text(),
  name: column.text(),
  organizationId: column.text(),
  isUsedByDeletedOnly: column.boolean(),
});

/** Reads the roles that organizations inherit from their ancestors. */
@Injectable()
export class InheritedRolesQuery extends BaseQuery implements OrganizationInheritanceHandler, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly inheritance: OrganizationInheritance,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.inheritance.register(this);
  }

  /** Returns the roles of users in the organizations, including temporary roles and roles of suspended and deleted users. */
  async listGrants(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<InheritedGrant[]> {
    const rows = await this.query(
      ctx,
      GRANT_ROW,
      `SELECT r.user_id AS "userId", coalesce(u.email, e.email_key) AS email, r.organization_id AS "organizationId",
         r.role_id AS "roleId", w.name AS "roleName", w.permissions, r.source, r.group_id AS "groupId", n.name AS "groupName"
       FROM (
         SELECT organization_id, user_id, role_id, 'assignment' AS source, NULL::text AS group_id FROM role_assignments
         WHERE tenant_id = $1 AND organization_id = ANY ($2)
         UNION ALL
         SELECT p.organization_id, p.user_id, g.role_id, 'group', p.group_id FROM group_role_assignments g
         JOIN group_members p ON p.tenant_id = $1 AND p.group_id = g.group_id
         WHERE g.tenant_id = $1 AND g.organization_id = ANY ($2)
         UNION ALL
         SELECT organization_id, user_id, role_id, 'break_glass', NULL FROM break_glass_grants
         WHERE tenant_id = $1 AND organization_id = ANY ($2)
       ) r
       LEFT JOIN groups n ON n.tenant_id = $1 AND n.id = r.group_id
       LEFT JOIN roles w ON w.tenant_id = $1 AND w.id = r.role_id
       LEFT JOIN users u ON u.tenant_id = $1 AND u.id = r.user_id
       LEFT JOIN directory_entries e ON e.tenant_id = $1 AND e.organization_id = r.organization_id AND e.user_id = r.user_id
       ORDER BY r.user_id, r.organization_id, r.role_id, r.source, r.group_id`,
      [tenantId, organizationIds],
    );
    return rows.map(({ userId, email, organizationId, roleId, roleName, permissions, source, groupId, groupName }) => {
      const role = builtInRole(roleId);
      return {
        holder: { type: 'user', id: userId, name: email },
        organizationId,
        source,
        ...(groupId === null ? {} : { group: { id: groupId, name: groupName } }),
        role: { id: roleId, name: role?.name ?? roleName ?? roleId },
        permissions: role?.permissions ?? permissions ?? [],
      };
    });
  }

  listUsedRoles(
    ctx: RequestContext,
    { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>,
    ancestorIds: readonly string[],
  ): Promise<InheritedRole[]> {
    return this.query(
      ctx,
      ROLE_ROW,
      `WITH subtree AS MATERIALIZED (
         SELECT id, deleted_at IS NOT NULL AS is_deleted, settings_overrides ->> 'defaultRole' AS default_role_id FROM organizations
         WHERE tenant_id = $1 AND (id = $2 OR ancestor_ids @> ARRAY[$2])
       ), used AS (
         SELECT a.role_id AS id, is_deleted OR a.user_status = 'deleted' AS is_deleted
         FROM role_assignments a JOIN subtree ON subtree.id = a.organization_id WHERE a.tenant_id = $1
         UNION ALL SELECT g.role_id, is_deleted
         FROM group_role_assignments g JOIN subtree ON subtree.id = g.organization_id WHERE g.tenant_id = $1
         UNION ALL SELECT default_role_id, is_deleted FROM subtree
       )
       SELECT w.id, w.name, w.organization_id AS "organizationId", bool_and(used.is_deleted) AS "isUsedByDeletedOnly"
       FROM roles w JOIN used ON used.id = w.id
       WHERE w.tenant_id = $1 AND w.organization_id = ANY ($3) GROUP BY w.id, w.name, w.organization_id ORDER BY w.id`,
      [tenantId, id, ancestorIds],
    );
  }
}
