import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, changedKey } from '#platform/database';
import type { ReplacementAuthorization } from '#directory/privileges';
import type { RoleReplacement } from '#directory/roles';
import { DataSource } from 'typeorm';
import { assignedBy } from './role-assignment.entity.js';

/** Replaces a role by another role for all members of a tenant, with a fixed number of statements. */
@Injectable()
export class RoleReplacementQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Replaces a role. The actor of the context assigns the new role at the time `at`. */
  async replace(
    ctx: RequestContext,
    { tenantId, fromRoleId, toRoleId }: RoleReplacement,
    at: Date,
    _authorization: ReplacementAuthorization,
  ): Promise<void> {
    const parameters = [tenantId, fromRoleId, toRoleId];
    const { assignedByType, assignedById } = assignedBy(ctx);
    await this.executeRowChanges(
      ctx,
      `UPDATE memberships m SET role_id = $3 WHERE tenant_id = $1 AND role_id = $2 RETURNING ${changedKey('memberships', 'm')}`,
      parameters,
    );
    // If a user has the replaced role as an additional role, marks an existing assignment of the new role as additional.
    await this.executeRowChanges(
      ctx,
      `UPDATE role_assignments n SET explicit = true FROM role_assignments p
       WHERE p.tenant_id = $1 AND p.role_id = $2 AND p.explicit AND NOT n.explicit AND n.role_id = $3
         AND (n.tenant_id, n.organization_id, n.user_id) = (p.tenant_id, p.organization_id, p.user_id)
       RETURNING ${changedKey('role_assignments', 'n')}`,
      parameters,
    );
    await this.executeRowChanges(
      ctx,
      `WITH deleted AS (
         DELETE FROM role_assignments WHERE tenant_id = $1 AND role_id = $2
         RETURNING tenant_id, organization_id, user_id, role_id, explicit, user_status
       ), inserted AS (
         INSERT INTO role_assignments AS r (tenant_id, organization_id, user_id, role_id, explicit, user_status, assigned_at,
           assigned_by_type, assigned_by_id)
         SELECT tenant_id, organization_id, user_id, $3, explicit, user_status, $4::timestamptz, $5::text, $6::text FROM deleted
         ON CONFLICT (tenant_id, organization_id, user_id, role_id) DO NOTHING
         RETURNING tenant_id, organization_id, user_id, role_id, user_status
       ), counted AS (
         INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
         SELECT tenant_id, organization_id, $2, user_status, -1 FROM deleted
         UNION ALL SELECT tenant_id, organization_id, $3, user_status, 1 FROM inserted
       )
       SELECT ${changedKey('role_assignments', 'd')} FROM deleted d
       UNION ALL SELECT ${changedKey('role_assignments', 'i')} FROM inserted i`,
      [...parameters, at, assignedByType, assignedById],
    );
  }
}
