import { Pool } from 'pg';
import { TEST_APPLICATION } from './run-sql.js';

export function openPool(connectionString: string | undefined, max: number): Pool {
  const pool = new Pool({ connectionString, max, application_name: TEST_APPLICATION, allowExitOnIdle: true });
  // The drop of a database can close connections before the pool.
  pool.on('error', () => undefined);
  return pool;
}
