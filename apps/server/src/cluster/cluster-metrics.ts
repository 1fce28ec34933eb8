import cluster, { type Worker } from 'node:cluster';
import { aggregateMetrics, type AppLogger, type MetricsService, type MetricsSnapshot } from '#platform/observability';
import { onMessage, sendToPrimary, sendToProcess } from './messages.js';

const SNAPSHOT_TIMEOUT_MS = 2_000;
const METRICS_TIMEOUT_MS = 5_000;

/**
 * In the primary: responds to requests for metrics with the merged metrics of all ready processes. Skips processes that don't
 * respond within 2 s.
 */
export function mergeMetrics(readyProcesses: () => readonly Worker[], logger: AppLogger): void {
  let pending: Promise<string> | undefined;
  const merge = async (): Promise<string> => {
    const responses = await Promise.all(readyProcesses().map(snapshotOf));
    const snapshots = responses.filter((response) => response !== undefined);
    if (snapshots.length < responses.length)
      logger.warn('The metrics of a process are missing because it did not respond in time.');
    return aggregateMetrics(snapshots);
  };
  cluster.on('fork', (worker) => {
    onMessage(worker, 'metrics requested', () => {
      pending ??= merge().finally(() => (pending = undefined));
      pending.then(
        (text) => sendToProcess(worker, { type: 'metrics', text }),
        (error: unknown) => logger.error('The metrics of the processes could not be merged.', { err: error }),
      );
    });
  });
}

function snapshotOf(worker: Worker): Promise<MetricsSnapshot | undefined> {
  return new Promise((resolve) => {
    const finish = (snapshot?: MetricsSnapshot): void => {
      clearTimeout(timer);
      stopListening();
      resolve(snapshot);
    };
    const timer = setTimeout(finish, SNAPSHOT_TIMEOUT_MS);
    const stopListening = onMessage(worker, 'snapshot', ({ snapshot }) => finish(snapshot));
    sendToProcess(worker, { type: 'snapshot requested' });
  });
}

/** In a process: sends the metrics of the process to the primary, but serves the merged metrics of all processes. */
export function shareMetrics(metrics: MetricsService, logger: AppLogger): void {
  onMessage(process, 'snapshot requested', () => {
    metrics.snapshot().then(
      (snapshot) => sendToPrimary({ type: 'snapshot', snapshot }),
      (error: unknown) => logger.error('The metrics of this process could not be read.', { err: error }),
    );
  });
  let pending: Promise<string> | undefined;
  metrics.readFrom(() => (pending ??= metricsOfAll().finally(() => (pending = undefined))));
}

function metricsOfAll(): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stopListening();
      reject(new Error(`The primary process sent no metrics within ${METRICS_TIMEOUT_MS} ms.`));
    }, METRICS_TIMEOUT_MS);
    const stopListening = onMessage(process, 'metrics', ({ text }) => {
      clearTimeout(timer);
      stopListening();
      resolve(text);
    });
    sendToPrimary({ type: 'metrics requested' });
  });
}
