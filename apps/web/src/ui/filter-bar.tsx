import { Box, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { FilterIcon } from '@primer/octicons-react';
import { type ReactNode, useId } from 'react';
import { t } from '../texts';
import { useIsWide } from './use-is-wide';

interface Props {
  /** The most important field, which is always shown. */
  readonly search?: ReactNode;
  /** The number of filters that are set. */
  readonly count: number;
  /** All other filters. */
  readonly children: ReactNode;
}

/** The filters of a list. On narrow screens, a button shows them, so that the list is in view. */
export function FilterBar({ search, count, children }: Props) {
  const isWide = useIsWide();
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  if (isWide)
    return (
      <Group align="flex-end" gap="sm" mb="md" role="search">
        {search}
        {children}
      </Group>
    );
  return (
    <Box mb="md" role="search">
      <Group align="flex-end" gap="sm" wrap="nowrap" mb={isOpen ? 'sm' : 0}>
        {search}
        <Button
          variant="default"
          leftSection={<FilterIcon size={16} />}
          onClick={toggle}
          aria-expanded={isOpen}
          aria-controls={id}
        >
          {count > 0 ? t('common.filtersSet', { count }) : t('common.filters')}
        </Button>
      </Group>
      {isOpen && (
        <Group align="flex-end" gap="sm" id={id}>
          {children}
        </Group>
      )}
    </Box>
  );
}
