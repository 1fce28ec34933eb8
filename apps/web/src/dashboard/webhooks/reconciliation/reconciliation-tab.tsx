import { Alert, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { texts } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { exactTime } from '../../../ui/moment';
import { TimeField } from '../../../ui/time-field';
import { Figures } from '../figures';
import { beginOf, RANGES, type ReconciliationSearch } from '../search';
import { aboutWebhook, reconcile, type Reconciliation, useWebhookKey } from '../webhook-queries';
import { CatchUp } from './catch-up';
import { UndeliveredList } from './undelivered-list';

const words = texts.reconciliation;
const route = getRouteApi('/dashboard/organizations/$org/webhooks/$webhookId/reconciliation');
const OWN = 'own';
const REFRESH_MS = 5_000;

/** Whether a webhook got all events of a time, and the way to what is missing. */
export function ReconciliationTab() {
  const key = useWebhookKey();
  const { range, since, until } = route.useSearch();
  const navigate = route.useNavigate();
  const shown = range ?? (since ? OWN : '7d');
  const query = useQuery({
    queryKey: [...aboutWebhook(key), 'reconciliation', shown, since, until],
    queryFn: () =>
      reconcile(key, shown === OWN ? { ...(since ? { since } : {}), ...(until ? { until } : {}) } : { since: beginOf(shown) }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const choose = (next: string) =>
    void navigate({
      search: next === OWN ? { since: query.data?.since ?? beginOf('7d') } : ({ range: next } as ReconciliationSearch),
    });
  return (
    <Stack gap="lg">
      <Text c="dimmed">{words.explained}</Text>
      <Group align="flex-end" gap="sm">
        <SegmentedControl
          aria-label={words.range}
          value={shown}
          onChange={choose}
          data={[...RANGES, OWN].map((each) => ({ value: each, label: words.ranges[each as keyof typeof words.ranges] }))}
        />
        {shown === OWN && (
          <>
            <TimeField
              label={texts.deliveries.since}
              value={since}
              onChange={(moment) =>
                void navigate({ search: { ...(moment ? { since: moment } : {}), ...(until ? { until } : {}) } })
              }
              w={210}
            />
            <TimeField
              label={texts.deliveries.until}
              value={until}
              onChange={(moment) =>
                void navigate({ search: { ...(since ? { since } : {}), ...(moment ? { until: moment } : {}) } })
              }
              w={210}
            />
          </>
        )}
      </Group>
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton h={240} />}
      {query.data && !query.error && <Result reconciliation={query.data} />}
    </Stack>
  );
}

function Result({ reconciliation }: { reconciliation: Reconciliation }) {
  const { complete, matched, delivered, pending, failed, skipped, missing, since, until } = reconciliation;
  return (
    <>
      <Alert
        color={complete ? 'green' : 'red'}
        icon={complete ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        title={complete ? words.complete(matched) : words.incomplete(matched - delivered, matched)}
      >
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{words.between(exactTime(since), exactTime(until))}</Text>
          {!complete && <CatchUp reconciliation={reconciliation} />}
        </Stack>
      </Alert>
      <Figures
        label={words.explained}
        figures={[
          { label: words.matched, value: matched },
          { label: words.delivered, value: delivered, color: 'green' },
          { label: words.pending, value: pending, color: 'yellow' },
          { label: words.failed, value: failed, color: 'red' },
          { label: words.skipped, value: skipped, color: 'gray' },
          { label: words.missing, value: missing, color: 'red' },
        ]}
      />
      {!complete && <UndeliveredList reconciliation={reconciliation} />}
    </>
  );
}
