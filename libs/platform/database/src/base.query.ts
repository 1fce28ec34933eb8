import type { RequestContext } from '#platform/common';
import type { QueryConfig, QueryResult } from 'pg';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { DatabaseTransaction } from './database-transaction.js';
import { entitySelectOf } from './entity-statements.js';
import { LookupConnections } from './lookup-connections.js';
import { poolOf } from './pool-of.js';
import { ReplicaConnections } from './replica-connections.js';
import { assertRowType, type RowType } from './row-type.js';
import { statementName, statementOf } from './statement-names.js';
import type { DeferredRows } from './write-batch.js';

export interface QueryOptions {
  /** Each connection plans the statement only once: for SQL whose best plan doesn't depend on the values. */
  readonly prepared?: boolean;
  /**
   * `replica`: for lists and searches, on a replica that has every committed change, if there is one (`ReplicaConnections`).
   * `shared`: for the quickest lookups by key, which read few rows and wait for no lock: pipelined with those of other requests.
   * Inside a transaction both have no effect.
   */
  readonly connection?: 'replica' | 'shared';
}

/**
 * The base of `*.query.ts`, the only files with SQL: reads across tables, and statements that TypeORM's repositories can't express or that
 * they make slower (docs/adr/0015-one-persistence-contract.md). Statements run in the context's transaction if there is one.
 */
export abstract class BaseQuery {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the rows of a statement, also of `RETURNING`. */
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

  /** Returns how many rows a statement inserted, updated or deleted. */
  protected async execute(ctx: RequestContext, sql: string, parameters: readonly unknown[] = []): Promise<number> {
    return (await this.send(ctx, sql, parameters, {})).rowCount ?? 0;
  }

  /** Executes a statement over a list of rows with the transaction's next statement or its commit. @throws Error outside a transaction */
  protected executeDeferred(ctx: RequestContext, rows: DeferredRows): void {
    DatabaseTransaction.of(ctx).defer(rows);
  }

  /** Returns the beginning of a statement that reads an entity as `t`, with the names of the entity's properties (`entityRow`). */
  protected selectOf<E extends ObjectLiteral>(entity: EntityTarget<E>): string {
    return entitySelectOf(this.dataSource.getMetadata(entity));
  }

  private async send(
    ctx: RequestContext,
    text: string,
    values: readonly unknown[],
    { prepared, connection }: QueryOptions,
  ): Promise<QueryResult> {
    const name = prepared ? statementName(text) : undefined;
    if (ctx.transaction instanceof DatabaseTransaction) return ctx.transaction.query(text, values, name);
    if (connection === 'shared') {
      const shared = LookupConnections.of(this.dataSource);
      return shared ? shared.query(text, values) : poolOf(this.dataSource).query(statementOf(text, values, statementName(text)));
    }
    const statement = statementOf(text, values, name);
    return (connection === 'replica' ? await this.readReplica(statement) : undefined) ?? poolOf(this.dataSource).query(statement);
  }

  private async readReplica(statement: QueryConfig): Promise<QueryResult | undefined> {
    return ReplicaConnections.of(this.dataSource)?.read(statement);
  }
}
