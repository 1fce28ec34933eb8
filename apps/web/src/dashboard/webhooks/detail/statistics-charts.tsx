import { BarChart, LineChart } from '@mantine/charts';
import { Box, Center, Text } from '@mantine/core';
import { formatDate, t } from '../../../texts';
import type { Statistics } from '../webhook-queries';

const HEIGHT = 240;
/** A chart takes a moment to follow a narrower screen. */
const CLIPPED = { overflow: 'hidden' } as const;
const BUCKETS_OF_A_DAY = 25;

interface Props {
  readonly buckets: Statistics['buckets'];
  readonly interval: Statistics['interval'];
}

const HOUR = { hour: '2-digit', minute: '2-digit', hour12: false } as const;
const HOUR_OF_DAY = { month: 'short', day: 'numeric', ...HOUR } as const;
const DAY = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;

/** In milliseconds, or seconds from one on. */
const shortTime = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`);

/** A response time, or a dash when nothing was measured. */
export const milliseconds = (value: number | null): string =>
  value === null ? '–' : t('webhooks.overview.milliseconds', { value });

/** How an interval is named: hours by the device's clock, days in UTC, as they are counted. */
export function intervalName(start: string, interval: Props['interval'], isShort: boolean): string {
  return formatDate(new Date(start), interval === 'day' ? DAY : isShort ? HOUR : HOUR_OF_DAY);
}

/** Attempts over time: those that succeeded, and those that failed on top of them. */
export function AttemptsChart({ buckets, interval }: Props) {
  const succeeded = buckets.reduce((sum, bucket) => sum + bucket.succeeded, 0);
  const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
  if (succeeded + failed === 0) return <Nothing />;
  const isShort = buckets.length <= BUCKETS_OF_A_DAY;
  return (
    <Box role="img" style={CLIPPED} aria-label={t('webhooks.overview.summary', { succeeded, failed })}>
      <BarChart
        h={HEIGHT}
        data={buckets.map((bucket) => ({ ...bucket, time: intervalName(bucket.start, interval, isShort) }))}
        dataKey="time"
        type="stacked"
        series={[
          { name: 'succeeded', label: t('webhooks.overview.succeeded'), color: 'teal.6' },
          { name: 'failed', label: t('webhooks.overview.failed'), color: 'red.6' },
        ]}
        withLegend
        tickLine="none"
        xAxisProps={{ minTickGap: 24 }}
        yAxisProps={{ allowDecimals: false, width: 40 }}
        barChartProps={{ barCategoryGap: '15%', accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
      />
    </Box>
  );
}

/** How long the receiver took over time: half of the attempts, and all but the slowest. */
export function ResponseTimeChart({ buckets, interval }: Props) {
  const measured = buckets.filter(({ responseTime }) => responseTime.p50 !== null);
  if (measured.length === 0) return <Nothing />;
  const isShort = buckets.length <= BUCKETS_OF_A_DAY;
  const slowest = measured.reduce((slower, bucket) =>
    (bucket.responseTime.p95 ?? 0) > (slower.responseTime.p95 ?? 0) ? bucket : slower,
  );
  const summary = `${t('webhooks.overview.p95')}: ${milliseconds(slowest.responseTime.p95)} (${intervalName(slowest.start, interval, false)})`;
  return (
    <Box role="img" style={CLIPPED} aria-label={summary}>
      <LineChart
        h={HEIGHT}
        data={buckets.map(({ start, responseTime: { p50, p95 } }) => ({
          p50,
          p95,
          time: intervalName(start, interval, isShort),
        }))}
        dataKey="time"
        series={[
          { name: 'p50', label: t('webhooks.overview.p50'), color: 'indigo.6' },
          { name: 'p95', label: t('webhooks.overview.p95'), color: 'orange.6', strokeDasharray: '5 4' },
        ]}
        withLegend
        withDots={measured.length === 1}
        connectNulls
        curveType="linear"
        tickLine="none"
        valueFormatter={shortTime}
        xAxisProps={{ minTickGap: 24 }}
        yAxisProps={{ width: 56 }}
        lineChartProps={{ accessibilityLayer: false }}
        lineProps={{ isAnimationActive: false }}
      />
    </Box>
  );
}

function Nothing() {
  return (
    <Center h={HEIGHT}>
      <Text c="dimmed">{t('webhooks.overview.nothingYet')}</Text>
    </Center>
  );
}
