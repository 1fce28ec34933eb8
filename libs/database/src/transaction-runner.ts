import { Injectable } from '@nestjs/common';
import { type RequestContext, Transaction } from '#common';
import { DataSource, EntityManager } from 'typeorm';

const DEADLOCK_DETECTED = '40P01';
const SERIALIZATION_FAILURE = '40001';
const MAX_TRIES = 4;

/** The open transaction behind `RequestContext.transaction`. Only `BaseRepository` looks inside. */
export class DatabaseTransaction extends Transaction {
  readonly afterCommit: (() => void)[] = [];
  constructor(readonly manager: EntityManager) {
    super();
  }
}

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
    if (ctx.transaction) return work(ctx);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.open(ctx, work);
      } catch (error) {
        if (attempt >= MAX_TRIES || !isRepeatable(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
      }
    }
  }

  /**
   * Runs reads that must agree with one another, such as a page, its total and what it shows: all see the database as it was at the
   * first of them. Nothing can be written in it.
   */
  async snapshot<C extends RequestContext, T>(ctx: C, read: (ctx: C) => Promise<T>): Promise<T> {
    if (ctx.transaction) return read(ctx);
    const runner = this.dataSource.createQueryRunner();
    try {
      // In one statement, where TypeORM would need two.
      await runner.query('START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const result = await read({ ...ctx, transaction: new DatabaseTransaction(runner.manager) });
      await runner.query('COMMIT');
      return result;
    } catch (error) {
      await runner.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** Calls `effect` once the context's transaction has committed (never, if it rolls back); at once without a transaction. */
  afterCommit(ctx: RequestContext, effect: () => void): void {
    if (ctx.transaction instanceof DatabaseTransaction) ctx.transaction.afterCommit.push(effect);
    else effect();
  }

  private async open<C extends RequestContext, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
    let transaction: DatabaseTransaction | undefined;
    const result = await this.dataSource.transaction(async (manager) => {
      transaction = new DatabaseTransaction(manager);
      return work({ ...ctx, transaction });
    });
    for (const effect of transaction?.afterCommit ?? []) effect();
    return result;
  }
}

const isRepeatable = (error: unknown): boolean => {
  const code =
    (error as { code?: string; driverError?: { code?: string } }).driverError?.code ?? (error as { code?: string }).code;
  return code === DEADLOCK_DETECTED || code === SERIALIZATION_FAILURE;
};
