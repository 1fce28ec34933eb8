import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery } from '#platform/database';
import { DataSource } from 'typeorm';
import { CLOSED_MS } from './attempt-limits.js';

const DAY_MS = 24 * 3_600_000;

@Injectable()
export class ExpiredSignInQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Deletes at most `limit` counts that have no effect anymore. Returns the number of deleted counts. */
  async deleteFailures(ctx: RequestContext, now: Date, limit: number): Promise<number> {
    return this.execute(
      ctx,
      `DELETE FROM sign_in_failures WHERE ctid IN
         (SELECT ctid FROM sign_in_failures WHERE last_failed_at <= $1 AND (address <> '' OR last_failed_at <= $2)
          LIMIT $3 FOR UPDATE SKIP LOCKED)`,
      [new Date(now.getTime() - DAY_MS), new Date(now.getTime() - CLOSED_MS), limit],
    );
  }

  /** Deletes at most `limit` origins that were not used after `since`. Returns the number of deleted origins. */
  async deleteOrigins(ctx: RequestContext, since: Date, limit: number): Promise<number> {
    return this.execute(
      ctx,
      `DELETE FROM sign_in_origins WHERE ctid IN
         (SELECT ctid FROM sign_in_origins WHERE last_seen_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [since, limit],
    );
  }
}
