import { useMantineTheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';

/** Returns whether the screen is at least as wide as a small tablet. Narrow screens hide the menu and the filters behind buttons. */
export function useIsWide(): boolean {
  const { breakpoints } = useMantineTheme();
  return useMediaQuery(`(min-width: ${breakpoints.sm})`, undefined, { getInitialValueInEffect: false });
}
