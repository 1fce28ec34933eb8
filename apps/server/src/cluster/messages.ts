import type { Worker } from 'node:cluster';
import type { MetricsSnapshot } from '#platform/observability';

/** What the primary and the processes that it forked tell each other. */
export type ClusterMessage =
  /** Of a process: it serves. */
  | { readonly type: 'started' }
  /** Of a process: it is asked for the metrics of all. */
  | { readonly type: 'metrics wanted' }
  /** Of the primary: give yours. */
  | { readonly type: 'metrics read' }
  /** Of a process: its own. */
  | { readonly type: 'metrics snapshot'; readonly snapshot: MetricsSnapshot }
  /** Of the primary: those of all together. */
  | { readonly type: 'metrics text'; readonly text: string };

/** Says something to a forked process; one that is just ending does not hear it. */
export function tellProcess(worker: Worker, message: ClusterMessage): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

/** Says something to the primary. */
export function tellPrimary(message: ClusterMessage): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

/** Calls `handle` for messages of one type, until the function that it gives is called. */
export function onMessage<Type extends ClusterMessage['type']>(
  source: Worker | NodeJS.Process,
  type: Type,
  handle: (message: Extract<ClusterMessage, { type: Type }>) => void,
): () => void {
  // Nobody else writes to this channel.
  const listener = (message: unknown): void => {
    if ((message as ClusterMessage).type === type) handle(message as Extract<ClusterMessage, { type: Type }>);
  };
  source.on('message', listener);
  return () => void source.off('message', listener);
}
