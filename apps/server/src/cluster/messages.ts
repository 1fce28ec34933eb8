import type { Worker } from 'node:cluster';
import type { MetricsSnapshot } from '#platform/observability';

export type ClusterMessage =
  /** From a process: the process is ready. */
  | { readonly type: 'started' }
  /** From a process: requests the merged metrics. */
  | { readonly type: 'metrics requested' }
  /** From the primary: requests the metrics of the process. */
  | { readonly type: 'snapshot requested' }
  /** From a process: its metrics. */
  | { readonly type: 'snapshot'; readonly snapshot: MetricsSnapshot }
  /** From the primary: the merged metrics. */
  | { readonly type: 'metrics'; readonly text: string };

/** Sends a message to a process, unless the process is exiting. */
export function sendToProcess(worker: Worker, message: ClusterMessage): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

export function sendToPrimary(message: ClusterMessage): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

/** Calls `handle` for each message of a type. Returns a function that removes the listener. */
export function onMessage<Type extends ClusterMessage['type']>(
  source: Worker | NodeJS.Process,
  type: Type,
  handle: (message: Extract<ClusterMessage, { type: Type }>) => void,
): () => void {
  const listener = (message: unknown): void => {
    if ((message as ClusterMessage).type === type) handle(message as Extract<ClusterMessage, { type: Type }>);
  };
  source.on('message', listener);
  return () => void source.off('message', listener);
}
