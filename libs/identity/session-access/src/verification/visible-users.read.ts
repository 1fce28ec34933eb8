import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';

/** Says which users a caller may know of, whatever organization is addressed. */
@Injectable()
export class VisibleUsers extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Whether the user, perhaps a guest of another tree, shows in an organization that the caller reaches. */
  async shows(ctx: RequestContext, user: Readonly<Record<'tenantId' | 'id', string>>): Promise<boolean> {
    const { kind, organizationIds = [] } = ctx.caller;
    if (kind === 'platform' || kind === 'system') return true;
    const rows = await this.query(
      ctx,
      `SELECT FROM directory_entries e JOIN organizations o ON o.tenant_id = e.tenant_id AND o.id = e.organization_id
       WHERE e.user_id = $1 AND e.user_tenant_id = $2 AND o.deleted_at IS NULL AND (o.id = ANY($3) OR o.ancestor_ids && $3) LIMIT 1`,
      [user.id, user.tenantId, organizationIds],
    );
    return rows.length > 0;
  }
}
