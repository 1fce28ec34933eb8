import type { RequestContext } from '#platform/common';
import type { QueryResult } from 'pg';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { DatabaseTransaction } from './database-transaction.js';
import { entitySelectOf } from './entity-statements.js';
import { asOfStatement } from './history/as-of-statement.js';
import { CHANGED_KEY_ROW, keyOfChange } from './history/changed-key.js';
import type { RowKey } from './history/history-batch.js';
import { isTracked, type TrackedTable } from './history/tracked-tables.js';
import { LookupConnections } from './lookup-connections.js';
import { ReplicaConnections } from './replica-connections.js';
import { assertRowType, type RowType } from './row-type.js';
import { sendStatement } from './send-statement.js';
import { repeatedStatementName, statementName, statementOf } from './statement-names.js';
import type { DeferredRows } from './write-batch.js';

export interface QueryOptions {
  /**
   * Whether to use a prepared statement, which each connection plans only a few times. Use `true` for statements of background work, and
   * `false` for searches, whose best plan depends on the values. By default, repeated statements of requests are prepared.
   */
  readonly prepared?: boolean | undefined;
  /**
   * `replica`: reads from an up-to-date replica, if available (`ReplicaConnections`). For lists and searches. `shared`: pipelines the
   * statement with statements of other requests (`LookupConnections`). For lookups by key that read few rows and wait for no lock. Has no
   * effect in a transaction.
   */
  readonly connection?: 'replica' | 'shared' | undefined;
}

/**
 * Base class of `*.query.ts`, the only files with SQL. For reads across tables, and for statements that TypeORM's repositories can't
 * express or would make slower (docs/adr/0015-one-persistence-contract.md). Statements run in the context's transaction, if any.
 */
export abstract class BaseQuery {
  constructor(private readonly dataSource: DataSource) {}

  /** Executes a statement and returns its rows, or the rows of `RETURNING`. */
  protected async query<T>(
    ctx: RequestContext,
    type: RowType<T>,
    sql: string,
    parameters: readonly unknown[] = [],
    options: QueryOptions = {},
  ): Promise<T[]> {
    const { fields, rows } = await this.send(ctx, sql, parameters, options);
    assertRowType(sql, type, fields, rows as object[]);
    return rows as T[];
  }

  /** Executes a statement and returns the number of rows that it inserted, updated or deleted. */
  protected async execute(
    ctx: RequestContext,
    sql: string,
    parameters: readonly unknown[] = [],
    options: Pick<QueryOptions, 'prepared'> = {},
  ): Promise<number> {
    return (await this.send(ctx, sql, parameters, options)).rowCount ?? 0;
  }

  /**
   * Executes a statement that changes rows of tables with a history, and tracks the changes. The statement must return the keys of all
   * changed rows (`changedKey`). Returns their number.
   */
  protected async executeRowChanges(ctx: RequestContext, sql: string, parameters: readonly unknown[]): Promise<number> {
    const changes = await this.query(ctx, CHANGED_KEY_ROW, sql, parameters);
    for (const { changedTable, tenantId, key } of changes) {
      if (!isTracked(changedTable)) throw new Error(`The table ${changedTable} has no history.`);
      this.trackChanges(ctx, changedTable, [keyOfChange(changedTable, tenantId, key)]);
    }
    return changes.length;
  }

  /** Tracks changed rows of a table with a history, for statements that return other columns than `executeRowChanges` needs. */
  protected trackChanges(
    ctx: RequestContext,
    table: TrackedTable,
    keys: readonly RowKey[],
    options: { readonly isNew?: boolean } = {},
  ): void {
    DatabaseTransaction.of(ctx).trackChanges(table, keys, options);
  }

  /** Defers a statement for a list of rows until the transaction's next statement or commit. @throws Error outside a transaction */
  protected executeDeferred(ctx: RequestContext, rows: DeferredRows): void {
    DatabaseTransaction.of(ctx).defer(rows);
  }

  /** Returns `SELECT … FROM … t` for an entity. The column names are the names of the entity's properties (`entityRow`). */
  protected selectOf<E extends ObjectLiteral>(entity: EntityTarget<E>): string {
    return entitySelectOf(this.dataSource.getMetadata(entity));
  }

  private async send(
    ctx: RequestContext,
    text: string,
    values: readonly unknown[],
    { prepared, connection }: QueryOptions,
  ): Promise<QueryResult> {
    if (ctx.asOf !== undefined) {
      const { asOf: _, ...present } = ctx;
      const read = asOfStatement(text, values, ctx);
      // A replica can lack a recent change of the moment.
      const asOfOptions = { prepared, connection: connection === 'replica' ? undefined : connection };
      return this.send(present, read.text, read.values, asOfOptions);
    }
    const name = nameOf(ctx, text, values, prepared);
    if (!ctx.transaction && connection) {
      const result =
        connection === 'shared'
          ? await LookupConnections.of(this.dataSource)?.query(text, values)
          : await ReplicaConnections.of(this.dataSource)?.read(statementOf(text, values, name));
      if (result) return result;
    }
    return sendStatement(ctx, this.dataSource, text, values, name);
  }
}

/** Work of the service itself, such as the relay, can have a best plan that depends on the amount of work. */
function nameOf({ caller }: RequestContext, text: string, values: readonly unknown[], prepared?: boolean): string | undefined {
  if (prepared === undefined) return caller.kind === 'system' ? undefined : repeatedStatementName(text, values);
  return prepared ? statementName(text) : undefined;
}
