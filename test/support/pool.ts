import { Pool } from 'pg';

/** Creates a connection pool of a test. */
export function openPool(connectionString: string | undefined, max: number): Pool {
  const pool = new Pool({ connectionString, max });
  // Dropping a database can cut connections before the pool closes them.
  pool.on('error', () => undefined);
  return pool;
}
