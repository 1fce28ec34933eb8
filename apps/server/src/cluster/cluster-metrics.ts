import cluster, { type Worker } from 'node:cluster';
import { aggregateMetrics, type AppLogger, type MetricsService, type MetricsSnapshot } from '#platform/observability';
import { onMessage, tellPrimary, tellProcess } from './messages.js';

const SNAPSHOT_LIMIT_MS = 2_000;
const TEXT_LIMIT_MS = 5_000;

/** In the primary: lets each process show the metrics of all that are ready. One that does not answer within 2 s is left out. */
export function gatherMetrics(ready: () => readonly Worker[], logger: AppLogger): void {
  let underWay: Promise<string> | undefined;
  const gather = async (): Promise<string> => {
    const answers = await Promise.all(ready().map(snapshotOf));
    const snapshots = answers.filter((answer) => answer !== undefined);
    if (snapshots.length < answers.length)
      logger.warn('The metrics of a process are missing because it did not respond in time.');
    return aggregateMetrics(snapshots);
  };
  cluster.on('fork', (worker) => {
    onMessage(worker, 'metrics wanted', () => {
      underWay ??= gather().finally(() => (underWay = undefined));
      underWay.then(
        (text) => tellProcess(worker, { type: 'metrics text', text }),
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
    const timer = setTimeout(finish, SNAPSHOT_LIMIT_MS);
    const stopListening = onMessage(worker, 'metrics snapshot', ({ snapshot }) => finish(snapshot));
    tellProcess(worker, { type: 'metrics read' });
  });
}

/** In a process: gives its metrics to the primary, and shows those of all in place of its own. */
export function shareMetrics(metrics: MetricsService, logger: AppLogger): void {
  onMessage(process, 'metrics read', () => {
    metrics.snapshot().then(
      (snapshot) => tellPrimary({ type: 'metrics snapshot', snapshot }),
      (error: unknown) => logger.error('The metrics of this process could not be read.', { err: error }),
    );
  });
  let underWay: Promise<string> | undefined;
  metrics.readFrom(() => (underWay ??= metricsOfAll().finally(() => (underWay = undefined))));
}

function metricsOfAll(): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stopListening();
      reject(new Error(`The primary process sent no metrics within ${TEXT_LIMIT_MS} ms.`));
    }, TEXT_LIMIT_MS);
    const stopListening = onMessage(process, 'metrics text', ({ text }) => {
      clearTimeout(timer);
      stopListening();
      resolve(text);
    });
    tellPrimary({ type: 'metrics wanted' });
  });
}
