import { TRACKED_TABLES } from '#platform/database';
import type { TestApp } from './app.js';

/** Returns the rows that differ from the present version in the history, and the present versions of nonexistent rows. */
export async function historyDifferences({ query }: Pick<TestApp['database'], 'query'>): Promise<unknown[]> {
  const differences: unknown[] = [];
  for (const table of Object.keys(TRACKED_TABLES)) {
    const columns = await query<{ names: string }>(
      `SELECT string_agg(quote_ident(attname), ', ') AS names FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname NOT IN ('valid_from', 'valid_to')`,
      [`${table}_history`],
    );
    const names = columns[0]!.names;
    const versions = `SELECT ${names} FROM ${table}_history WHERE valid_to = 'infinity'`;
    const rows = `SELECT ${names} FROM ${table}`;
    const [lacking, surplus] = await Promise.all([query(`${rows} EXCEPT ${versions}`), query(`${versions} EXCEPT ${rows}`)]);
    for (const row of lacking) differences.push({ table, isIn: 'table', row });
    for (const row of surplus) differences.push({ table, isIn: 'history', row });
  }
  return differences;
}

/** Returns a moment of the database's clock, after all answered changes and before all later changes. */
export async function momentOf({ query }: Pick<TestApp['database'], 'query'>): Promise<string> {
  const sql = `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS moment`;
  return (await query<{ moment: string }>(sql))[0]!.moment;
}
