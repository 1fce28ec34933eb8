import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/problem';

const RETRIES_MAX = 2;

/** Reads are repeated when the service can't be reached or is overloaded; what it refuses stays refused. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < RETRIES_MAX && error instanceof ApiProblem && error.isTemporary,
    },
  },
});
