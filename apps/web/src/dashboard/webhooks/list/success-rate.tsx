import { Group, Progress, Text } from '@mantine/core';
import { intl, t } from '../../../texts';

const GOOD = 0.99;
const FAIR = 0.9;

/** A share of 0 to 1 as a percentage, rounded down, so that 100% means all. */
export const share = (rate: number): string =>
  intl().formatNumber(Math.floor(rate * 1_000) / 1_000, { style: 'percent', maximumFractionDigits: 1 });

/** Which share of attempts succeeded, 0 to 1, as a bar and in figures. */
export function SuccessRate({ rate }: { rate: number | null | undefined }) {
  if (rate === undefined || rate === null)
    return (
      <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {t('webhooks.noAttempts')}
      </Text>
    );
  const shown = share(rate);
  return (
    <Group gap="xs" wrap="nowrap" miw={140}>
      <Progress
        value={rate * 100}
        color={rate >= GOOD ? 'green' : rate >= FAIR ? 'yellow' : 'red'}
        w={72}
        aria-label={t('webhooks.shareLabel', { share: shown })}
      />
      <Text size="sm" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
        {shown}
      </Text>
    </Group>
  );
}
