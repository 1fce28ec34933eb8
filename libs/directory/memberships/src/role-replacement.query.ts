import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery } from '#platform/database';
import { DataSource } from 'typeorm';

/** Replaces a role by another role for all members of a tenant, with a fixed number of statements. */
@Injectable()
export class RoleReplacementQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async replace(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void> {
    const parameters = [tenantId, fromRoleId, toRoleId];
    await this.execute(ctx, 'UPDATE memberships SET role_id = $3 WHERE tenant_id = $1 AND role_id = $2', parameters);
    // If the replaced role is an additional role of a user, the new role becomes an additional role, even if the user already has the new
    // role through the membership.
    await this.execute(
      ctx,
      `UPDATE role_assignments kept SET explicit = true FROM role_assignments given
       WHERE given.tenant_id = $1 AND given.role_id = $2 AND given.explicit AND NOT kept.explicit AND kept.role_id = $3
         AND (kept.tenant_id, kept.organization_id, kept.user_id) = (given.tenant_id, given.organization_id, given.user_id)`,
      parameters,
    );
    await this.execute(
      ctx,
      `WITH lost AS (
         DELETE FROM role_assignments WHERE tenant_id = $1 AND role_id = $2
         RETURNING tenant_id, organization_id, user_id, explicit, user_status, assigned_at
       ), gained AS (
         INSERT INTO role_assignments AS r (tenant_id, organization_id, user_id, role_id, explicit, user_status, assigned_at)
         SELECT tenant_id, organization_id, user_id, $3, explicit, user_status, assigned_at FROM lost
         ON CONFLICT (tenant_id, organization_id, user_id, role_id) DO NOTHING
         RETURNING tenant_id, organization_id, user_status
       )
       INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
       SELECT tenant_id, organization_id, $2, user_status, -1 FROM lost
       UNION ALL SELECT tenant_id, organization_id, $3, user_status, 1 FROM gained`,
      parameters,
    );
  }
}
