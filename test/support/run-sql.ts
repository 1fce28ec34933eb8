import { Client, type QueryResultRow } from 'pg';

/** The application name of the tests' own connections. The list of statements on several shards leaves their statements out. */
export const TEST_APPLICATION = 'tests';

/** Executes a statement on a new connection, and returns its rows. */
export async function runSql<T extends QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: url, application_name: TEST_APPLICATION });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

export function withDatabase(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}
