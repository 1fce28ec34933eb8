import { Group, Paper, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { texts } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { Figures } from '../figures';
import { type Range, RANGES } from '../search';
import { statisticsQuery, useWebhookKey, webhookQuery } from '../webhook-queries';
import { AttemptsChart, ResponseTimeChart } from './statistics-charts';
import { StatisticsTable } from './statistics-table';
import { WebhookFacts } from './webhook-facts';

const words = texts.webhooks.overview;
const route = getRouteApi('/dashboard/organizations/$org/webhooks/$webhookId/');

/** How a webhook's deliveries went over time, and what it is. */
export function WebhookOverview() {
  const key = useWebhookKey();
  const { range = '24h' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: webhook } = useQuery(webhookQuery(key));
  return (
    <Stack gap="lg">
      <Group>
        <SegmentedControl
          aria-label={words.range}
          value={range}
          onChange={(next) => void navigate({ search: { range: next as Range } })}
          data={RANGES.map((each) => ({ value: each, label: words.ranges[each] }))}
        />
      </Group>
      <StatisticsPanel range={range} />
      {webhook && <WebhookFacts webhook={webhook} />}
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
      <Figures
        label={words.tilesLabel}
        figures={[
          { label: words.delivered, value: delivered, color: 'green' },
          { label: words.waiting, value: pending, color: 'yellow' },
          { label: words.gaveUp, value: failed, color: 'red' },
          { label: words.skipped, value: skipped, color: 'gray' },
          { label: words.attemptsSucceeded, value: totals.successRate === null ? '–' : texts.webhooks.share(totals.successRate) },
        ]}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Paper withBorder p="lg" component="section" aria-label={words.attempts}>
          <Title order={2} mb="sm">
            {words.attempts}
          </Title>
          <AttemptsChart buckets={buckets} interval={interval} />
        </Paper>
        <Paper withBorder p="lg" component="section" aria-label={words.responseTime}>
          <Title order={2} mb="sm">
            {words.responseTime}
          </Title>
          <ResponseTimeChart buckets={buckets} interval={interval} />
        </Paper>
      </SimpleGrid>
      <StatisticsTable buckets={buckets} interval={interval} />
      <Text size="xs" c="dimmed">
        {words.testsLeftOut}
      </Text>
    </Stack>
  );
}
