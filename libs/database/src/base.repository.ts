import {
  InvalidCursor,
  isId,
  offsetOf,
  type Page,
  pageOf,
  type PageRequest,
  type RequestContext,
  type ResourceKind,
} from '#common';
import type { ClientBase } from 'pg';
import {
  DataSource,
  EntityManager,
  type EntityTarget,
  type FindOptionsWhere,
  LessThan,
  MoreThanOrEqual,
  type ObjectLiteral,
  Repository,
} from 'typeorm';
import { statementName } from './statement-names.js';
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

  /**
   * A page of the rows that meet a condition, newest first: for lists so short that all of them can be counted.
   * @throws InvalidCursor (400) when `after` is no id of that kind
   */
  protected async pageById<E extends ObjectLiteral & { id: string }>(
    ctx: RequestContext,
    entity: EntityTarget<E>,
    kind: ResourceKind,
    where: FindOptionsWhere<E>,
    request: PageRequest,
  ): Promise<Page<E>> {
    const { after, limit } = request;
    if (after !== undefined && !isId(kind, after)) throw new InvalidCursor(kind);
    const rows = this.rows(ctx, entity);
    const items = await rows.find({
      where: after === undefined ? where : { ...where, id: LessThan(after) },
      order: { id: 'DESC' } as never,
      take: limit + 1,
      skip: offsetOf(request),
    });
    const total = await rows.countBy(where);
    const precedingCount = after === undefined ? offsetOf(request) : await rows.countBy({ ...where, id: MoreThanOrEqual(after) });
    return pageOf(request, items, total, precedingCount);
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

  /** The same for SQL whose best plan does not depend on the values: each connection plans it only once. */
  protected async prepared<T>(ctx: RequestContext, sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    const runner = this.manager(ctx).queryRunner ?? this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as ClientBase;
      return (await client.query({ name: statementName(sql), text: sql, values: [...parameters] })).rows as T[];
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
