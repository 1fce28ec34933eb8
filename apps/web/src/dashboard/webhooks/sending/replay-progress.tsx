import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { type Reconciliation, webhookQueryKey, reconcile, type WebhookKey } from '../webhook-queries';
import type { ReplayOptions } from './replay';

const POLL_MS = 1_000;

interface Props {
  readonly webhookKey: WebhookKey;
  readonly options: ReplayOptions;
  readonly count: number;
  readonly onClose: () => void;
}

/** Shows the progress of a replay by the number of deliveries in the period of the replay that wait for their first attempt. */
export function ReplayProgress({ webhookKey, options: { since, until }, count, onClose }: Props) {
  const query = useQuery({
    queryKey: [...webhookQueryKey(webhookKey), 'replay-progress', since, until],
    queryFn: () => reconcile(webhookKey, { since, ...(until ? { until } : {}), limit: 1 }),
    refetchInterval: ({ state }) => (state.data && unsentOf(state.data) === 0 ? false : POLL_MS),
    staleTime: 0,
    gcTime: 0,
  });
  const unsent = query.data ? Math.min(count, unsentOf(query.data)) : count;
  const done = count - unsent;
  const isComplete = query.data !== undefined && unsent === 0;
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
        {isComplete ? resultOf(query.data) : t('deliveries.replayUnderWay')}
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

const unsentOf = ({ pending, retrying }: Reconciliation): number => pending - retrying;

function resultOf({ failed, retrying }: Reconciliation): string {
  if (retrying > 0) return t('deliveries.replayRetrying', { retrying });
  return failed === 0 ? t('deliveries.replayDone') : t('deliveries.replayFailed', { failed });
}
