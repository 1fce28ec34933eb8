import { Pool } from 'pg';

/** Opens connections of a test to a database. */
export function openPool(connectionString: string | undefined, max: number): Pool {
  const pool = new Pool({ connectionString, max });
  // A database that is dropped can end connections before they are closed.
  pool.on('error', () => undefined);
  return pool;
}
