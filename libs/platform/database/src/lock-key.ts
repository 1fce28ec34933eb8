import type { RequestContext } from '#platform/common';
import { DatabaseTransaction } from './database-transaction.js';

/**
 * Locks a key, which consists of words, until the transaction ends. Waits if another transaction has locked the key.
 * @throws Error outside a transaction
 */
export async function lockKey(ctx: RequestContext, ...words: readonly string[]): Promise<void> {
  await DatabaseTransaction.of(ctx).query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [words.join('|')]);
}
