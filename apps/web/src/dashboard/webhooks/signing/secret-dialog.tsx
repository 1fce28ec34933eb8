import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { KeyIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { formatDateTime } from '../../../ui/format-date-time';
import { dialogs } from '../../../ui/dialogs';

interface Props {
  readonly text: ReactNode;
  readonly secrets: readonly { readonly label: string; readonly secret: string }[];
  readonly onDone: () => void;
}

/** The content of a dialog that shows secrets once, with copy buttons. */
export function SecretDialogContent({ text, secrets, onDone }: Props) {
  return (
    <Stack>
      <Alert icon={<KeyIcon size={20} />}>{text}</Alert>
      {secrets.map(({ label, secret }) => (
        <div key={label}>
          <Text size="sm" fw={600}>
            {label}
          </Text>
          <CopyField value={secret} label={label} />
        </div>
      ))}
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {t('webhookForm.createdDone')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Opens a dialog that shows the secrets of a webhook. */
export function showSecrets(
  title: string,
  text: string,
  { secret, nextSecret, activatesAt }: Schema<'WebhookSecretResponse'>,
): void {
  const next =
    nextSecret === null || activatesAt === null
      ? []
      : [{ label: t('webhookSigning.next', { time: formatDateTime(activatesAt) }), secret: nextSecret }];
  const dialogId = dialogs.open({
    title,
    size: 'lg',
    closeOnClickOutside: false,
    withCloseButton: false,
    children: (
      <SecretDialogContent
        text={text}
        secrets={[{ label: t('webhookSigning.current'), secret }, ...next]}
        onDone={() => dialogs.close(dialogId)}
      />
    ),
  });
}
