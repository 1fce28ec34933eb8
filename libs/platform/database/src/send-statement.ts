import type { RequestContext } from '#platform/common';
import type { QueryResult, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseTransaction } from './database-transaction.js';
import { poolOf } from './pool-of.js';
import { statementOf } from './statement-names.js';

/**
 * Executes a statement in the context's transaction, or on a connection of the pool if the context has no transaction. With a name, uses a
 * prepared statement.
 */
export function sendStatement<T extends QueryResultRow>(
  { transaction }: RequestContext,
  dataSource: DataSource,
  text: string,
  values: readonly unknown[],
  name?: string,
): Promise<QueryResult<T>> {
  if (transaction instanceof DatabaseTransaction) return transaction.query<T>(text, values, name);
  return poolOf(dataSource).query<T>(statementOf(text, values, name));
}
