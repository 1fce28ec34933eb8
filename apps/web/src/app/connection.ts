import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ApiProblem } from '../api/problem';
import { queryClient } from './query-client';

/** What the page waits for: a connection to the service, or a service that is too busy to answer. */
export type Trouble = 'unreachable' | 'busy';

const RETRY_MS = 2_000;

/** Number of parts of the application that wait until the service can be reached. */
let waiting = 0;
const listeners = new Set<() => void>();

/** Returns what the page waits for, or undefined. */
export const useTrouble = (): Trouble | undefined => useSyncExternalStore(subscribe, currentTrouble);

/** Resolves when the service can be reached. */
export async function whenReachable(): Promise<void> {
  change(1);
  try {
    while (!(await isReachable())) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  } finally {
    change(-1);
  }
}

/** The health checks can be at another port (`MONITORING_PORT`). */
const isReachable = (): Promise<boolean> =>
  window.fetch('/.well-known/jwks.json', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

function change(by: number): void {
  waiting += by;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const stops = [queryClient.getQueryCache().subscribe(listener), onlineManager.subscribe(listener)];
  return () => {
    listeners.delete(listener);
    for (const stop of stops) stop();
  };
}

function currentTrouble(): Trouble | undefined {
  if (waiting > 0 || !onlineManager.isOnline()) return 'unreachable';
  const failures = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.fetchStatus !== 'idle' && state.fetchFailureReason !== null })
    .map(({ state }) => state.fetchFailureReason)
    .filter((reason) => reason instanceof ApiProblem && reason.isTemporary) as ApiProblem[];
  if (failures.length === 0) return undefined;
  return failures.some(({ status }) => status === 0) ? 'unreachable' : 'busy';
}
