import { Group, UnstyledButton } from '@mantine/core';
import { ChevronDownIcon, ChevronUpIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';

interface Props {
  readonly label: ReactNode;
  /** The sort orders of the first and the second click. */
  readonly sorts: readonly [string, string];
  readonly value: string;
  readonly onSort: (sort: string) => void;
}

/** The head of a sortable column. */
export function SortButton({ label, sorts: [first, second], value, onSort }: Props) {
  const Icon = value.startsWith('-') ? ChevronDownIcon : ChevronUpIcon;
  const isSorted = value === first || value === second;
  return (
    <UnstyledButton fz="inherit" fw="inherit" onClick={() => onSort(value === first ? second : first)}>
      <Group gap={4} wrap="nowrap" component="span">
        {label}
        <span aria-hidden style={{ visibility: isSorted ? 'visible' : 'hidden' }}>
          <Icon size={14} />
        </span>
      </Group>
    </UnstyledButton>
  );
}
