import type { RequestContext } from '#platform/common';
import { DatabaseTransaction } from './database-transaction.js';

/**
 * Executes several statements of a transaction in one round trip. Each function sends one statement; only the last function can send
 * several. A function is called when the previous statement was passed to the driver, without waiting for its result. PostgreSQL executes
 * the statements in this order: each statement sees the changes of the earlier statements, and after an error, all later statements fail.
 * Returns the results in the same order.
 *
 * Only this function relies on the order in which the driver sends statements. In a transaction, use it instead of `Promise.all`.
 * @throws Error outside a transaction
 */
export async function pipeline<T extends readonly unknown[]>(
  ctx: RequestContext,
  statements: readonly [...{ [Index in keyof T]: () => Promise<T[Index]> }],
): Promise<T> {
  const transaction = DatabaseTransaction.of(ctx);
  const results: Promise<unknown>[] = [];
  for (const send of statements) {
    const sent = transaction.nextStatement();
    const result = send();
    results.push(result);
    // A function can also resolve without sending a statement.
    await Promise.race([sent, result.catch(() => undefined)]);
  }
  return (await Promise.all(results)) as unknown as T;
}
