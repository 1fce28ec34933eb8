import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { EyeIcon, SyncIcon } from '@primer/octicons-react';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useHasPermission } from '../../permissions';
import { useWebhookKey, type Webhook } from '../webhook-queries';
import { openRotationDialog } from './rotation-dialog';
import { showSecrets } from './secret-dialog';

/** Shows the masked secret, with buttons to reveal or rotate the secret. */
export function SecretCard({ webhook }: { webhook: Webhook }) {
  const key = useWebhookKey();
  const canWrite = useHasPermission('webhooks:write');
  // A mutation, because the cache of a query would keep the secret.
  const reveal = useApiMutation({
    mutationFn: async () =>
      (await unwrap(api.GET('/v1/organizations/{org}/webhooks/{id}/secret', { params: { path: key } }))).data,
    invalidates: [],
    onSuccess: (secrets) => {
      showSecrets(t('webhookSigning.revealTitle'), t('webhookSigning.revealWarning'), secrets);
      reveal.reset();
    },
  });
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('webhookSigning.secretTitle')}>
      <Group justify="space-between" align="flex-start">
        <Stack gap="xs" maw={560}>
          <Title order={2}>{t('webhookSigning.secretTitle')}</Title>
          <Text size="sm" c="dimmed">
            {t('webhookSigning.secretExplained')}
          </Text>
          <Text size="sm">
            {t('webhookSigning.masked')}: <Code>{webhook.secret}</Code>
          </Text>
        </Stack>
        {canWrite && (
          <Group gap="sm">
            <Button
              variant="default"
              leftSection={<EyeIcon size={16} />}
              loading={reveal.isPending}
              onClick={() => reveal.mutate(undefined)}
            >
              {t('webhookSigning.reveal')}
            </Button>
            <Button variant="default" leftSection={<SyncIcon size={16} />} onClick={() => openRotationDialog(key)}>
              {t('webhookSigning.rotate')}
            </Button>
          </Group>
        )}
      </Group>
      {reveal.error && <ErrorNotice error={reveal.error} />}
    </Paper>
  );
}
