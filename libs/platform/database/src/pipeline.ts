import type { RequestContext } from '#platform/common';
import { DatabaseTransaction } from './database-transaction.js';

/**
 * Runs several statements of a transaction in one round trip: each function sends a statement, and the next function starts when that
 * statement has been passed to the driver, without waiting for its result. Only the last function can send several statements. PostgreSQL executes them in this order, so a statement sees what
 * those before it wrote and waits for their locks; after one that fails, the others fail too. Returns the results in the same order.
 *
 * The only place where code relies on the order in which the driver sends statements: inside a transaction use this, not `Promise.all`.
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
    // A function that has nothing to send only resolves.
    await Promise.race([sent, result.catch(() => undefined)]);
  }
  return (await Promise.all(results)) as unknown as T;
}
