import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, row } from '#platform/database';
import { DataSource } from 'typeorm';

interface VerifiedUser {
  readonly tenantId: string;
  readonly id: string;
  /** Ids of the other tenants in which the user is or was a guest. */
  readonly guestTenantIds: readonly string[];
}

@Injectable()
export class VisibleGuestsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns whether the user is a guest in an organization of another tenant that the caller has access to. */
  async isVisible(ctx: RequestContext, { tenantId, id, guestTenantIds }: VerifiedUser): Promise<boolean> {
    if (guestTenantIds.length === 0) return false;
    const rows = await this.query(
      ctx,
      row({}),
      `SELECT FROM directory_entries e JOIN organizations o ON o.tenant_id = e.tenant_id AND o.id = e.organization_id
       WHERE e.tenant_id = ANY ($4) AND e.user_id = $1 AND e.user_tenant_id = $2 AND o.deleted_at IS NULL AND (o.id = ANY($3) OR o.ancestor_ids && $3) LIMIT 1`,
      [id, tenantId, ctx.caller.organizationIds ?? [], guestTenantIds],
      { prepared: true, connection: 'shared' },
    );
    return rows.length > 0;
  }
}
