import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { PasswordField } from '../../ui/password-field';
import { dialogs } from '../../ui/dialogs';

const PASSWORD_CODES = new Set(['current_password_required', 'current_password_wrong']);

const needsPassword = (error: unknown): boolean => error instanceof ApiProblem && PASSWORD_CODES.has(error.code);

/** Thrown when the user closes the password dialog. */
export class PasswordPromptCanceled extends Error {}

/**
 * Runs a change of the account. When the API requires the current password, prompts for the password and retries.
 * @throws PasswordPromptCanceled when the user closes the dialog, or the error of the change
 */
export async function withCurrentPassword<Result>(change: (currentPassword?: string) => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!needsPassword(error)) throw error;
  }
  return new Promise<Result>((resolve, reject) => {
    const dialogId = dialogs.open({
      title: t('account.passwordPrompt.title'),
      isDisposable: true,
      onClose: () => reject(new PasswordPromptCanceled()),
      children: (
        <PasswordForm
          onPassword={async (password) => {
            try {
              resolve(await change(password));
            } catch (error) {
              if (needsPassword(error)) throw error;
              reject(error);
            }
            dialogs.close(dialogId);
          }}
        />
      ),
    });
  });
}

function PasswordForm({ onPassword }: { onPassword: (password: string) => Promise<void> }) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setRunning(true);
    try {
      await onPassword(password);
    } catch (caught) {
      setError(caught);
      setRunning(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <Text size="sm">{t('account.passwordPrompt.text')}</Text>
        <PasswordField
          label={t('account.passwordPrompt.password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          data-autofocus
          required
        />
        {error !== undefined && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={isRunning}>
            {t('account.passwordPrompt.go')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
