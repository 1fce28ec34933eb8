import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

const KEY_ROW = row({ tenantId: column.text(), id: column.text() });

/** Reads break-glass requests by the database clock, which the view `break_glass_grants` also uses. */
@Injectable()
export class BreakGlassQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the keys of requests whose stored status must change to `expired` or `ended`. */
  async listOverdue(ctx: RequestContext, limit: number): Promise<RowOf<typeof KEY_ROW>[]> {
    return this.query(
      ctx,
      KEY_ROW,
      `SELECT tenant_id AS "tenantId", id FROM break_glass_requests
       WHERE (status = 'pending' AND expires_at <= now()) OR (status = 'approved' AND ends_at <= now()) LIMIT $1`,
      [limit],
    );
  }

  /** Returns whether break-glass access makes the user an owner of the organization or of one of its ancestors. */
  async isOwnerByBreakGlass(
    ctx: RequestContext,
    { tenantId, id, ancestorIds }: OrganizationScope,
    userId: string,
  ): Promise<boolean> {
    const rows = await this.query(
      ctx,
      row({}),
      `SELECT FROM break_glass_requests
       WHERE tenant_id = $1 AND organization_id = ANY($2) AND requester_id = $3 AND status = 'approved' AND ends_at > now() LIMIT 1`,
      [tenantId, [...ancestorIds, id], userId],
    );
    return rows.length > 0;
  }
}
