import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { AlertIcon } from '@primer/octicons-react';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import type { ScimConnection } from './scim-queries';

/** Shows a new token once. The page does not store the token. */
export function showNewScimToken({ name }: ScimConnection, token: string): void {
  const modalId = modals.open({
    title: t('scim.token.shownTitle'),
    size: 'lg',
    // The token is shown only once, so only the button closes the dialog.
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: (
      <Stack>
        <Alert color="yellow" icon={<AlertIcon size={20} />}>
          {t('scim.token.shownOnce', { name })}
        </Alert>
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {t('scim.token.theToken')}
          </Text>
          <CopyField value={token} label={t('scim.token.theToken')} />
        </Stack>
        <Group justify="flex-end">
          <Button onClick={() => modals.close(modalId)}>{t('scim.token.kept')}</Button>
        </Group>
      </Stack>
    ),
  });
}
