import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

const OPEN_ROW = row({
  tenantId: column.text(),
  id: column.text(),
  userId: column.text(),
  sessionId: column.nullable(column.text()),
  isOverdue: column.boolean(),
});

/** An impersonation that is active, or a request whose time is over. */
export type OpenImpersonation = RowOf<typeof OPEN_ROW>;

/** Statements over impersonations of all tenants. */
@Injectable()
export class ImpersonationQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the impersonations after `afterId` that can have ended. */
  listToCheck(ctx: RequestContext, now: Date, afterId: string, limit: number): Promise<OpenImpersonation[]> {
    return this.query(
      ctx,
      OPEN_ROW,
      `SELECT tenant_id AS "tenantId", id, user_id AS "userId", session_id AS "sessionId",
         coalesce(ends_at, expires_at) <= $1 AS "isOverdue" FROM impersonations
       WHERE (status = 'active' OR (status IN ('pending', 'approved') AND expires_at <= $1)) AND id > $2 ORDER BY id LIMIT $3`,
      [now, afterId, limit],
    );
  }

  /** Removes the email address of an impersonator who was deleted permanently. */
  async forgetImpersonator(ctx: RequestContext, impersonatorId: string): Promise<void> {
    await this.execute(ctx, `UPDATE impersonations SET impersonator_email = '' WHERE impersonator_id = $1`, [impersonatorId]);
  }

  /** Deletes impersonations that were requested before a time and are over. */
  async deleteBefore(ctx: RequestContext, before: Date): Promise<void> {
    await this.execute(
      ctx,
      `DELETE FROM impersonations WHERE created_at < $1 AND status NOT IN ('pending', 'approved', 'active')`,
      [before],
    );
  }
}
