import { Stack, Text } from '@mantine/core';
import { answerOf, api, type Schema } from '../../../api/client';
import { queryClient } from '../../../app/query-client';
import { texts } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { Moment } from '../../../ui/moment';
import { notifySuccess } from '../../../ui/notify';

const words = texts.apiKeys;

/** Ends a key for good, after its name was typed. */
export function askToRevoke(org: string, { id, name, lastUsedAt }: Schema<'ApiKeyResponse'>): void {
  confirm({
    title: words.revokeTitle(name),
    consequences: (
      <Stack gap="xs">
        <Text size="sm">{words.revokeConsequences}</Text>
        {lastUsedAt && (
          <Text size="sm" fw={600} component="div">
            {words.lastUsedWarning} <Moment at={lastUsedAt} />.
          </Text>
        )}
      </Stack>
    ),
    confirmLabel: words.revoke,
    typeToConfirm: name,
    isDangerous: true,
    action: async () => {
      await answerOf(api.DELETE('/v1/organizations/{org}/api-keys/{id}', { params: { path: { org, id } } }));
      await queryClient.invalidateQueries({ queryKey: ['api-keys', org] });
      notifySuccess(words.revoked(name));
    },
  });
}
