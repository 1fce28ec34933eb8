import { Pool } from 'pg';

/** Connections of a test's own to a database. */
export function openPool(connectionString: string | undefined, max: number): Pool {
  const pool = new Pool({ connectionString, max });
  // A database that is dropped may end connections before it has read that they take their leave.
  pool.on('error', () => undefined);
  return pool;
}
