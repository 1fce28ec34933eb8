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
import {
  type FindManyOptions,
  type FindOptionsWhere,
  LessThan,
  MoreThanOrEqual,
  type ObjectLiteral,
  type QueryDeepPartialEntity,
  type Repository,
} from 'typeorm';
import { DatabaseTransaction } from './database-transaction.js';
import { entityInsertOf, entitySelectOf } from './entity-statements.js';
import type { RowKey, TrackOptions } from './history/history-batch.js';
import { isTracked } from './history/tracked-tables.js';
import { sendStatement } from './send-statement.js';
import { repeatedStatementName, statementName } from './statement-names.js';
import type { ErrorMeaning } from './write-batch.js';

/**
 * Base class of `*.repository.ts`: reads and writes the rows of one entity with TypeORM's repository. The module must import
 * `TypeOrmModule.forFeature([Entity])`, and the constructor injects `@InjectRepository(Entity)`. Each method of a subclass is named after
 * its use. No method may find tenant-owned rows by ID alone. SQL belongs in `*.query.ts` (`BaseQuery`).
 */
export abstract class BaseRepository<E extends ObjectLiteral> {
  constructor(private readonly repository: Repository<E>) {}

  /**
   * Returns TypeORM's repository in the context's transaction, if any.
   * @throws Error if the context reads as of a moment, which only `findByKey` and `findRows` can do
   */
  protected rows(ctx: RequestContext): Repository<E> {
    const { transaction, asOf } = ctx;
    if (asOf !== undefined) throw new Error(`${this.repository.metadata.name} can't be read as of a moment this way.`);
    return transaction instanceof DatabaseTransaction
      ? transaction.manager.getRepository(this.repository.target)
      : this.repository;
  }

  /**
   * Returns the row with these values, or null. Uses a prepared statement, which is faster than `rows(ctx).findOneBy`. With a lock, the row
   * stays locked until the transaction ends.
   */
  protected async findByKey(
    ctx: RequestContext,
    key: Readonly<Partial<Record<keyof E & string, string>>>,
    lock: '' | 'FOR SHARE' | 'FOR UPDATE' = '',
  ): Promise<E | null> {
    const { metadata } = this.repository;
    const conditions = Object.keys(key).map((property, index) => {
      const column = metadata.findColumnWithPropertyName(property);
      if (!column) throw new Error(`${metadata.name} has no ${property}.`);
      return `t.${column.databaseName} = $${index + 1}`;
    });
    const sql = `${entitySelectOf(metadata)} WHERE ${conditions.join(' AND ')} ${lock}`;
    const { dataSource } = this.repository.manager;
    const { rows } = await sendStatement<ObjectLiteral>(ctx, dataSource, sql, Object.values(key), statementName(sql));
    return rows[0] ? Object.assign(metadata.create() as E, rows[0]) : null;
  }

  /** Returns rows. Unlike `rows(ctx).find`, also reads as of the moment of the context. */
  protected async findRows(ctx: RequestContext, options: FindManyOptions<E>): Promise<E[]> {
    // Stryker disable next-line ConditionalExpression: without a moment, both ways return the same rows.
    if (ctx.asOf === undefined) return this.rows(ctx).find(options);
    const { metadata, manager } = this.repository;
    const [sql, values] = this.repository.createQueryBuilder('t').setFindOptions(options).getQueryAndParameters();
    const { rows } = await sendStatement<ObjectLiteral>(ctx, manager.dataSource, sql, values, repeatedStatementName(sql, values));
    return rows.map((values) => {
      const properties = metadata.columns.map(({ databaseName, propertyName }) => [propertyName, values[`t_${databaseName}`]]);
      return Object.assign(metadata.create() as E, Object.fromEntries(properties));
    });
  }

  /** Inserts or updates a row. Tracks the change, if the table has a history. */
  protected async saveRow(ctx: RequestContext, entity: E): Promise<void> {
    await this.rows(ctx).save(entity);
    this.track(ctx, [this.keyOf(entity)]);
  }

