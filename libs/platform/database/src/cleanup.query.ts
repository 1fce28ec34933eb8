import type { RequestContext } from '#platform/common';
import { DataSource } from 'typeorm';
import { BaseQuery } from './base.query.js';
import { tryLockKey } from './lock-key.js';
import { TransactionRunner } from './transaction-runner.js';

export interface DeletableRows {
  readonly table: string;
  /** The columns of the primary key, separated by commas. */
  readonly key: string;
  /** The condition for the rows to delete. */
  readonly where: string;
}

/** Base class of queries that delete rows of all tenants in batches. */
export abstract class CleanupQuery extends BaseQuery {
  private readonly transactions: TransactionRunner;

  protected constructor(dataSource: DataSource) {
    super(dataSource);
    this.transactions = new TransactionRunner(dataSource);
  }

  /**
   * Deletes at most `limit` rows and returns their number. Only one process at a time deletes rows of a table, because two processes that
   * delete the same rows in a different order would deadlock. Returns 0 if another process deletes rows.
   */
  protected async deleteBatch(
    ctx: RequestContext,
    { table, key, where }: DeletableRows,
    parameters: readonly unknown[],
    limit: number,
  ): Promise<number> {
    // The outer condition keeps a row that changed after the subquery selected it.
    const sql = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT $${parameters.length + 1})
      AND (${where})`;
    return this.transactions.run(ctx, async (ctx) =>
      (await tryLockKey(ctx, 'cleanup', table)) ? this.execute(ctx, sql, [...parameters, limit]) : 0,
    );
  }
}
