const SETTLED_MS = 60_000;
const SHORTEST_MS = 1_000;
const LONGEST_MS = 30_000;

/** How long to wait before a process that ran for `ranMs` gets a successor: longer each time that one dies within a minute. */
export function restartPauseMs(ranMs: number, lastPauseMs: number): number {
  if (ranMs >= SETTLED_MS) return SHORTEST_MS;
  return Math.min(Math.max(lastPauseMs * 2, SHORTEST_MS), LONGEST_MS);
}
