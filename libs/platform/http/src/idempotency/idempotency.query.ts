import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import { type IdempotentCall, RETENTION } from './idempotency-record.repository.js';

const LOCK_ROW = row({ isLocked: column.boolean() });

@Injectable()
export class IdempotencyQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Locks a call until the transaction ends. Returns false if another transaction has the lock. */
  async tryLock(ctx: RequestContext, { callerId, operation, key }: IdempotentCall): Promise<boolean> {
    const [lock] = await this.query(ctx, LOCK_ROW, 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS "isLocked"', [
      JSON.stringify(['idempotency', callerId, operation, key]),
    ]);
    return lock?.isLocked ?? false;
  }

  /** Returns the number of deleted records, at most `limit`. */
  async deleteExpired(ctx: RequestContext, limit: number): Promise<number> {
    return this.execute(
      ctx,
      `DELETE FROM idempotency_records WHERE ctid IN
         (SELECT ctid FROM idempotency_records WHERE created_at <= now() - ${RETENTION} LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [limit],
    );
  }
}
