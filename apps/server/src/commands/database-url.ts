import { existsSync } from 'node:fs';
import { readVariable, VARIABLES } from '#platform/config';
import { findRunningEmbeddedPostgres } from '#platform/database';

/**
 * Returns DATABASE_URL, or the URL of the running embedded server of DATA_DIR if DATABASE_URL is not set.
 * @throws Error if no embedded server runs
 */
export async function databaseUrl(): Promise<string> {
  const url = readVariable(process.env, 'DATABASE_URL');
  if (url) return url;
  const dataDir = readVariable(process.env, 'DATA_DIR') || VARIABLES.DATA_DIR.default;
  const running = existsSync(dataDir) ? await findRunningEmbeddedPostgres(dataDir) : undefined;
  if (running === undefined) throw new Error('The service is not running. Start it first ("npm start"), or set DATABASE_URL.');
  return running;
}
