import { Stack, Text } from '@mantine/core';
import { api, type Schema, unwrap } from '../../../api/client';
import { queryClient } from '../../../app/query-client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { RelativeTime } from '../../../ui/relative-time';
import { notifySuccess } from '../../../ui/notify';

/** Revokes a key after the user typed the name of the key. */
export function confirmRevocation(org: string, { id, name, lastUsedAt }: Schema<'ApiKeyResponse'>): void {
  confirm({
    title: t('apiKeys.revokeTitle', { name }),
    consequences: (
      <Stack gap="xs">
        <Text size="sm">{t('apiKeys.revokeConsequences')}</Text>
        {lastUsedAt && (
          <Text size="sm" fw={600} component="div">
            {t('apiKeys.lastUsedWarning')} <RelativeTime at={lastUsedAt} />.
          </Text>
        )}
      </Stack>
    ),
    confirmLabel: t('apiKeys.revoke'),
    typeToConfirm: name,
    isDangerous: true,
    action: async () => {
      await unwrap(api.DELETE('/v1/organizations/{org}/api-keys/{id}', { params: { path: { org, id } } }));
      await queryClient.invalidateQueries({ queryKey: ['api-keys', org] });
      notifySuccess(t('apiKeys.revoked', { name }));
    },
  });
}
