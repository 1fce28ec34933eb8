import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { webhookQueryKey, reconcile, type WebhookKey } from '../webhook-queries';
import type { ReplayOptions } from './replay';

const POLL_MS = 1_000;

interface Props {
  readonly webhookKey: WebhookKey;
  readonly options: ReplayOptions;
  readonly count: number;
  readonly onClose: () => void;
}

/** Shows the progress of a replay by the number of pending deliveries in the period of the replay. */
export function ReplayProgress({ webhookKey, options: { since, until }, count, onClose }: Props) {
  const query = useQuery({
    queryKey: [...webhookQueryKey(webhookKey), 'replay-progress', since, until],
    queryFn: () => reconcile(webhookKey, { since, ...(until ? { until } : {}), limit: 1 }),
    refetchInterval: ({ state }) => (state.data?.pending === 0 ? false : POLL_MS),
    staleTime: 0,
    gcTime: 0,
  });
  const pending = Math.min(count, query.data?.pending ?? count);
  const done = count - pending;
  const isComplete = query.data !== undefined && pending === 0;
  return (
    <Stack>
      <Text fw={600} aria-live="polite">
        {t('deliveries.replayProgress', { done, total: count })}
      </Text>
      <Progress
        value={count === 0 ? 100 : (done / count) * 100}
        animated={!isComplete}
        size="lg"
        aria-label={t('deliveries.replayTitle')}
      />
      <Text size="sm" c="dimmed">
        {!isComplete
          ? t('deliveries.replayUnderWay')
          : query.data.failed === 0
            ? t('deliveries.replayDone')
            : t('deliveries.replayFailed', { failed: query.data.failed })}
      </Text>
      {query.error && <ErrorNotice error={query.error} />}
      <Group justify="flex-end">
        <Button onClick={onClose} variant={isComplete ? 'filled' : 'default'}>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  );
}
