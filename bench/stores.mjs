import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { projectDir } from '../scripts/build-if-stale.mjs';
import { runMigrations } from '#platform/database';
import { startEmbeddedPostgres } from '../libs/platform/database/src/embedded/index.ts';

const DEFAULT_DATA_DIR = join(projectDir, '.cache/bench');

/**
 * Starts PostgreSQL for a run: the server of DATABASE_URL, or an embedded server with its default durability. `close` deletes the files
 * of the embedded server, unless `keep` is set or the files existed before.
 */
export async function openPostgres({ dataDir = DEFAULT_DATA_DIR, keep }, log) {
  if (process.env.DATABASE_URL) {
    await runMigrations(process.env.DATABASE_URL);
    return { url: process.env.DATABASE_URL, close: async () => undefined };
  }
  const isKept = keep || existsSync(join(dataDir, 'postgres'));
  const server = await startEmbeddedPostgres({ dataDir, log });
  await runMigrations(server.url);
  const close = async () => {
    await server.stop();
    if (!isKept) rmSync(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, logFile: join(dataDir, 'postgres.log'), close };
}

/** Creates an empty, migrated database on the same server. Replaces a database with the same name. */
export async function createDatabase(url, name) {
  const created = await createEmptyDatabase(url, name);
  await runMigrations(created);
  return created;
}

/** Creates a database without tables, for a version that runs its own migrations. Replaces a database with the same name. */
export async function createEmptyDatabase(url, name) {
  await dropDatabase(url, name);
  await withClient(url, (client) => client.query(`CREATE DATABASE "${name}"`));
  return databaseUrl(url, name);
}

/** Creates a copy of a database. The original database must have no connections. */
export async function copyDatabase(url, from, to) {
  await dropDatabase(url, to);
  await withClient(url, (client) => client.query(`CREATE DATABASE "${to}" TEMPLATE "${from}"`));
  return databaseUrl(url, to);
}

export function dropDatabase(url, name) {
  return withClient(url, (client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
}

export async function withClient(url, use) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(url, name) {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
