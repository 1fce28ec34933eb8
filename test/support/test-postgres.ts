import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import {
  DataDirectoryInUse,
  startEmbeddedPostgres,
  type EmbeddedPostgresServer,
} from '../../libs/platform/database/src/embedded/index.js';
import { runSql, withDatabase } from './run-sql.js';
import { startTestCitus } from './test-citus.js';
import { sized } from './test-size.js';

const SLOTS = 16;
const PROJECT_DIR = join(import.meta.dirname, '../..');
const MEMORY_DIR = '/dev/shm';
const MEMORY_NEEDED_BYTES = 6 * 1024 ** 3;
const MIGRATIONS = new URL('../../libs/platform/database/src/migrations/', import.meta.url);
const UNFINISHED_TEMPLATE = 'test_unfinished_template';
/**
 * The settings of the server. No write waits for the disk: a crash of the machine may lose test data. `pg_stat_statements` counts only the
 * statements of connections that set `pg_stat_statements.track`.
 */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'none',
  'pg_stat_statements.save': 'off',
};

let server: Pick<EmbeddedPostgresServer, 'stop'> | undefined;

/**
 * Starts the PostgreSQL server of a test run with a migrated template database. The test files get the server and the template from environment
 * variables.
 */
export async function startTestPostgres(): Promise<void> {
  // The setup of each Jest project calls this function.
  if (server) return;
  if (process.env['TEST_CITUS']) {
    server = await startTestCitus();
    return;
  }
  const started = await startInFreeSlot();
  server = started;
  const adminUrl = withDatabase(started.url, 'postgres');
  // With the default of 4,096 iterations, each client needs a millisecond and a half of processor time to connect.
  await runSql(adminUrl, `SET scram_iterations = 1; ALTER ROLE postgres PASSWORD '${new URL(adminUrl).password}'`);
  process.env['TEST_POSTGRES_URL'] = adminUrl;
  process.env['TEST_POSTGRES_TEMPLATE'] = await migratedTemplate(adminUrl);
}

export async function stopTestPostgres(): Promise<void> {
  await server?.stop();
}

/** Starts the server in the first free data directory. Each concurrent test run has a separate server. */
async function startInFreeSlot(): Promise<EmbeddedPostgresServer> {
  const dirs = dataDirs();
  for (let slot = 1; ; slot += 1) {
    try {
      return await startEmbeddedPostgres({ dataDir: join(dirs, String(slot)), settings: SETTINGS, log: () => undefined });
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse) || slot === SLOTS) throw error;
    }
  }
}

/**
 * Returns the parent of the data directories. The directories are in memory if the machine has enough memory, except in long runs. In memory, a
 * database of 800 files is created and dropped with 50 ms of processor time. On ext4, this takes 240 to 630 ms.
 */
function dataDirs(): string {
  const hasEnoughMemory = sized(true, true, false) && availableBytes(MEMORY_DIR) >= MEMORY_NEEDED_BYTES;
  if (!hasEnoughMemory) return join(PROJECT_DIR, '.cache/test-postgres');
  return join(MEMORY_DIR, `identity-service-tests-${createHash('sha256').update(PROJECT_DIR).digest('hex').slice(0, 16)}`);
}

function availableBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Returns the template database of the current migrations, and drops all other templates. Later test runs reuse the template. */
async function migratedTemplate(adminUrl: string): Promise<string> {
  const template = `test_template_${hashOfMigrations()}`;
  const databases = await runSql<{ datname: string }>(adminUrl, `SELECT datname FROM pg_database WHERE datname LIKE 'test\\_%'`);
  const names = databases.map(({ datname }) => datname);
  for (const name of names.filter((each) => each !== template)) await runSql(adminUrl, `DROP DATABASE "${name}" WITH (FORCE)`);
  if (names.includes(template)) return template;
  await runSql(adminUrl, `CREATE DATABASE ${UNFINISHED_TEMPLATE}`);
  const { runMigrations } = await import('#platform/database');
  await runMigrations(withDatabase(adminUrl, UNFINISHED_TEMPLATE));
  await runSql(adminUrl, `ALTER DATABASE ${UNFINISHED_TEMPLATE} RENAME TO ${template}`);
  return template;
}

function hashOfMigrations(): string {
  const hash = createHash('sha256');
  const files = readdirSync(MIGRATIONS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  for (const name of files.toSorted()) hash.update(name).update(readFileSync(new URL(name, MIGRATIONS)));
  return hash.digest('hex').slice(0, 16);
}
