import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { currentFile, databasePrefix, measured } from './jest/file-time.mjs';
import { openPool } from './pool.js';
import { runSql, withDatabase } from './run-sql.js';

/** The distribution of the databases that `createTestDatabase` creates. */
export const TEST_DISTRIBUTION = process.env['TEST_CITUS'] ? 'citus' : undefined;

/** The beginning of the names of databases that tests distribute themselves. */
export const NODES_PREFIX = 'nodes_';

export interface TestDatabase {
  url: string;
  /** Closes remaining connections and drops the database. */
  drop(): Promise<void>;
}

/** Creates a migrated, empty database for a test file. On Citus, on each node. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = requireVariable('TEST_POSTGRES_URL');
  const nodes = [adminUrl, ...(process.env['TEST_CITUS_WORKERS']?.split(',') ?? [])];
  const name = newName(databasePrefix(currentFile()));
  // `file_copy` takes a third of the time of the default strategy. The default strategy writes every page to the write-ahead log.
  const create = `CREATE DATABASE ${name} TEMPLATE ${requireVariable('TEST_POSTGRES_TEMPLATE')} STRATEGY file_copy`;
  const onAllNodes = (sql: string) => Promise.all(nodes.map((url) => administrator(url).query(sql)));
  await measured('create a database', () => onAllNodes(create));
  return {
    url: withDatabase(adminUrl, name),
    drop: async () => {
      await onAllNodes(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

const administrators = new Map<string, Pool>();

/** Returns the connection to a server that creates and drops databases. All test files of a Jest worker share it. */
function administrator(url: string): Pool {
  const known = administrators.get(url) ?? openPool(url, 1);
  administrators.set(url, known);
  return known;
}

/** Creates an empty database without Citus on each node of the Citus cluster of the test run. */
export async function createDatabaseOfNodes(): Promise<{ urls: string[]; drop(): Promise<void> }> {
  const nodes = [requireVariable('TEST_POSTGRES_URL'), ...requireVariable('TEST_CITUS_WORKERS').split(',')];
  const name = newName(NODES_PREFIX);
  for (const url of nodes) await runSql(url, `CREATE DATABASE ${name} TEMPLATE template0`);
  return {
    urls: nodes.map((url) => withDatabase(url, name)),
    drop: async () => {
      for (const url of nodes) await runSql(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

const newName = (prefix: string): string => `${prefix}${randomBytes(8).toString('hex')}`;

function requireVariable(variable: string): string {
  const value = process.env[variable];
  if (value === undefined) throw new Error(`${variable} is not set: this test's jest project needs globalSetup (jest.config.js)`);
  return value;
}
