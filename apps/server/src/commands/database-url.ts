import { existsSync } from 'node:fs';
import { findRunningEmbeddedPostgres } from '#platform/database';

/**
 * DATABASE_URL, else the embedded server that runs for DATA_DIR.
 * @throws Error when there is neither
 */
export async function databaseUrl(): Promise<string> {
  if (process.env['DATABASE_URL']) return process.env['DATABASE_URL'];
  const dataDir = process.env['DATA_DIR'] || '.data';
  const running = existsSync(dataDir) ? await findRunningEmbeddedPostgres(dataDir) : undefined;
  if (running === undefined) throw new Error('The service is not running. Start it first ("npm start"), or set DATABASE_URL.');
  return running;
}
