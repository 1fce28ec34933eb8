import cluster from 'node:cluster';
import type { AppConfig } from '#platform/config';
import type { AppLogger } from '#platform/observability';
import { openStores } from '../open-stores.js';
import type { Shutdown } from '../shutdown.js';
import { mergeMetrics } from './cluster-metrics.js';
import { ServerProcesses } from './server-processes.js';

/**
 * Prepares the database and Redis, and starts `config.workers` processes from `entry` that serve the port together. The primary
 * distributes connections round-robin, restarts processes that exit, and stops all processes, but handles no requests. If the
 * primary is killed, the processes exit.
 * @throws StartFailure, EmbeddedPostgresError
 */
export async function startPrimary(config: AppConfig, entry: string, logger: AppLogger, shutdown: Shutdown): Promise<void> {
  const { databaseUrl } = await openStores(config, logger, shutdown);
  // `exec` is explicit, because another script can have started this process. Only `advanced` supports NaN in metrics.
  cluster.setupPrimary({ exec: entry, args: [], serialization: 'advanced' });
  const processes = new ServerProcesses(config.workers, { DATABASE_URL: databaseUrl!, DATABASE_URL_FILE: '' }, logger);
  mergeMetrics(() => processes.ready, logger);
  shutdown.add('processes', (remainingMs) => processes.stop(remainingMs));
  await processes.start();
}
