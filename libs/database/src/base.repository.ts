import type { RequestContext } from '#common';
import { DataSource, EntityManager, type EntityTarget, type ObjectLiteral, Repository } from 'typeorm';
import { DatabaseTransaction } from './transaction-runner.js';

/**
 * What every repository and read model stands on: the connection of the context's transaction, or one of the pool.
 * Methods of subclasses are named by use, and tenant-owned rows are never found by id alone.
 */
export abstract class BaseRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** TypeORM's repository of an entity, inside the context's transaction if there is one. */
  protected rows<E extends ObjectLiteral>(ctx: RequestContext, entity: EntityTarget<E>): Repository<E> {
    return this.manager(ctx).getRepository(entity);
  }

  /** Runs plain SQL and gives its rows, also those of `RETURNING`. */
  protected async query<T>(ctx: RequestContext, sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    const runner = this.manager(ctx).queryRunner ?? this.dataSource.createQueryRunner();
    try {
      const result = await runner.query(sql, [...parameters], true);
      return (result.records ?? []) as T[];
    } finally {
      if (runner !== this.manager(ctx).queryRunner) await runner.release();
    }
  }

  /** Runs plain SQL and gives how many rows it touched. */
  protected async execute(ctx: RequestContext, sql: string, parameters: readonly unknown[] = []): Promise<number> {
    const runner = this.manager(ctx).queryRunner ?? this.dataSource.createQueryRunner();
    try {
      return (await runner.query(sql, [...parameters], true)).affected ?? 0;
    } finally {
      if (runner !== this.manager(ctx).queryRunner) await runner.release();
    }
  }

  /** Holds others with the same words back until this transaction ends. */
  protected async lockWords(ctx: RequestContext, ...words: string[]): Promise<void> {
    if (!ctx.transaction) throw new Error('An advisory lock is of use in a transaction only.');
    await this.query(ctx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [words.join('|')]);
  }

  private manager(ctx: RequestContext): EntityManager {
    return ctx.transaction instanceof DatabaseTransaction ? ctx.transaction.manager : this.dataSource.manager;
  }
}
