import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#common';
import { BaseRepository } from '#database';
import { DataSource } from 'typeorm';

/** Which organizations name a role as their default: for the roles lib, before it lets one go. */
@Injectable()
export class DefaultRoles extends BaseRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async isUsed(ctx: RequestContext, tenantId: string, roleId: string): Promise<boolean> {
    const rows = await this.query(
      ctx,
      `SELECT FROM organizations WHERE tenant_id = $1 AND settings_overrides->>'defaultRole' = $2 LIMIT 1`,
      [tenantId, roleId],
    );
    return rows.length > 0;
  }

  async replace(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void> {
    await this.query(
      ctx,
      `UPDATE organizations SET settings_overrides = jsonb_set(settings_overrides, '{defaultRole}', to_jsonb($3::text)), version = version + 1
       WHERE tenant_id = $1 AND settings_overrides->>'defaultRole' = $2`,
      [tenantId, fromRoleId, toRoleId],
    );
  }
}
