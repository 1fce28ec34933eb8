import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, row } from '#platform/database';
import { tenantIdsOf } from '#directory/memberships';
import { DataSource } from 'typeorm';

interface VerifiedUser {
  readonly tenantId: string;
  readonly id: string;
  readonly guestTenantIds: readonly string[];
}

@Injectable()
export class VisibleUsersQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns whether the user is a member of an organization that the caller has access to. The user can be a guest from another tenant. */
  async isVisible(ctx: RequestContext, user: VerifiedUser): Promise<boolean> {
    const { kind, organizationIds = [] } = ctx.caller;
    if (kind === 'platform' || kind === 'system') return true;
    const rows = await this.query(
      ctx,
      row({}),
      `SELECT FROM directory_entries e JOIN organizations o ON o.tenant_id = e.tenant_id AND o.id = e.organization_id
       WHERE e.tenant_id = ANY ($4) AND e.user_id = $1 AND e.user_tenant_id = $2 AND o.deleted_at IS NULL AND (o.id = ANY($3) OR o.ancestor_ids && $3) LIMIT 1`,
      [user.id, user.tenantId, organizationIds, tenantIdsOf(user)],
    );
    return rows.length > 0;
  }
}
