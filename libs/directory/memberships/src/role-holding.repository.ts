import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DefaultRolesService } from '#directory/organizations';
import { type RoleHolder, RoleUsage } from '#directory/roles';
import { DataSource } from 'typeorm';

/** Tells whether a role is held by members or named as a default, and puts another in its place. */
@Injectable()
export class RoleHoldingRepository extends SqlRepository implements RoleHolder, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly usage: RoleUsage,
    private readonly defaults: DefaultRolesService,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.usage.register(this);
  }

  async isUsed(ctx: RequestContext, tenantId: string, roleId: string): Promise<boolean> {
    const held = await this.query(ctx, 'SELECT FROM role_assignments WHERE tenant_id = $1 AND role_id = $2 LIMIT 1', [
      tenantId,
      roleId,
    ]);
    return held.length > 0 || this.defaults.isUsed(ctx, tenantId, roleId);
  }

  async reassign(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void> {
    const parameters = [tenantId, fromRoleId, toRoleId];
    await this.query(ctx, 'UPDATE memberships SET role_id = $3 WHERE tenant_id = $1 AND role_id = $2', parameters);
    // What was given beside the membership stays so, also where the holder had the other role by the membership alone.
    await this.query(
      ctx,
      `UPDATE role_assignments kept SET explicit = true FROM role_assignments given
       WHERE given.tenant_id = $1 AND given.role_id = $2 AND given.explicit AND NOT kept.explicit AND kept.role_id = $3
         AND (kept.tenant_id, kept.organization_id, kept.user_id) = (given.tenant_id, given.organization_id, given.user_id)`,
      parameters,
    );
    await this.query(
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
    await this.defaults.replace(ctx, tenantId, fromRoleId, toRoleId);
  }
}
