import { expect, it } from '@jest/globals';
import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { contrastOf } from '../ui/color';
import { readableColors, theme } from './theme';

// Mantine draws the borders of fields with these colors.
it.each([
  ['light', '--mantine-color-gray-4', '#ffffff'],
  ['dark', '--mantine-color-dark-4', '#242424'],
] as const)('the borders of fields have a contrast of 3:1 in %s mode', (scheme, variable, body) => {
  const variables = readableColors(mergeMantineTheme(DEFAULT_THEME, theme))[scheme];
  expect(contrastOf(variables[variable] ?? body, body)).toBeGreaterThanOrEqual(3);
});
