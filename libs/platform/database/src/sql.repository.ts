import {
  InvalidCursor,
  isId,
  offsetOf,
  type Page,
  pageOf,
  type PageRequest,
  type RequestContext,
  type ResourceKind,
} from '#platform/common';
import type { QueryResult } from 'pg';
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
import { DatabaseTransaction } from './database-transaction.js';
import { entityInsertOf, entitySelectOf } from './entity-statements.js';
import { LookupConnections } from './lookup-connections.js';
import { poolOf } from './pool-of.js';
import { ReplicaConnections } from './replica-connections.js';
import { statementName, statementOf } from './statement-names.js';
import type { DeferredRows } from './write-batch.js';
import { lockKey } from './lock-key.js';

/**
 * Superseded by `BaseRepository` (one entity, TypeORM) and `BaseQuery` (SQL with typed rows).
 *
 * What every repository and read model stands on: the connection of the context's transaction, or one of the pool.
 * Methods of subclasses are named by use, and tenant-owned rows are never found by id alone.
 */
export abstract class SqlRepository {
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

  /** The beginning of a statement that reads rows of an entity (`t`), as TypeORM would name their fields. */
  protected selectOf<E extends ObjectLiteral>(entity: EntityTarget<E>): string {
    return entitySelectOf(this.dataSource.getMetadata(entity));
  }

  /** The row of an entity with these values, by a prepared statement; with a lock, held until the transaction ends. */
  protected async findRow<E extends ObjectLiteral>(
    ctx: RequestContext,
    entity: EntityTarget<E>,
    key: Readonly<Partial<Record<keyof E & string, string>>>,
    lock: '' | 'FOR SHARE' = '',
  ): Promise<E | null> {
    const metadata = this.dataSource.getMetadata(entity);
    const conditions = Object.keys(key).map((property, index) => {
      const column = metadata.findColumnWithPropertyName(property);
      if (!column) throw new Error(`${metadata.name} has no ${property}.`);
      return `t.${column.databaseName} = $${index + 1}`;
    });
    const sql = `${entitySelectOf(metadata)} WHERE ${conditions.join(' AND ')} ${lock}`;
    const [row] = await this.prepared<object>(ctx, sql, Object.values(key));
    return row ? Object.assign(metadata.create() as E, row) : null;
  }

  /** Runs plain SQL and gives its rows, also those of `RETURNING`. PostgreSQL plans it each time, for the values given. */
  protected async query<T>(ctx: RequestContext, sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    return (await this.send(ctx, sql, parameters)).rows as T[];
  }

  /** The same for SQL whose best plan does not depend on the values: each connection plans it only once. */
  protected async prepared<T>(ctx: RequestContext, sql: string, parameters: readonly unknown[]): Promise<T[]> {
    return (await this.send(ctx, sql, parameters, statementName(sql))).rows as T[];
  }

  /**
   * The same for the quickest of them, which find few rows by their key and wait for no lock: outside a transaction they share a
   * connection with those of other requests.
   */
  protected async lookUp<T>(ctx: RequestContext, sql: string, parameters: readonly unknown[]): Promise<T[]> {
    const shared = ctx.transaction ? undefined : LookupConnections.of(this.dataSource);
    return shared ? ((await shared.query(sql, parameters)).rows as T[]) : this.prepared(ctx, sql, parameters);
  }

  /** As `query`, for lists and searches: on a replica where there is one that has everything (`ReplicaConnections`). */
  protected async queryList<T>(ctx: RequestContext, sql: string, parameters: readonly unknown[]): Promise<T[]> {
    return (await this.sendForList(ctx, sql, parameters)).rows as T[];
  }

  /** As `prepared`, likewise. */
  protected async preparedList<T>(ctx: RequestContext, sql: string, parameters: readonly unknown[]): Promise<T[]> {
    return (await this.sendForList(ctx, sql, parameters, statementName(sql))).rows as T[];
  }

  /** Runs plain SQL and gives how many rows it touched. */
  protected async execute(ctx: RequestContext, sql: string, parameters: readonly unknown[]): Promise<number> {
    return (await this.send(ctx, sql, parameters)).rowCount ?? 0;
  }

  /** Writes rows before the transaction's next statement or with its commit, in one round trip with others. @throws outside a transaction */
  protected writeLater(ctx: RequestContext, rows: DeferredRows): void {
    DatabaseTransaction.of(ctx).defer(rows);
  }

  /** The same for new rows of an entity; `errorMeaning` says what a database error means that they may cause. */
  protected insertLater<E extends ObjectLiteral>(
    ctx: RequestContext,
    entity: EntityTarget<E>,
    entities: readonly E[],
    errorMeaning?: DeferredRows['errorMeaning'],
  ): void {
    const { sql, rowOf } = entityInsertOf(this.dataSource.getMetadata(entity));
    this.writeLater(ctx, { sql, rows: entities.map(rowOf), errorMeaning });
  }

  /** Holds others with the same words back until this transaction ends. */
  protected async lockWords(ctx: RequestContext, ...words: string[]): Promise<void> {
    await lockKey(ctx, ...words);
  }

  private send(ctx: RequestContext, text: string, values: readonly unknown[], name?: string): Promise<QueryResult> {
    if (ctx.transaction instanceof DatabaseTransaction) return ctx.transaction.query(text, values, name);
    return poolOf(this.dataSource).query(statementOf(text, values, name));
  }

  private async sendForList(ctx: RequestContext, text: string, values: readonly unknown[], name?: string): Promise<QueryResult> {
    const replicas = ctx.transaction ? undefined : ReplicaConnections.of(this.dataSource);
    const answer = await replicas?.read(statementOf(text, values, name));
    return answer ?? this.send(ctx, text, values, name);
  }

  private manager(ctx: RequestContext): EntityManager {
    return ctx.transaction instanceof DatabaseTransaction ? ctx.transaction.manager : this.dataSource.manager;
  }
}
