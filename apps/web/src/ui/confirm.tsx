import { Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../texts';
import { DialogButtons } from './dialog-buttons';
import { ErrorNotice } from './error-notice';
import { dialogs } from './dialogs';

interface Confirmation {
  readonly title: string;
  /** The effect of the action, and whether the user can undo it. */
  readonly consequences: ReactNode;
  readonly confirmLabel: string;
  /** A text that the user must type first, for actions that can't be undone. */
  readonly typeToConfirm?: string;
  readonly isDangerous?: boolean;
  /** Runs on confirmation. When the action throws, the dialog stays open and shows the error. */
  readonly action: () => Promise<unknown>;
}

export function confirm(confirmation: Confirmation): void {
  const dialogId = dialogs.open({
    title: confirmation.title,
    isDisposable: confirmation.typeToConfirm !== undefined,
    children: <ConfirmationForm {...confirmation} onDone={() => dialogs.close(dialogId)} />,
  });
}

function ConfirmationForm({
  consequences,
  confirmLabel,
  typeToConfirm,
  isDangerous,
  action,
  onDone,
}: Confirmation & { onDone: () => void }) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const run = async (event: FormEvent) => {
    event.preventDefault();
    setRunning(true);
    setError(undefined);
    try {
      await action();
      onDone();
    } catch (caught) {
      setError(caught);
      setRunning(false);
    }
  };
  return (
    <form onSubmit={(event) => void run(event)}>
      <Stack>
        <Text component="div" size="sm">
          {consequences}
        </Text>
        {typeToConfirm !== undefined && (
          <TextInput
            label={t('common.typeToConfirm', { word: typeToConfirm })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {error !== undefined && <ErrorNotice error={error} />}
        <DialogButtons
          submitLabel={confirmLabel}
          isPending={isRunning}
          isDisabled={typeToConfirm !== undefined && typed !== typeToConfirm}
          isDangerous={isDangerous}
          onCancel={onDone}
        />
      </Stack>
    </form>
  );
}
