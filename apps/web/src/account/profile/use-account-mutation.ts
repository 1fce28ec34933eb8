import { type ApiMutation, useApiMutation } from '../../ui/use-api-mutation';
import { withCurrentPassword, PasswordPromptCanceled } from './password-prompt';

interface AccountMutation<Input, Result> extends Omit<ApiMutation<Input, Result>, 'mutationFn'> {
  readonly mutationFn: (input: Input, currentPassword?: string) => Promise<Result>;
}

/** A mutation of the own account that may prompt for the current password. Closing the prompt is not an error. */
export function useAccountMutation<Input, Result>({ mutationFn, ...rest }: AccountMutation<Input, Result>) {
  const change = useApiMutation({
    ...rest,
    mutationFn: (input: Input) => withCurrentPassword((currentPassword) => mutationFn(input, currentPassword)),
  });
  return { ...change, error: change.error instanceof PasswordPromptCanceled ? null : change.error };
}
