import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { notifySuccess } from '../../../ui/notify';
import { webhookQueryKey, webhooksQueryKey, updateWebhook, useWebhookKey, type Webhook } from '../webhook-queries';

/** Enables, disables or deletes a webhook. */
export function DangerZone({ webhook }: { webhook: Webhook }) {
  const key = useWebhookKey();
  const client = useQueryClient();
  const navigate = useNavigate();
  const enable = async (enabled: boolean) => {
    await updateWebhook(key, { enabled });
    await client.invalidateQueries({ queryKey: webhooksQueryKey(key.org) });
    notifySuccess(enabled ? t('webhooks.banner.enabled') : t('webhooks.settings.disabled'));
  };
  const remove = async () => {
    await unwrap(api.DELETE('/v1/organizations/{org}/webhooks/{id}', { params: { path: key } }));
    await navigate({ to: '/dashboard/organizations/$org/webhooks', params: { org: key.org } });
    client.removeQueries({ queryKey: webhookQueryKey(key) });
    await client.invalidateQueries({ queryKey: webhooksQueryKey(key.org) });
    notifySuccess(t('webhooks.settings.deleted'));
  };
  const confirmToggle = () =>
    confirm({
      title: webhook.enabled ? t('webhooks.settings.disable') : t('webhooks.settings.enable'),
      consequences: webhook.enabled ? t('webhooks.settings.disableConsequences') : t('webhooks.settings.enableConsequences'),
      confirmLabel: webhook.enabled ? t('webhooks.settings.disable') : t('webhooks.settings.enable'),
      action: () => enable(!webhook.enabled),
    });
  const confirmDelete = () =>
    confirm({
      title: t('webhooks.settings.deleteConfirm', { name: webhook.name }),
      consequences: t('webhooks.settings.deleteConsequences'),
      confirmLabel: t('webhooks.settings.deleteButton'),
      typeToConfirm: webhook.name,
      isDangerous: true,
      action: remove,
    });
  return (
    <Paper withBorder p="lg">
      <Stack gap="lg">
        <Row
          title={t('webhooks.settings.statusTitle')}
          text={webhook.enabled ? t('webhooks.settings.enabledNow') : t('webhooks.settings.disabledNow')}
        >
          <Button variant="default" onClick={confirmToggle}>
            {webhook.enabled ? t('webhooks.settings.disable') : t('webhooks.settings.enable')}
          </Button>
        </Row>
        <Row title={t('webhooks.settings.deleteTitle')} text={t('webhooks.settings.deleteExplained')}>
          <Button color="red" variant="outline" onClick={confirmDelete}>
            {t('webhooks.settings.deleteButton')}
          </Button>
        </Row>
      </Stack>
    </Paper>
  );
}

function Row({ title, text, children }: { title: string; text: string; children: React.ReactNode }) {
  return (
    <Group justify="space-between" align="flex-start" component="section" aria-label={title}>
      <div>
        <Title order={2} size="h3">
          {title}
        </Title>
        <Text size="sm" c="dimmed" maw={520}>
          {text}
        </Text>
      </div>
      {children}
    </Group>
  );
}
