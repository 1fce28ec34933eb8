import { Alert, Button, Stack, Text } from '@mantine/core';
import { ClockIcon, RedoIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { backlogQuery, type Webhook, webhookQueryKey, type WebhookKey } from '../webhook-queries';
import { replay, type ReplayOptions } from './replay';
import { ReplayProgress } from './replay-progress';
import { dialogs } from '../../../ui/dialogs';

interface Props {
  readonly webhookKey: WebhookKey;
  readonly webhook: Webhook;
  readonly mb?: string;
}

/** Offers to send the deliveries now that wait for a retry, for example after the receiver was repaired. Shows nothing if none waits. */
export function WaitingDeliveries({ webhookKey, webhook, mb }: Props) {
  const { data: backlog } = useQuery(backlogQuery(webhookKey));
  if (!webhook.enabled || !backlog || backlog.retrying === 0) return null;
  return (
    <Alert
      color="yellow"
      icon={<ClockIcon size={20} />}
      title={t('deliveries.waiting.title', { count: backlog.retrying })}
      mb={mb}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('deliveries.waiting.why')}</Text>
        <SendNow webhookKey={webhookKey} since={backlog.since} count={backlog.retrying} />
      </Stack>
    </Alert>
  );
}

function SendNow({ webhookKey, since, count }: { webhookKey: WebhookKey; since: string; count: number }) {
  const send = useApiMutation({
    mutationFn: async () => {
      const options: ReplayOptions = { since, until: new Date().toISOString(), choice: 'pending', eventTypes: [] };
      return { options, sent: await replay(webhookKey, options, false) };
    },
    invalidates: [webhookQueryKey(webhookKey)],
    onSuccess: ({ options, sent }) => {
      const dialogId = dialogs.open({
        title: t('deliveries.waiting.progress'),
        children: (
          <ReplayProgress webhookKey={webhookKey} options={options} count={sent} onClose={() => dialogs.close(dialogId)} />
        ),
      });
    },
  });
  return (
    <>
      <Button size="xs" leftSection={<RedoIcon size={16} />} loading={send.isPending} onClick={() => send.mutate(undefined)}>
        {t('deliveries.waiting.send', { count })}
      </Button>
      {send.error && <ErrorNotice error={send.error} />}
    </>
  );
}
