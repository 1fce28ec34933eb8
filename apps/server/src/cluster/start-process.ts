import cluster from 'node:cluster';
import type { AppConfig } from '#platform/config';
import { type AppLogger, MetricsService } from '#platform/observability';
import type { Shutdown } from '../shutdown.js';
import { startServer } from '../start-server.js';
import { shareMetrics } from './cluster-metrics.js';
import { tellPrimary } from './messages.js';

/** The first process that is ever forked; its successors have other ids. */
const FIRST_ID = 1;

/**
 * Starts one of several processes, in every way as if it were alone, but that the first alone shows what is shown once.
 * @throws as startServer
 */
export async function startProcess(config: AppConfig, logger: AppLogger, shutdown: Shutdown): Promise<void> {
  const app = await startServer(config, logger, shutdown, { welcomes: cluster.worker?.id === FIRST_ID });
  shareMetrics(app.get(MetricsService), logger);
  tellPrimary({ type: 'started' });
}
