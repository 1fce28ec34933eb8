import { Box, Center, Text, useMantineTheme } from '@mantine/core';
import { Bar, Line } from 'react-chartjs-2';
import { formatDate, t } from '../../../texts';
import type { Statistics } from '../webhook-queries';
import { useChartOptions } from './chart-options';

const HEIGHT = 240;
const BUCKETS_PER_DAY_MAX = 25;

interface Props {
  readonly buckets: Statistics['buckets'];
  readonly interval: Statistics['interval'];
}

const HOUR = { hour: '2-digit', minute: '2-digit', hour12: false } as const;
const HOUR_OF_DAY = { month: 'short', day: 'numeric', ...HOUR } as const;
const DAY = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;

/** Formats a duration in milliseconds, or in seconds for at least one second. */
const shortTime = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`);

/** Formats a response time, or a dash without measurements. */
export const milliseconds = (value: number | null): string =>
  value === null ? '–' : t('webhooks.overview.milliseconds', { value });

/** Formats an interval: hours in the time zone of the device, days in UTC like the API. */
export function intervalName(start: string, interval: Props['interval'], isShort: boolean): string {
  return formatDate(new Date(start), interval === 'day' ? DAY : isShort ? HOUR : HOUR_OF_DAY);
}

function intervalNames({ buckets, interval }: Props): string[] {
  return buckets.map(({ start }) => intervalName(start, interval, buckets.length <= BUCKETS_PER_DAY_MAX));
}

export function AttemptsChart({ buckets, interval }: Props) {
  const { colors } = useMantineTheme();
  const options = useChartOptions({ isStacked: true });
  const succeeded = buckets.reduce((sum, bucket) => sum + bucket.succeeded, 0);
  const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
  if (succeeded + failed === 0) return <NoData />;
  const datasets = [
    {
      label: t('webhooks.overview.succeeded'),
      data: buckets.map((bucket) => bucket.succeeded),
      backgroundColor: colors.teal[6],
    },
    { label: t('webhooks.overview.failed'), data: buckets.map((bucket) => bucket.failed), backgroundColor: colors.red[6] },
  ];
  return (
    <Box h={HEIGHT} pos="relative">
      <Bar
        aria-label={t('webhooks.overview.summary', { succeeded, failed })}
        data={{ labels: intervalNames({ buckets, interval }), datasets }}
        options={options}
      />
    </Box>
  );
}

export function ResponseTimeChart({ buckets, interval }: Props) {
  const { colors } = useMantineTheme();
  const options = useChartOptions({ format: shortTime });
  const measured = buckets.filter(({ responseTime }) => responseTime.p50 !== null);
  if (measured.length === 0) return <NoData />;
  const slowest = measured.reduce((slower, bucket) =>
    (bucket.responseTime.p95 ?? 0) > (slower.responseTime.p95 ?? 0) ? bucket : slower,
  );
  const summary = `${t('webhooks.overview.p95')}: ${milliseconds(slowest.responseTime.p95)} (${intervalName(slowest.start, interval, false)})`;
  const line = (percentile: 'p50' | 'p95', color: string) => ({
    label: t(`webhooks.overview.${percentile}`),
    data: buckets.map(({ responseTime }) => responseTime[percentile]),
    borderColor: color,
    backgroundColor: color,
    borderWidth: 2,
    spanGaps: true,
    // A single measurement has no line, so it is shown as a point.
    pointRadius: measured.length === 1 ? 4 : 0,
  });
  const datasets = [line('p50', colors.indigo[6]), { ...line('p95', colors.orange[6]), borderDash: [5, 4] }];
  return (
    <Box h={HEIGHT} pos="relative">
      <Line aria-label={summary} data={{ labels: intervalNames({ buckets, interval }), datasets }} options={options} />
    </Box>
  );
}

function NoData() {
  return (
    <Center h={HEIGHT}>
      <Text c="dimmed">{t('webhooks.overview.nothingYet')}</Text>
    </Center>
  );
}
