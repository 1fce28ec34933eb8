import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { DataSource } from 'typeorm';
import { DatabaseTransaction } from './database-transaction.js';

const DEADLOCK_DETECTED = '40P01';
const SERIALIZATION_FAILURE = '40001';
const MAX_ATTEMPTS = 4;

/** Runs a part of a rehearsed transaction. */
export type Attempt = <T>(part: () => Promise<T>) => Promise<T>;

/** Runs each change in a transaction. Services can call each other, because an inner `run` joins the transaction of the outer `run`. */
@Injectable()
export class TransactionRunner {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in the context's transaction, or in a new transaction. A new transaction commits if `work` resolves and rolls back if
   * `work` throws. After a deadlock or a serialization failure, a new transaction is retried up to 3 times. `work` must therefore have no
   * effects outside the database; use `afterCommit` for such effects.
   */
  async run<C extends RequestContext, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
    if (ctx.transaction instanceof DatabaseTransaction) return this.join(ctx, ctx.transaction, work);
    return retrying(() => this.open(ctx, work));
  }

  /**
   * Runs `work` in a new transaction that always rolls back, to find out what changes would do. `attempt` runs a part of `work`: if the part
   * throws, its statements are undone, and the next part can run.
   */
  rehearse<C extends RequestContext, T>(ctx: C, work: (ctx: C, attempt: Attempt) => Promise<T>): Promise<T> {
    return retrying(async () => {
      const transaction = await DatabaseTransaction.open(this.dataSource.createQueryRunner());
      try {
        return await work({ ...ctx, transaction }, (part) => transaction.attempt(part));
      } finally {
        await transaction.release();
      }
    });
  }

  /**
   * Calls `effect` after the context's transaction has committed, and never if the transaction rolls back. Without a transaction, calls
   * `effect` immediately.
   */
  afterCommit(ctx: RequestContext, effect: () => void): void {
    if (ctx.transaction instanceof DatabaseTransaction) ctx.transaction.afterCommit.push(effect);
    else effect();
  }

  /** Runs `work` in an open transaction. Writes the deferred rows of `work`, so that `join` throws their errors. */
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
    const transaction = await DatabaseTransaction.open(this.dataSource.createQueryRunner());
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

async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isRetryable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
    }
  }
}

const isRetryable = (error: unknown): boolean => {
  const code =
    (error as { code?: string; driverError?: { code?: string } }).driverError?.code ?? (error as { code?: string }).code;
  return code === DEADLOCK_DETECTED || code === SERIALIZATION_FAILURE;
};
