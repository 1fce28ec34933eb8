/** A module of its own for a lazy import. A lazy import of `@mantine/core` would load the whole library. */
export { Tooltip } from '@mantine/core';
