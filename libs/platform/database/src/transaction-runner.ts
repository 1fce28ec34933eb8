import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { DataSource } from 'typeorm';
import { DatabaseTransaction } from './database-transaction.js';

const DEADLOCK_DETECTED = '40P01';
const SERIALIZATION_FAILURE = '40001';
const MAX_TRIES = 4;

/** Opens transactions, one for each change; services nest freely, since an inner `run` joins the outer one. */
@Injectable()
export class TransactionRunner {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in the context's transaction, or in a new one that commits when it resolves and rolls back when it throws.
   * A new one is repeated (at most 3 times more) when PostgreSQL chose it as the victim of a deadlock, so `work` must have no
   * effects outside the database; those go to `afterCommit`.
   */
  async run<C extends RequestContext, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
    if (ctx.transaction instanceof DatabaseTransaction) return this.join(ctx, ctx.transaction, work);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.open(ctx, work);
      } catch (error) {
        if (attempt >= MAX_TRIES || !isRepeatable(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
      }
    }
  }

  /** Calls `effect` once the context's transaction has committed (never, if it rolls back); at once without a transaction. */
  afterCommit(ctx: RequestContext, effect: () => void): void {
    if (ctx.transaction instanceof DatabaseTransaction) ctx.transaction.afterCommit.push(effect);
    else effect();
  }

  /** Whoever opened the transaction commits it; but what this part of it could not write is this part's failure. */
  private async join<C extends RequestContext, T>(
    ctx: C,
    transaction: DatabaseTransaction,
    work: (ctx: C) => Promise<T>,
  ): Promise<T> {
    const result = await work(ctx);
    await transaction.flush();
    return result;
  }

  private async open<C extends RequestContext, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
    const transaction = await DatabaseTransaction.on(this.dataSource.createQueryRunner());
    let result: T;
    try {
      result = await work({ ...ctx, transaction });
      await transaction.commit();
    } finally {
      await transaction.release();
    }
    for (const effect of transaction.afterCommit) effect();
    return result;
  }
}

const isRepeatable = (error: unknown): boolean => {
  const code =
    (error as { code?: string; driverError?: { code?: string } }).driverError?.code ?? (error as { code?: string }).code;
  return code === DEADLOCK_DETECTED || code === SERIALIZATION_FAILURE;
};
