import { Box, type MantineColor, Paper, SimpleGrid, Text } from '@mantine/core';
import { t } from '../../texts';

export interface StatTile {
  readonly label: string;
  readonly value: number | string;
  /** The color of the bar when the value is above zero. */
  readonly color?: MantineColor;
}

export function StatTiles({ label, tiles }: { label: string; tiles: readonly StatTile[] }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: tiles.length }} m={0} aria-label={label}>
      {tiles.map((tile) => (
        <Paper key={tile.label} withBorder p="md" component="div">
          <Text component="dt" size="sm" c="dimmed">
            {tile.label}
          </Text>
          <Box component="dd" m={0} fz={26} fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {typeof tile.value === 'number' ? t('common.total', { count: tile.value }) : tile.value}
          </Box>
          {tile.color && (
            <Box h={3} mt={6} aria-hidden bg={tile.value === 0 ? 'var(--mantine-color-default-border)' : `${tile.color}.6`} />
          )}
        </Paper>
      ))}
    </SimpleGrid>
  );
}
