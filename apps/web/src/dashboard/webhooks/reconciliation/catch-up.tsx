import { Button, Stack, Text } from '@mantine/core';
import { RedoIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { formatDateTime } from '../../../ui/format-date-time';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useHasPermission } from '../../permissions';
import { adviceFor } from '../delivery/advice';
import { replay, type ReplayOptions } from '../sending/replay';
import { ReplayProgress } from '../sending/replay-progress';
import { type Reconciliation, useWebhookKey, type Webhook, webhookQuery, webhookQueryKey } from '../webhook-queries';
import { dialogs } from '../../../ui/dialogs';

/** Replays failed, skipped and missing deliveries. The button shows the number of deliveries. */
export function CatchUp({ reconciliation: { since, until, failed, skipped, missing } }: { reconciliation: Reconciliation }) {
  const key = useWebhookKey();
  const { data: webhook } = useQuery(webhookQuery(key));
  const canWrite = useHasPermission('webhooks:write');
  const count = failed + skipped + missing;
  const options: ReplayOptions = {
    since,
    until,
    eventTypes: [],
    choice: failed === 0 ? 'missed' : count === failed ? 'failed' : 'both',
  };
  const change = useApiMutation({
    mutationFn: () => replay(key, options, false),
    invalidates: [webhookQueryKey(key)],
    onSuccess: (sent) => {
      const dialogId = dialogs.open({
        title: t('reconciliation.catchUpTitle'),
        children: <ReplayProgress webhookKey={key} options={options} count={sent} onClose={() => dialogs.close(dialogId)} />,
      });
    },
  });
  if (!webhook) return null;
  if (count === 0) return <StillPending webhook={webhook} />;
  if (!canWrite) return null;
  if (!webhook.enabled) return <Text size="sm">{t('reconciliation.catchUpWhileDisabled')}</Text>;
  return (
    <>
      <Button leftSection={<RedoIcon size={16} />} loading={change.isPending} onClick={() => change.mutate(undefined)}>
        {t('reconciliation.catchUp', { number: count })}
      </Button>
      {change.error && <ErrorNotice error={change.error} />}
    </>
  );
}

/** Says whether undelivered events need an action: what the receiver answers since when, and what to do. */
function StillPending({ webhook: { enabled, metadata } }: { webhook: Webhook }) {
  const { failureCount, failingSince, lastFailure } = metadata;
  if (!enabled) return <Text size="sm">{t('reconciliation.pendingWhileDisabled')}</Text>;
  if (failureCount === 0 || !lastFailure) return <Text size="sm">{t('reconciliation.nothingToCatchUp')}</Text>;
  const { title, advice } = adviceFor(lastFailure);
  const { responseCode } = lastFailure;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {title}
        {responseCode !== null && ` (${t('reconciliation.responds', { code: responseCode })})`}
      </Text>
      <Text size="sm">
        {failingSince
          ? t('reconciliation.failingSince', { since: formatDateTime(failingSince), failures: failureCount })
          : t('reconciliation.failing', { failures: failureCount })}
      </Text>
      <Text size="sm">
        {advice} {t('reconciliation.afterRepair')}
      </Text>
    </Stack>
  );
}
