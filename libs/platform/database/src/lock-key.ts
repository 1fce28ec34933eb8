import type { RequestContext } from '#platform/common';
import { DatabaseTransaction } from './database-transaction.js';
import { statementName } from './statement-names.js';

/**
 * Locks a key, which consists of words, until the transaction ends. Waits if another transaction has locked the key.
 * @throws Error outside a transaction
 */
export async function lockKey(ctx: RequestContext, ...words: readonly string[]): Promise<void> {
  const sql = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
  await DatabaseTransaction.of(ctx).query(sql, [words.join('|')], statementName(sql));
}

/**
 * Locks a key, which consists of words, until the transaction ends. Returns false if another transaction has locked the key.
 * @throws Error outside a transaction
 */
export async function tryLockKey(ctx: RequestContext, ...words: readonly string[]): Promise<boolean> {
  const sql = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS "isLocked"';
  const { rows } = await DatabaseTransaction.of(ctx).query<{ isLocked: boolean }>(sql, [words.join('|')]);
  return rows[0]?.isLocked ?? false;
}
