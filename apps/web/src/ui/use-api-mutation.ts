import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifySuccess } from './notify';

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
      await Promise.all(invalidates.map((queryKey) => client.invalidateQueries({ queryKey })));
      if (successMessage !== undefined)
        notifySuccess(typeof successMessage === 'string' ? successMessage : successMessage(result));
      onSuccess?.(result);
    },
  });
}
