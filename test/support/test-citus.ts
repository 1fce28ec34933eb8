import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type CitusCluster, createCitusDatabase, startCitus } from './citus.js';
import { logStatements, readShardPositions, readStatements } from './citus-statements.js';
import { assertListed } from './multi-shard-report.js';
import { runSql } from './run-sql.js';

const TEMPLATE = 'test_template';

/**
 * Starts a Citus cluster with a distributed template database on each node, for `npm run test:citus`. `stop` throws an error if the service has
 * sent a statement to more than one shard that test/citus/multi-shard-statements.json does not list.
 */
export async function startTestCitus(): Promise<{ stop(): Promise<void> }> {
  const cluster = await startCitus(mkdtempSync(join('/dev/shm', 'citus-')));
  const url = await createDistributedDatabase(cluster, TEMPLATE);
  const positions = await readShardPositions(url);
  // A database is a template only if nothing is connected to it, including the maintenance of Citus.
  for (const { url: nodeUrl } of [cluster.coordinator, ...cluster.workers]) {
    await runSql(nodeUrl, `ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
    await runSql(nodeUrl, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${TEMPLATE}'`);
  }
  process.env['TEST_POSTGRES_URL'] = cluster.coordinator.url;
  process.env['TEST_CITUS_WORKERS'] = cluster.workers.map((worker) => worker.url).join(',');
  process.env['TEST_POSTGRES_TEMPLATE'] = TEMPLATE;
  await logStatements(cluster);
  return {
    stop: async () => {
      const statements = await readStatements(cluster.coordinator.logFile, positions);
      cluster.stop();
      assertListed(statements);
    },
  };
}

/** Creates a migrated database whose tables are distributed over the nodes. Returns the connection string on the coordinator. */
export async function createDistributedDatabase(cluster: CitusCluster, name: string): Promise<string> {
  const url = await createCitusDatabase(cluster, name);
  const { runMigrations } = await import('#platform/database');
  await runMigrations(url, { distribution: 'small' });
  return url;
}
