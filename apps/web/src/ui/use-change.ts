import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifySuccess } from './notify';

export interface Change<Input, Result> {
  readonly run: (input: Input) => Promise<Result>;
  /** Prefixes of the query keys to invalidate after success. */
  readonly outdates: readonly QueryKey[];
  readonly done?: string | ((result: Result) => string);
  readonly onDone?: (result: Result) => void;
}

/** A mutation of the API that invalidates queries and shows a success notification. */
export function useChange<Input, Result>({ run, outdates, done, onDone }: Change<Input, Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    // Removes the result at once, since it can contain secrets.
    gcTime: 0,
    onSuccess: async (result) => {
      await Promise.all(outdates.map((queryKey) => client.invalidateQueries({ queryKey })));
      if (done !== undefined) notifySuccess(typeof done === 'string' ? done : done(result));
      onDone?.(result);
    },
  });
}
