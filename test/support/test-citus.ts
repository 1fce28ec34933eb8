import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createCitusDatabase, startCitus } from './citus.js';
import { runSql } from './run-sql.js';

const TEMPLATE = 'test_template';

/** Starts a Citus cluster with a distributed template database on each node, for `npm run test:citus`. */
export async function startTestCitus(): Promise<{ stop(): Promise<void> }> {
  const cluster = await startCitus(mkdtempSync(join('/dev/shm', 'citus-')));
  const url = await createCitusDatabase(cluster, TEMPLATE);
  const { runMigrations } = await import('#platform/database');
  await runMigrations(url, { distribution: 'small' });
  // A database is a template only if nothing is connected to it, including the maintenance of Citus.
  for (const { url: nodeUrl } of [cluster.coordinator, ...cluster.workers]) {
    await runSql(nodeUrl, `ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
    await runSql(nodeUrl, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${TEMPLATE}'`);
  }
  process.env['TEST_POSTGRES_URL'] = cluster.coordinator.url;
  process.env['TEST_CITUS_WORKERS'] = cluster.workers.map((worker) => worker.url).join(',');
  process.env['TEST_POSTGRES_TEMPLATE'] = TEMPLATE;
  return { stop: () => Promise.resolve(cluster.stop()) };
}
