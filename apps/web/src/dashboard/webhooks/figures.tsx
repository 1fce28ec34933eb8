import { Box, type MantineColor, Paper, SimpleGrid, Text } from '@mantine/core';
import { t } from '../../texts';

export interface Figure {
  readonly label: string;
  readonly value: number | string;
  /** The color of the bar when the value is above zero. */
  readonly color?: MantineColor;
}

/** Shows counts as tiles. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: figures.length }} m={0} aria-label={label}>
      {figures.map((figure) => (
        <Paper key={figure.label} withBorder p="md" component="div">
          <Text component="dt" size="sm" c="dimmed">
            {figure.label}
          </Text>
          <Box component="dd" m={0} fz={26} fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {typeof figure.value === 'number' ? t('common.total', { count: figure.value }) : figure.value}
          </Box>
          {figure.color && (
            <Box h={3} mt={6} aria-hidden bg={figure.value === 0 ? 'var(--mantine-color-default-border)' : `${figure.color}.6`} />
          )}
        </Paper>
      ))}
    </SimpleGrid>
  );
}
