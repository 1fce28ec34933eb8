import { Pool } from 'pg';

export function openPool(connectionString: string | undefined, max: number): Pool {
  const pool = new Pool({ connectionString, max });
  // The drop of a database can close connections before the pool.
  pool.on('error', () => undefined);
  return pool;
}
