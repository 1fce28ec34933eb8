import { Alert, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { AlertIcon, CheckCircleIcon } from '@primer/octicons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type KeyUnder, t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { formatDateTime } from '../../../ui/format-date-time';
import { DateTimeInput } from '../../../ui/date-time-input';
import { StatTiles } from '../stat-tiles';
import { startOf, RANGES, type ReconciliationSearch } from '../search';
import { webhookQueryKey, reconcile, type Reconciliation, useWebhookKey } from '../webhook-queries';
import { CatchUp } from './catch-up';
import { UndeliveredList } from './undelivered-list';

const route = getRouteApi('/dashboard/organizations/$org/webhooks/$webhookId/reconciliation');
const OWN = 'own';
const REFRESH_MS = 5_000;

/** Shows whether a webhook received all events of a period, and replays undelivered events. */
export function ReconciliationTab() {
  const key = useWebhookKey();
  const { range, since, until } = route.useSearch();
  const navigate = route.useNavigate();
  const shown = range ?? (since ? OWN : '7d');
  const query = useQuery({
    queryKey: [...webhookQueryKey(key), 'reconciliation', shown, since, until],
    queryFn: () =>
      reconcile(key, shown === OWN ? { ...(since ? { since } : {}), ...(until ? { until } : {}) } : { since: startOf(shown) }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const choose = (next: string) =>
    void navigate({
      search: next === OWN ? { since: query.data?.since ?? startOf('7d') } : ({ range: next } as ReconciliationSearch),
    });
  return (
    <Stack gap="lg">
      <Text c="dimmed">{t('reconciliation.explained')}</Text>
      <Group align="flex-end" gap="sm">
        <SegmentedControl
          aria-label={t('reconciliation.range')}
          value={shown}
          onChange={choose}
          data={[...RANGES, OWN].map((each) => ({
            value: each,
            label: t(`reconciliation.ranges.${each as KeyUnder<'reconciliation.ranges'>}`),
          }))}
        />
        {shown === OWN && (
          <>
            <DateTimeInput
              label={t('deliveries.since')}
              value={since}
              onChange={(moment) =>
                void navigate({ search: { ...(moment ? { since: moment } : {}), ...(until ? { until } : {}) } })
              }
              w={210}
            />
            <DateTimeInput
              label={t('deliveries.until')}
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
        icon={complete ? <CheckCircleIcon size={20} /> : <AlertIcon size={20} />}
        title={
          complete
            ? t('reconciliation.complete', { matched })
            : t('reconciliation.incomplete', { open: matched - delivered, matched })
        }
      >
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{t('reconciliation.between', { since: formatDateTime(since), until: formatDateTime(until) })}</Text>
          {!complete && <CatchUp reconciliation={reconciliation} />}
        </Stack>
      </Alert>
      <StatTiles
        label={t('reconciliation.explained')}
        tiles={[
          { label: t('reconciliation.matched'), value: matched },
          { label: t('reconciliation.delivered'), value: delivered, color: 'green' },
          { label: t('reconciliation.pending'), value: pending, color: 'yellow' },
          { label: t('reconciliation.failed'), value: failed, color: 'red' },
          { label: t('reconciliation.skipped'), value: skipped, color: 'gray' },
          { label: t('reconciliation.missing'), value: missing, color: 'red' },
        ]}
      />
      {!complete && <UndeliveredList reconciliation={reconciliation} />}
    </>
  );
}
