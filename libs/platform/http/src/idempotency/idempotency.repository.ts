import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';

/** What makes two requests the same one, as far as a client can say. */
export interface IdempotentCall {
  readonly callerId: string;
  /** Method and path. */
  readonly operation: string;
  readonly key: string;
}

export interface KeptAnswer {
  readonly requestHash: Buffer;
  readonly status: number;
  /** The answer's JSON, sealed: it may hold a key or secret. */
  readonly sealedBody: string;
}

/** How long answers are kept. */
const KEPT = `interval '24 hours'`;

/** First answers to requests with an `Idempotency-Key`. Times are the database's own, the same for all processes. */
@Injectable()
export class IdempotencyRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Takes the call for this transaction; false when another transaction has it right now. */
  async tryLock(ctx: RequestContext, { callerId, operation, key }: IdempotentCall): Promise<boolean> {
    const [row] = await this.query<{ locked: boolean }>(
      ctx,
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
      [JSON.stringify(['idempotency', callerId, operation, key])],
    );
    return row!.locked;
  }

  async find(ctx: RequestContext, { callerId, operation, key }: IdempotentCall): Promise<KeptAnswer | undefined> {
    const [row] = await this.query<{ request_hash: Buffer; response_status: number; response_sealed: string }>(
      ctx,
      `SELECT request_hash, response_status, response_sealed FROM idempotency_records
       WHERE caller_id = $1 AND operation = $2 AND key = $3 AND created_at > now() - ${KEPT}`,
      [callerId, operation, key],
    );
    return row && { requestHash: row.request_hash, status: row.response_status, sealedBody: row.response_sealed };
  }

  /** Keeps an answer, in place of one that is too old to count. */
  async keep(ctx: RequestContext, { callerId, operation, key }: IdempotentCall, answer: KeptAnswer): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO idempotency_records (caller_id, operation, key, request_hash, response_status, response_sealed, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, now())
       ON CONFLICT (caller_id, operation, key) DO UPDATE SET request_hash = excluded.request_hash,
         response_status = excluded.response_status, response_sealed = excluded.response_sealed, created_at = excluded.created_at`,
      [callerId, operation, key, answer.requestHash, answer.status, answer.sealedBody],
    );
  }

  /** Removes at most `limit` answers that are too old to count, and gives how many. */
  async removeOld(ctx: RequestContext, limit: number): Promise<number> {
    return this.execute(
      ctx,
      `DELETE FROM idempotency_records WHERE ctid IN
         (SELECT ctid FROM idempotency_records WHERE created_at <= now() - ${KEPT} LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [limit],
    );
  }
}
