import type { QueryFunction, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client';

interface Query {
  readonly queryKey: QueryKey;
  readonly queryFn?: unknown;
  readonly enabled?: unknown;
}

/** Loads the enabled queries. */
export const prefetchAll = (queries: readonly Query[]): Promise<unknown> =>
  Promise.all(
    queries
      .filter(({ enabled }) => enabled !== false)
      .map(({ queryKey, queryFn }) => queryClient.prefetchQuery({ queryKey, queryFn: queryFn as QueryFunction })),
  );

/** Whether the browser still shows the frame of the HTML file. */
const isFirstPage = (): boolean => document.getElementById('frame') !== null;

/**
 * Loads what the first page shows before the page is rendered: one rendering of everything takes less time than one for each response,
 * and nothing moves. Later pages are shown at once and load then.
 */
export async function loadFirst(load: () => Promise<unknown>): Promise<void> {
  if (isFirstPage()) await load().catch(leaveToPage);
}

/** The page requests what failed again, and shows the error. */
const leaveToPage = (): void => undefined;
