import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifySuccess } from './notify';
import { afterSaving } from './unsaved-changes';

export interface ApiMutation<Input, Result> {
  readonly mutationFn: (input: Input) => Promise<Result>;
  /** Prefixes of the query keys to invalidate after success. */
  readonly invalidates: readonly QueryKey[];
  readonly successMessage?: string | ((result: Result) => string);
  readonly onSuccess?: (result: Result) => void;
}

/** A mutation of the API that invalidates queries and shows a success notification. */
export function useApiMutation<Input, Result>({
  mutationFn,
  invalidates,
  successMessage,
  onSuccess,
}: ApiMutation<Input, Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    // Removes the result immediately, because the result can contain secrets.
    gcTime: 0,
    onSuccess: async (result) => {
      await Promise.all(invalidates.map((queryKey) => invalidate(client, queryKey)));
      if (successMessage !== undefined)
        notifySuccess(typeof successMessage === 'string' ? successMessage : successMessage(result));
      if (onSuccess) afterSaving(() => onSuccess(result));
    },
  });
}

/** Invalidates queries. A first fetch that is in progress can return the state before the change, and is not repeated by the library. */
async function invalidate(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const firstFetches = client.isFetching({ queryKey, predicate: ({ state }) => state.data === undefined });
  await client.invalidateQueries({ queryKey });
  if (firstFetches > 0) await client.invalidateQueries({ queryKey });
}
