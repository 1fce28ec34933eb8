import { Group, Progress, Text } from '@mantine/core';
import { formatNumber, t } from '../../../texts';

const GOOD_RATE = 0.99;
const MEDIUM_RATE = 0.9;

/** Rounds down, so that 100% means no failures. */
const inTenthsOfPercent = (rate: number): number => Math.floor(rate * 1_000);

/** Formats a ratio from 0 to 1 as a percentage with at most one decimal. */
export const formatPercentage = (rate: number): string =>
  formatNumber(inTenthsOfPercent(rate) / 1_000, { style: 'percent', maximumFractionDigits: 1 });

/** Shows the success rate, 0 to 1, as a bar and a percentage. */
export function SuccessRate({ rate }: { rate: number | null | undefined }) {
  if (rate === undefined || rate === null)
    return (
      <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {t('webhooks.noAttempts')}
      </Text>
    );
  const shown = formatPercentage(rate);
  return (
    <Group gap="xs" wrap="nowrap" miw={140}>
      <Progress
        value={inTenthsOfPercent(rate) / 10}
        color={rate >= GOOD_RATE ? 'green' : rate >= MEDIUM_RATE ? 'yellow' : 'red'}
        w={72}
        aria-label={t('webhooks.shareLabel', { share: shown })}
      />
      <Text size="sm" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
        {shown}
      </Text>
    </Group>
  );
}
