import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../../api/client';
import { texts } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { notifySuccess } from '../../../ui/notify';
import { aboutWebhook, aboutWebhooks, updateWebhook, useWebhookKey, type Webhook } from '../webhook-queries';

const words = texts.webhooks.settings;

/** Switches a webhook off or on, and deletes it. */
export function DangerZone({ webhook }: { webhook: Webhook }) {
  const key = useWebhookKey();
  const client = useQueryClient();
  const navigate = useNavigate();
  const enable = async (enabled: boolean) => {
    await updateWebhook(key, { enabled });
    await client.invalidateQueries({ queryKey: aboutWebhooks(key.org) });
    notifySuccess(enabled ? texts.webhooks.banner.enabled : words.switchedOff);
  };
  const remove = async () => {
    await answerOf(api.DELETE('/v1/organizations/{org}/webhooks/{id}', { params: { path: key } }));
    await navigate({ to: '/dashboard/organizations/$org/webhooks', params: { org: key.org } });
    client.removeQueries({ queryKey: aboutWebhook(key) });
    await client.invalidateQueries({ queryKey: aboutWebhooks(key.org) });
    notifySuccess(words.deleted);
  };
  const askToSwitch = () =>
    confirm({
      title: webhook.enabled ? words.switchOff : words.switchOn,
      consequences: webhook.enabled ? words.offConsequences : words.onConsequences,
      confirmLabel: webhook.enabled ? words.switchOff : words.switchOn,
      action: () => enable(!webhook.enabled),
    });
  const askToDelete = () =>
    confirm({
      title: words.deleteConfirm(webhook.name),
      consequences: words.deleteConsequences,
      confirmLabel: words.deleteButton,
      typeToConfirm: webhook.name,
      isDangerous: true,
      action: remove,
    });
  return (
    <Paper withBorder p="lg">
      <Stack gap="lg">
        <Row title={words.switchTitle} text={webhook.enabled ? words.onNow : words.offNow}>
          <Button variant="default" onClick={askToSwitch}>
            {webhook.enabled ? words.switchOff : words.switchOn}
          </Button>
        </Row>
        <Row title={words.deleteTitle} text={words.deleteExplained}>
          <Button color="red" variant="outline" onClick={askToDelete}>
            {words.deleteButton}
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
