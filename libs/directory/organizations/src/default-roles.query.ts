import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, entityRow } from '#platform/database';
import { DataSource } from 'typeorm';
import { Organization } from './organization.entity.js';

/** Finds organizations, including deleted organizations, by the default role in their settings. */
@Injectable()
export class DefaultRolesQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Locks the organizations with this default role until the transaction ends. Returns parents before their children. */
  async lockOrganizations(ctx: RequestContext, tenantId: string, roleId: string): Promise<Organization[]> {
    const rows = await this.query(
      ctx,
      entityRow(Organization),
      `${this.selectOf(Organization)} WHERE t.tenant_id = $1 AND t.settings_overrides->>'defaultRole' = $2
       ORDER BY cardinality(t.ancestor_ids), t.id FOR UPDATE`,
      [tenantId, roleId],
    );
    return rows.map((organization) => Object.assign(new Organization(), organization));
  }
}
