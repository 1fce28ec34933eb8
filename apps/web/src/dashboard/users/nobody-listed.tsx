import { Button, Group } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { texts } from '../../texts';
import { EmptyState } from '../../ui/empty-state';

interface Props {
  readonly icon: Icon;
  readonly words: Readonly<Record<'emptyTitle' | 'empty' | 'noneFoundTitle' | 'noneFound', string>>;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  /** The way to the first one, for those who may. */
  readonly action: ReactNode;
}

/** In place of a list of people without an entry: there is none yet, or none that the filters let through. */
export function NobodyListed({ icon, words, isFiltered, onClear, action }: Props) {
  if (!isFiltered) {
    return (
      <EmptyState icon={icon} title={words.emptyTitle} action={<Group>{action}</Group>}>
        {words.empty}
      </EmptyState>
    );
  }
  const clear = (
    <Button variant="default" onClick={onClear}>
      {texts.common.clearFilters}
    </Button>
  );
  return (
    <EmptyState icon={icon} title={words.noneFoundTitle} action={clear}>
      {words.noneFound}
    </EmptyState>
  );
}
