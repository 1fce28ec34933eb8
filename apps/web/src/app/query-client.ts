import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/problem';

const RETRIES_MAX = 2;

/** Retries queries when the service is unreachable or overloaded, but not after other errors. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < RETRIES_MAX && error instanceof ApiProblem && error.isTemporary,
    },
  },
});
