import { Group, Text } from '@mantine/core';
import { t } from '../texts';

export function Wordmark() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src="/favicon.svg" alt="" width={26} height={26} />
      <Text fw={700}>{t('common.product')}</Text>
    </Group>
  );
}
