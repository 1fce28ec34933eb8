import cluster from 'node:cluster';
import type { AppConfig } from '#platform/config';
import type { AppLogger } from '#platform/observability';
import { openStores } from '../open-stores.js';
import type { Shutdown } from '../shutdown.js';
import { gatherMetrics } from './cluster-metrics.js';
import { ServerProcesses } from './server-processes.js';

/**
 * Starts what all processes share, and then `config.workers` processes from `entry` that serve the port together. This one answers no
 * request: it accepts connections and hands them out in turn, replaces processes that die, and stops all. Should it be killed itself,
 * they end.
 * @throws StartFailure, EmbeddedPostgresError
 */
export async function startPrimary(config: AppConfig, entry: string, logger: AppLogger, shutdown: Shutdown): Promise<void> {
  const { databaseUrl } = await openStores(config, logger, shutdown);
  // Told explicitly: this process may have been started through another script. Only this serialization keeps NaN in metrics.
  cluster.setupPrimary({ exec: entry, args: [], serialization: 'advanced' });
  const processes = new ServerProcesses(config.workers, { DATABASE_URL: databaseUrl! }, logger);
  gatherMetrics(() => processes.ready, logger);
  shutdown.add('processes', (remainingMs) => processes.stop(remainingMs));
  await processes.start();
}
