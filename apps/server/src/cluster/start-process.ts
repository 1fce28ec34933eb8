import cluster from 'node:cluster';
import type { AppConfig } from '#platform/config';
import { type AppLogger, MetricsService } from '#platform/observability';
import type { Shutdown } from '../shutdown.js';
import { startServer } from '../start-server.js';
import { shareMetrics } from './cluster-metrics.js';
import { sendToPrimary } from './messages.js';

/** The id of the first forked process. A restarted process has another id. */
const FIRST_ID = 1;

/**
 * Starts one of several processes. Only the first process prints the welcome message.
 * @throws the errors of `startServer`
 */
export async function startProcess(config: AppConfig, logger: AppLogger, shutdown: Shutdown): Promise<void> {
  const app = await startServer(config, logger, shutdown, { printsWelcome: cluster.worker?.id === FIRST_ID });
  shareMetrics(app.get(MetricsService), logger);
  sendToPrimary({ type: 'started' });
}
