import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifySuccess } from '../../ui/notify';
import { reauthenticated, ReauthenticationCancelled } from './reauthentication';

interface OwnChange<Input, Result> {
  readonly run: (input: Input, currentPassword?: string) => Promise<Result>;
  readonly outdates: readonly QueryKey[];
  readonly done?: string;
  readonly onDone?: (result: Result) => void;
}

/** A change of the own account that may ask for the password once more; closing that question is no error. */
export function useOwnChange<Input, Result>({ run, outdates, done, onDone }: OwnChange<Input, Result>) {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: (input: Input) => reauthenticated((currentPassword) => run(input, currentPassword)),
    onSuccess: async (result) => {
      await Promise.all(outdates.map((queryKey) => client.invalidateQueries({ queryKey })));
      if (done !== undefined) notifySuccess(done);
      onDone?.(result);
    },
  });
  const error = mutation.error instanceof ReauthenticationCancelled ? null : mutation.error;
  return { ...mutation, error };
}
