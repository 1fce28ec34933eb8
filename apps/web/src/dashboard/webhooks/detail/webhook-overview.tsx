import { Group, Paper, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { StatTiles } from '../stat-tiles';
import { type Range, RANGES } from '../search';
import { formatPercentage } from '../list/success-rate';
import { statisticsQuery, useWebhookKey, webhookQuery } from '../webhook-queries';
import { AttemptsChart, ResponseTimeChart } from './statistics-charts';
import { StatisticsTable } from './statistics-table';
import { WebhookDetailsCard } from './webhook-details-card';

const route = getRouteApi('/dashboard/organizations/$org/webhooks/$webhookId/');

export function WebhookOverview() {
  const key = useWebhookKey();
  const { range = '24h' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: webhook } = useQuery(webhookQuery(key));
  const { isPending } = useQuery(statisticsQuery(key, range));
  return (
    <Stack gap="lg">
      <Group>
        <SegmentedControl
          aria-label={t('webhooks.overview.range')}
          value={range}
          onChange={(next) => void navigate({ search: { range: next } })}
          data={RANGES.map((each) => ({ value: each, label: t(`webhooks.overview.ranges.${each}`) }))}
        />
      </Group>
      <StatisticsPanel range={range} />
      {/* After the statistics, whose height is not known before. */}
      {webhook && !isPending && <WebhookDetailsCard webhook={webhook} />}
    </Stack>
  );
}

function StatisticsPanel({ range }: { range: Range }) {
  const query = useQuery(statisticsQuery(useWebhookKey(), range));
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton h={360} />;
  const { totals, buckets, interval } = query.data;
  const { delivered, pending, failed, skipped } = totals.deliveries;
  return (
    <Stack gap="lg" aria-busy={query.isPlaceholderData}>
      <StatTiles
        label={t('webhooks.overview.tilesLabel')}
        tiles={[
          { label: t('webhooks.overview.delivered'), value: delivered, color: 'green' },
          { label: t('webhooks.overview.waiting'), value: pending, color: 'yellow' },
          { label: t('webhooks.overview.gaveUp'), value: failed, color: 'red' },
          { label: t('webhooks.overview.skipped'), value: skipped, color: 'gray' },
          {
            label: t('webhooks.overview.attemptsSucceeded'),
            value: totals.successRate === null ? '–' : formatPercentage(totals.successRate),
          },
        ]}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Paper withBorder p="lg" component="section" aria-label={t('webhooks.overview.attempts')}>
          <Title order={2} mb="sm">
            {t('webhooks.overview.attempts')}
          </Title>
          <AttemptsChart buckets={buckets} interval={interval} />
        </Paper>
        <Paper withBorder p="lg" component="section" aria-label={t('webhooks.overview.responseTime')}>
          <Title order={2} mb="sm">
            {t('webhooks.overview.responseTime')}
          </Title>
          <ResponseTimeChart buckets={buckets} interval={interval} />
        </Paper>
      </SimpleGrid>
      <StatisticsTable buckets={buckets} interval={interval} />
      <Text size="xs" c="dimmed">
        {t('webhooks.overview.testsLeftOut')}
      </Text>
    </Stack>
  );
}
