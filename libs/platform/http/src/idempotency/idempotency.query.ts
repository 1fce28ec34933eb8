import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { CleanupQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import { type IdempotentCall, RETENTION } from './idempotency-record.repository.js';

const LOCK_ROW = row({ isLocked: column.boolean() });

@Injectable()
export class IdempotencyQuery extends CleanupQuery {
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
    const where = `created_at <= now() - ${RETENTION}`;
    return this.deleteBatch(ctx, { table: 'idempotency_records', key: 'caller_id, operation, key', where }, [], limit);
  }
}
