import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { CopyField } from './copy-field';
import { dialogs } from './dialogs';

interface CopyableText {
  readonly label: string;
  /** The label of the copy button. Default: the label. */
  readonly copyLabel?: string;
  readonly value: string;
}

interface NewSecret {
  readonly title: string;
  readonly warning: string;
  readonly secret: CopyableText;
  /** A command that uses the secret. */
  readonly command?: CopyableText;
  readonly confirmLabel: string;
}

/** Shows a new secret once. The page does not store the secret. */
export function showNewSecret({ title, warning, secret, command, confirmLabel }: NewSecret): void {
  const dialogId = dialogs.open({
    title,
    size: 'lg',
    // The secret is shown only once, so only the button closes the dialog.
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: (
      <Stack>
        <Alert color="yellow" icon={<AlertIcon size={20} />}>
          {warning}
        </Alert>
        <LabeledText {...secret} />
        {command && <LabeledText {...command} />}
        <Group justify="flex-end">
          <Button onClick={() => dialogs.close(dialogId)}>{confirmLabel}</Button>
        </Group>
      </Stack>
    ),
  });
}

function LabeledText({ label, copyLabel = label, value }: CopyableText) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <CopyField value={value} label={copyLabel} />
    </Stack>
  );
}
