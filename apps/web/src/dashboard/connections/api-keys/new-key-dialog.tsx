import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { AlertIcon } from '@primer/octicons-react';
import { baseUrl } from '../../../api/base-url';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { covers } from '../../permissions';

/** Paths for a test request, with the required scope. */
const TEST_PATHS: readonly [permission: string, path: string][] = [
  ['organizations:read', ''],
  ['users:read', '/users'],
  ['members:read', '/members'],
  ['roles:read', '/roles'],
  ['webhooks:read', '/webhooks'],
  ['events:read', '/events'],
  ['api_keys:read', '/api-keys'],
];

/** Shows a new key once. The page does not store the key. */
export function showNewKey(org: string, { key, scopes }: Schema<'CreatedApiKeyResponse'>): void {
  const path = TEST_PATHS.find(([permission]) => covers(scopes, permission))?.[1];
  const curl = path !== undefined && `curl -H 'Authorization: Bearer ${key}' ${baseUrl}/v1/organizations/${org}${path}`;
  const modalId = modals.open({
    title: t('apiKeys.shownTitle'),
    size: 'lg',
    // The key is shown only once, so only the button closes the dialog.
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: (
      <Stack>
        <Alert color="yellow" icon={<AlertIcon size={20} />}>
          {t('apiKeys.shownOnce')}
        </Alert>
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {t('apiKeys.theKey')}
          </Text>
          <CopyField value={key} label={t('apiKeys.theKey')} />
        </Stack>
        {curl && (
          <Stack gap={4}>
            <Text size="sm" fw={600}>
              {t('apiKeys.tryIt')}
            </Text>
            <CopyField value={curl} label={t('apiKeys.curl')} />
          </Stack>
        )}
        <Group justify="flex-end">
          <Button onClick={() => modals.close(modalId)}>{t('apiKeys.kept')}</Button>
        </Group>
      </Stack>
    ),
  });
}
