import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifySuccess } from './notify';

export interface Change<Input, Result> {
  readonly run: (input: Input) => Promise<Result>;
  /** The reads that it makes outdated, by the beginning of their keys. */
  readonly outdates: readonly QueryKey[];
  readonly done?: string | ((result: Result) => string);
  readonly onDone?: (result: Result) => void;
}

/** A change through the API: afterwards what it made outdated is read again. */
export function useChange<Input, Result>({ run, outdates, done, onDone }: Change<Input, Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    // Answers may hold what is shown once.
    gcTime: 0,
    onSuccess: async (result) => {
      await Promise.all(outdates.map((queryKey) => client.invalidateQueries({ queryKey })));
      if (done !== undefined) notifySuccess(typeof done === 'string' ? done : done(result));
      onDone?.(result);
    },
  });
}
