/** To be loaded when it is first needed: an import of the library's index would load all of it. */
export { Tooltip } from '@mantine/core';
