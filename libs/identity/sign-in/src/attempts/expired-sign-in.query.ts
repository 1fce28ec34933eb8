import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { CleanupQuery } from '#platform/database';
import { DataSource } from 'typeorm';
import { CLOSED_MS } from './attempt-limits.js';

const DAY_MS = 24 * 3_600_000;

@Injectable()
export class ExpiredSignInQuery extends CleanupQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Deletes at most `limit` counts that have no effect anymore. Returns the number of deleted counts. */
  async deleteFailures(ctx: RequestContext, now: Date, limit: number): Promise<number> {
    const where = `last_failed_at <= $1 AND (address <> '' OR last_failed_at <= $2)`;
    return this.deleteBatch(
      ctx,
      { table: 'sign_in_failures', key: 'tenant_id, account, address', where },
      [new Date(now.getTime() - DAY_MS), new Date(now.getTime() - CLOSED_MS)],
      limit,
    );
  }

  /** Deletes at most `limit` origins that were not used after `since`. Returns the number of deleted origins. */
  async deleteOrigins(ctx: RequestContext, since: Date, limit: number): Promise<number> {
    const origins = { table: 'sign_in_origins', key: 'tenant_id, user_id, kind, origin', where: 'last_seen_at <= $1' };
    return this.deleteBatch(ctx, origins, [since], limit);
  }
}
