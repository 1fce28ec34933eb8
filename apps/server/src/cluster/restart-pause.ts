const STABLE_AFTER_MS = 60_000;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/**
 * Returns the delay before the restart of a process that ran for `ranMs`. The delay doubles each time the process exits within a
 * minute.
 */
export function restartPauseMs(ranMs: number, lastPauseMs: number): number {
  if (ranMs >= STABLE_AFTER_MS) return MIN_PAUSE_MS;
  return Math.min(Math.max(lastPauseMs * 2, MIN_PAUSE_MS), MAX_PAUSE_MS);
}
