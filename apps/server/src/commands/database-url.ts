import { existsSync } from 'node:fs';
import { findRunningEmbeddedPostgres } from '#platform/database';

/**
 * Returns DATABASE_URL, or the URL of the running embedded server of DATA_DIR if DATABASE_URL is not set.
 * @throws Error if no embedded server runs
 */
export async function databaseUrl(): Promise<string> {
  if (process.env['DATABASE_URL']) return process.env['DATABASE_URL'];
  const dataDir = process.env['DATA_DIR'] || '.data';
  const running = existsSync(dataDir) ? await findRunningEmbeddedPostgres(dataDir) : undefined;
  if (running === undefined) throw new Error('The service is not running. Start it first ("npm start"), or set DATABASE_URL.');
  return running;
}
