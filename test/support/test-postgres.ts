import { Client } from 'pg';
import {
  DataDirectoryInUse,
  startEmbeddedPostgres,
  type EmbeddedPostgresServer,
} from '../../libs/database/src/embedded/index.js';

const SLOTS = 16;
const TEMPLATE = 'test_template';
/** Tests may lose everything with the machine, so nothing waits for the disk. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

let server: EmbeddedPostgresServer | undefined;

/** Starts the run's PostgreSQL with a migrated template database; test files reach both through the environment. */
export async function startTestPostgres(): Promise<void> {
  // The setups of several projects ask for it.
  if (server) return;
  server = await startInFreeSlot();
  const adminUrl = withDatabase(server.url, 'postgres');
  await dropLeftovers(adminUrl);
  await execute(adminUrl, `CREATE DATABASE ${TEMPLATE}`);
  const { runMigrations } = await import('#database');
  await runMigrations(withDatabase(server.url, TEMPLATE));
  process.env['TEST_POSTGRES_URL'] = adminUrl;
  process.env['TEST_POSTGRES_TEMPLATE'] = TEMPLATE;
}

export async function stopTestPostgres(): Promise<void> {
  await server?.stop();
}

export function withDatabase(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}

/** Several runs at once on one machine get a server each. */
async function startInFreeSlot(): Promise<EmbeddedPostgresServer> {
  for (let slot = 1; ; slot += 1) {
    const dataDir = new URL(`../../.cache/test-postgres/${slot}`, import.meta.url).pathname;
    try {
      return await startEmbeddedPostgres({ dataDir, settings: SETTINGS, log: () => undefined });
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse) || slot === SLOTS) throw error;
    }
  }
}

async function dropLeftovers(adminUrl: string): Promise<void> {
  const names = await execute(adminUrl, `SELECT datname FROM pg_database WHERE datname LIKE 'test\\_%'`);
  for (const { datname } of names) await execute(adminUrl, `DROP DATABASE "${datname}" WITH (FORCE)`);
}

async function execute(url: string, sql: string): Promise<{ datname: string }[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ datname: string }>(sql)).rows;
  } finally {
    await client.end();
  }
}