  /** Inserts a row. Tracks the change, if the table has a history. */
  protected async insertRow(ctx: RequestContext, entity: E): Promise<void> {
    await this.rows(ctx).insert(entity);
    // Stryker disable next-line ObjectLiteral,BooleanLiteral: the history is the same, but PostgreSQL also looks for a previous version.
    this.track(ctx, [this.keyOf(entity)], { isNew: true });
  }

  /** Updates the matching rows and returns their number. Tracks the changes, if the table has a history. */
  protected async updateRows(
    ctx: RequestContext,
    where: FindOptionsWhere<E>,
    values: QueryDeepPartialEntity<E>,
  ): Promise<number> {
    const update = this.rows(ctx).createQueryBuilder().update().set(values).where(where).returning(this.keyProperties());
    return this.trackReturned(ctx, await update.execute());
  }

  /** Deletes the matching rows and returns their number. Tracks the changes, if the table has a history. */
  protected async deleteRows(ctx: RequestContext, where: FindOptionsWhere<E>): Promise<number> {
    const deletion = this.rows(ctx).createQueryBuilder().delete().where(where).returning(this.keyProperties());
    return this.trackReturned(ctx, await deletion.execute());
  }

  private trackReturned(ctx: RequestContext, { raw }: { raw: unknown }): number {
    const keys = raw as RowKey[];
    this.track(ctx, keys);
    return keys.length;
  }

  /** Tracks changed rows by their keys (`DatabaseTransaction.trackChanges`). */
  protected track(ctx: RequestContext, keys: readonly RowKey[], options?: TrackOptions): void {
    const { tableName } = this.repository.metadata;
    if (keys.length > 0 && isTracked(tableName)) DatabaseTransaction.of(ctx).trackChanges(tableName, keys, options);
  }

  private keyProperties(): string[] {
    return this.repository.metadata.primaryColumns.map(({ propertyName }) => propertyName);
  }

  protected keyOf(entity: E): RowKey {
    const { primaryColumns } = this.repository.metadata;
    return Object.fromEntries(primaryColumns.map(({ databaseName, propertyName }) => [databaseName, entity[propertyName]]));
  }

  /**
   * Returns a page of the rows that match a condition, newest first. Counts all matching rows, which is slow for long lists.
   * @throws InvalidCursor (400) if `after` is not an ID of this kind
   */
  protected async findPage(
    ctx: RequestContext,
    kind: ResourceKind,
    where: FindOptionsWhere<E>,
    request: PageRequest,
  ): Promise<Page<E>> {
    const { after, limit } = request;
    if (after !== undefined && !isId(kind, after)) throw new InvalidCursor(kind);
    const rows = this.rows(ctx);
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

  /**
   * Inserts rows together with the transaction's next statement or commit. `errorMeaning` translates database errors of these rows, which
   * can occur after this method has returned.
   * @throws Error outside a transaction
   */
  protected insertDeferred(ctx: RequestContext, entities: readonly E[], errorMeaning?: ErrorMeaning): void {
    const { sql, rowOf } = entityInsertOf(this.repository.metadata);
    const rows = entities.map(rowOf);
    DatabaseTransaction.of(ctx).defer({ sql, rows, errorMeaning });
    this.track(ctx, rows, { isNew: true, isComplete: true });
  }

  /**
   * Inserts rows, or updates the rows with the same keys, together with the transaction's next statement or commit.
   * @throws Error outside a transaction, or if the table has a history
   */
  protected upsertDeferred(ctx: RequestContext, entities: readonly E[]): void {
    const { metadata } = this.repository;
    if (isTracked(metadata.tableName)) throw new Error(`${metadata.name} has a history.`);
    const { sql, rowOf } = entityInsertOf(metadata);
    const keys = metadata.primaryColumns.map(({ databaseName }) => databaseName);
    const updated = metadata.columns.map(({ databaseName }) => databaseName).filter((name) => !keys.includes(name));
    const update = updated.map((name) => `${name} = EXCLUDED.${name}`).join(', ');
    const conflict = ` ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${update}`;
    DatabaseTransaction.of(ctx).defer({ sql: sql + conflict, rows: entities.map(rowOf) });
  }
}
