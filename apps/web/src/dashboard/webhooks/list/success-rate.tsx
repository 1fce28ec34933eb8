import { Group, Progress, Text } from '@mantine/core';
import { texts } from '../../../texts';

const words = texts.webhooks;
const GOOD = 0.99;
const FAIR = 0.9;

/** Which share of attempts succeeded, 0 to 1, as a bar and in figures. */
export function SuccessRate({ rate }: { rate: number | null | undefined }) {
  if (rate === undefined || rate === null)
    return (
      <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {words.noAttempts}
      </Text>
    );
  const share = words.share(rate);
  return (
    <Group gap="xs" wrap="nowrap" miw={140}>
      <Progress
        value={rate * 100}
        color={rate >= GOOD ? 'green' : rate >= FAIR ? 'yellow' : 'red'}
        w={72}
        aria-label={words.shareLabel(share)}
      />
      <Text size="sm" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
        {share}
      </Text>
    </Group>
  );
}
