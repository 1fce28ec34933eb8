import type { RequestContext } from '#platform/common';
import { DatabaseTransaction } from './database-transaction.js';

/**
 * Executes several statements of a transaction in one round trip. In a transaction, use this function instead of `Promise.all`. Each
 * function sends one statement; only the last function can send several statements. Each function is called when the previous statement was
 * sent to the driver, without waiting for the result. Each statement sees the changes of the earlier statements. After an error, all later
 * statements fail, and the first error is thrown. Returns the results in the order of the functions.
 *
 * With `commit`, the transaction commits in the same round trip, and can't send further statements.
 * @throws Error outside a transaction
 */
export async function pipeline<T extends readonly unknown[]>(
  ctx: RequestContext,
  statements: readonly [...{ [Index in keyof T]: () => Promise<T[Index]> }],
  { commit = false } = {},
): Promise<T> {
  const transaction = DatabaseTransaction.of(ctx);
  const results: Promise<unknown>[] = [];
  for (const send of statements) {
    const sent = transaction.nextStatement();
    const result = send();
    results.push(result);
    // A function can resolve without sending a statement.
    await Promise.race([sent, result.catch(() => undefined)]);
  }
  if (commit) results.push(transaction.commit());
  const settled = await Promise.allSettled(results);
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.slice(0, statements.length).map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
