import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

export interface TestDatabase {
  url: string;
  /** Closes remaining connections and drops the database. */
  drop(): Promise<void>;
}

/** Creates a migrated, empty database for a test file. On Citus, on each node. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = requireVariable('TEST_POSTGRES_URL');
  const nodes = [adminUrl, ...(process.env['TEST_CITUS_WORKERS']?.split(',') ?? [])];
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // `file_copy` takes a third of the time of the default strategy. The default strategy writes every page to the write-ahead log.
  const create = `CREATE DATABASE ${name} TEMPLATE ${requireVariable('TEST_POSTGRES_TEMPLATE')} STRATEGY file_copy`;
  await Promise.all(nodes.map((url) => execute(url, create)));
  return {
    url: Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href,
    drop: async () => {
      for (const url of nodes) await execute(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

function requireVariable(variable: string): string {
  const value = process.env[variable];
  if (value === undefined) throw new Error(`${variable} is not set: this test's jest project needs globalSetup (jest.config.js)`);
  return value;
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
