import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale, projectDir } from './build-if-stale.mjs';

/** DATABASE_URL, else the embedded server that runs for DATA_DIR. @throws Error when there is neither */
export async function databaseUrl() {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const dataDir = process.env.DATA_DIR || join(projectDir, '.data');
  if (existsSync(dataDir)) {
    buildIfStale();
    const { findRunningEmbeddedPostgres } = await import('../dist/server/embedded-postgres.js');
    const running = await findRunningEmbeddedPostgres(dataDir);
    if (running) return running;
  }
  throw new Error('The service is not running. Start it first ("npm start"), or set DATABASE_URL.');
}

/** What to tell an operator whose command failed on the database. */
export const reasonOf = (error) =>
  error.code === '42P01'
    ? 'The database does not have the required table yet. Start the service once to run the migrations.'
    : error.message;
