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
import { type FindOptionsWhere, LessThan, MoreThanOrEqual, type ObjectLiteral, type Repository } from 'typeorm';
import { DatabaseTransaction } from './database-transaction.js';
import { entityInsertOf, entitySelectOf } from './entity-statements.js';
import { poolOf } from './pool-of.js';
import { statementName, statementOf } from './statement-names.js';
import type { ErrorMeaning } from './write-batch.js';

/**
 * The base of `*.repository.ts`: reads and writes the rows of one entity with TypeORM's repository, which the module provides with
 * `TypeOrmModule.forFeature([Entity])` and the constructor injects with `@InjectRepository(Entity)`. Methods of subclasses are named by
 * use; no method finds rows that a tenant owns by their id alone. SQL belongs in `*.query.ts` (`BaseQuery`).
 */
export abstract class BaseRepository<E extends ObjectLiteral> {
  constructor(private readonly repository: Repository<E>) {}

  /** Returns TypeORM's repository, inside the context's transaction if there is one. */
  protected rows(ctx: RequestContext): Repository<E> {
    const { transaction } = ctx;
    return transaction instanceof DatabaseTransaction
      ? transaction.manager.getRepository(this.repository.target)
      : this.repository;
  }

  /**
   * Returns the row with these values, or null: by a prepared statement, which takes less time than `rows(ctx).findOneBy`. With a lock
   * the row stays locked until the transaction ends.
   */
  protected async findByKey(
    ctx: RequestContext,
    key: Readonly<Partial<Record<keyof E & string, string>>>,
    lock: '' | 'FOR SHARE' | 'FOR UPDATE' = '',
  ): Promise<E | null> {
    const { metadata } = this.repository;
    const conditions = Object.keys(key).map((property, index) => {
      const found = metadata.findColumnWithPropertyName(property);
      if (!found) throw new Error(`${metadata.name} has no ${property}.`);
      return `t.${found.databaseName} = $${index + 1}`;
    });
    const sql = `${entitySelectOf(metadata)} WHERE ${conditions.join(' AND ')} ${lock}`;
    const { transaction } = ctx;
    const values = Object.values(key);
    const { rows } = await (transaction instanceof DatabaseTransaction
      ? transaction.query<ObjectLiteral>(sql, values, statementName(sql))
      : poolOf(this.repository.manager.dataSource).query<ObjectLiteral>(statementOf(sql, values, statementName(sql))));
    return rows[0] ? Object.assign(metadata.create() as E, rows[0]) : null;
  }

  /**
   * Returns a page of the rows that meet a condition, newest first: for lists so short that all rows can be counted.
   * @throws InvalidCursor (400) when `after` is no id of that kind
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
   * Inserts new rows with the transaction's next statement or its commit, in one round trip with others. `errorMeaning` translates an
   * error of the database that these rows can cause, since it occurs only then.
   * @throws Error outside a transaction
   */
  protected insertDeferred(ctx: RequestContext, entities: readonly E[], errorMeaning?: ErrorMeaning): void {
    const { sql, rowOf } = entityInsertOf(this.repository.metadata);
    DatabaseTransaction.of(ctx).defer({ sql, rows: entities.map(rowOf), errorMeaning });
  }
}
