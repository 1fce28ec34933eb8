import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/problem';

const FIRST_RETRY_MS = 1_000;
const RETRY_MAX_MS = 30_000;

/**
 * Retries queries while the service is unreachable or overloaded, at the time that the service asks for (`Retry-After`). The page keeps what it
 * shows and says what it waits for (`ConnectionNotice`). Does not retry after other errors.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (_failures, error) => error instanceof ApiProblem && error.isTemporary,
      retryDelay: (failures, error) => retryDelayMs(failures, error),
    },
  },
});

function retryDelayMs(failures: number, error: Error): number {
  const askedSeconds = error instanceof ApiProblem ? error.retryAfterSeconds : undefined;
  return Math.min(RETRY_MAX_MS, askedSeconds === undefined ? FIRST_RETRY_MS * 2 ** failures : askedSeconds * 1_000);
}
