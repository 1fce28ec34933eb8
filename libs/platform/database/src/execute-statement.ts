import { type ClientBase, Query, type QueryResult, type QueryResultRow } from 'pg';

/**
 * Passes a statement to the driver; with a name, as a prepared statement. `client.query({ text, values, name })` would do the same, but
 * copies the descriptor of each property: 5 % fewer gets per second.
 */
export function executeStatement<T extends QueryResultRow>(
  client: ClientBase,
  text: string,
  values: readonly unknown[],
  name: string | undefined,
): Promise<QueryResult<T>> {
  return new Promise<QueryResult<T>>((resolve, reject) => {
    const query = Object.assign(new Query(text, values as unknown[]), {
      name,
      callback: (error: Error | null, result: QueryResult<T>) => (error ? reject(error) : resolve(result)),
    });
    client.query(query);
  }).catch((error: Error) => {
    // Like the driver: the stack leads to the caller instead of the socket.
    Error.captureStackTrace(error);
    throw error;
  });
}
