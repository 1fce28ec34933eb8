import { Group, Text } from '@mantine/core';
import { t } from '../texts';

/** The logo and name of the product. */
export function Wordmark() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src="/favicon.svg" alt="" width={26} height={26} />
      <Text fw={700}>{t('common.product')}</Text>
    </Group>
  );
}
