import { type Change, useChange } from '../../ui/use-change';
import { reauthenticated, ReauthenticationCancelled } from './reauthentication';

interface OwnChange<Input, Result> extends Omit<Change<Input, Result>, 'run'> {
  readonly run: (input: Input, currentPassword?: string) => Promise<Result>;
}

/** A mutation of the own account that may prompt for the current password. Closing the prompt is not an error. */
export function useOwnChange<Input, Result>({ run, ...rest }: OwnChange<Input, Result>) {
  const change = useChange({
    ...rest,
    run: (input: Input) => reauthenticated((currentPassword) => run(input, currentPassword)),
  });
  return { ...change, error: change.error instanceof ReauthenticationCancelled ? null : change.error };
}
