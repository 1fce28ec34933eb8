import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, changedKey } from '#platform/database';
import type { ReplacementAuthorization } from '#directory/privileges';
import type { RoleReplacement } from '#directory/roles';
import { DataSource } from 'typeorm';

/** Replaces a role by another role for all groups of a tenant. */
@Injectable()
export class GroupRoleReplacementQuery extends BaseQuery {
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
    await this.executeRowChanges(
      ctx,
      `WITH deleted AS (
         DELETE FROM group_role_assignments WHERE tenant_id = $1 AND role_id = $2
         RETURNING tenant_id, organization_id, group_id, role_id
       ), inserted AS (
         INSERT INTO group_role_assignments AS r (tenant_id, organization_id, group_id, role_id, assigned_at, assigned_by_type, assigned_by_id)
         SELECT tenant_id, organization_id, group_id, $3, $4::timestamptz, $5::text, $6::text FROM deleted
         ON CONFLICT (tenant_id, group_id, role_id) DO NOTHING
         RETURNING tenant_id, group_id, role_id
       )
       SELECT ${changedKey('group_role_assignments', 'd')} FROM deleted d
       UNION ALL SELECT ${changedKey('group_role_assignments', 'i')} FROM inserted i`,
      [tenantId, fromRoleId, toRoleId, at, ctx.actor.type, ctx.actor.id ?? null],
    );
  }
}
