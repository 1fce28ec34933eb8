import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { tenantIdsOf } from '#directory/memberships';
import type { User } from '#directory/users';
import { DataSource } from 'typeorm';

const OWN_ORGANIZATION_ROW = row({
  id: column.text(),
  tenantId: column.text(),
  name: column.text(),
  slug: column.text(),
  ancestorIds: column.arrayOf(column.text()),
  roleId: column.text(),
  roleIds: column.json<string[]>(),
});

/** An organization that a user is a member of, with the user's roles. */
export type OwnOrganization = RowOf<typeof OWN_ORGANIZATION_ROW>;

@Injectable()
export class OwnOrganizationsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the organizations of a user, in every tenant, oldest membership first. */
  async list(ctx: RequestContext, user: Pick<User, 'tenantId' | 'id' | 'guestTenantIds'>): Promise<OwnOrganization[]> {
    return this.query(
      ctx,
      OWN_ORGANIZATION_ROW,
      `SELECT o.id, o.tenant_id AS "tenantId", o.name, o.slug, o.ancestor_ids AS "ancestorIds", m.role_id AS "roleId",
         json_agg(DISTINCT r.role_id) AS "roleIds"
       FROM memberships m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
       JOIN (
         SELECT tenant_id, organization_id, role_id FROM role_assignments WHERE tenant_id = ANY ($3) AND user_id = $1
         UNION ALL
         SELECT p.tenant_id, p.organization_id, g.role_id FROM group_members p
         JOIN group_role_assignments g ON g.tenant_id = p.tenant_id AND g.group_id = p.group_id
         WHERE p.tenant_id = ANY ($3) AND p.user_id = $1
       ) r ON r.tenant_id = m.tenant_id AND r.organization_id = m.organization_id
       WHERE m.tenant_id = ANY ($3) AND m.user_id = $1 AND m.user_tenant_id = $2 AND o.deleted_at IS NULL
       GROUP BY m.tenant_id, m.organization_id, m.user_id, o.tenant_id, o.id ORDER BY m.joined_at, o.id`,
      [user.id, user.tenantId, tenantIdsOf(user)],
    );
  }
}
