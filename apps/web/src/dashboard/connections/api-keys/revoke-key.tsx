import { Stack, Text } from '@mantine/core';
import { answerOf, api, type Schema } from '../../../api/client';
import { queryClient } from '../../../app/query-client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { Moment } from '../../../ui/moment';
import { notifySuccess } from '../../../ui/notify';

/** Revokes a key. The user must type its name. */
export function askToRevoke(org: string, { id, name, lastUsedAt }: Schema<'ApiKeyResponse'>): void {
  confirm({
    title: t('apiKeys.revokeTitle', { name }),
    consequences: (
      <Stack gap="xs">
        <Text size="sm">{t('apiKeys.revokeConsequences')}</Text>
        {lastUsedAt && (
          <Text size="sm" fw={600} component="div">
            {t('apiKeys.lastUsedWarning')} <Moment at={lastUsedAt} />.
          </Text>
        )}
      </Stack>
    ),
    confirmLabel: t('apiKeys.revoke'),
    typeToConfirm: name,
    isDangerous: true,
    action: async () => {
      await answerOf(api.DELETE('/v1/organizations/{org}/api-keys/{id}', { params: { path: { org, id } } }));
      await queryClient.invalidateQueries({ queryKey: ['api-keys', org] });
      notifySuccess(t('apiKeys.revoked', { name }));
    },
  });
}
