import type { RequestContext } from '#platform/common';
import type { QueryResult, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseTransaction } from './database-transaction.js';
import { asOfStatement } from './history/as-of-statement.js';
import { TrackedWrites } from './history/tracked-writes.js';
import { poolOf } from './pool-of.js';
import { statementName, statementOf } from './statement-names.js';

/**
 * Executes a statement in the context's transaction, or on a connection of the pool if the context has no transaction. With a name, uses a
 * prepared statement. If the context has a moment (`asOf`), the statement reads the rows as of this moment.
 */
export function sendStatement<T extends QueryResultRow>(
  ctx: RequestContext,
  dataSource: DataSource,
  text: string,
  values: readonly unknown[],
  name?: string,
): Promise<QueryResult<T>> {
  const { transaction } = ctx;
  if (ctx.asOf !== undefined) {
    const read = asOfStatement(text, values, ctx);
    return send(transaction, dataSource, read.text, read.values, name && statementName(read.text));
  }
  return send(transaction, dataSource, text, values, name);
}

function send<T extends QueryResultRow>(
  transaction: RequestContext['transaction'],
  dataSource: DataSource,
  text: string,
  values: readonly unknown[],
  name: string | undefined,
): Promise<QueryResult<T>> {
  if (transaction instanceof DatabaseTransaction) return transaction.query<T>(text, values, name);
  TrackedWrites.assertNone(text);
  return poolOf(dataSource).query<T>(statementOf(text, values, name));
}
