import { Button, Group } from '@mantine/core';
import type { Icon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { t } from '../../texts';
import { EmptyState } from '../../ui/empty-state';

interface Props {
  readonly icon: Icon;
  /** The prefix of the text ids. */
  readonly texts: 'members' | 'users';
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  /** The button that adds the first entry, if the caller can add entries. */
  readonly action: ReactNode;
}

/** Replaces a list of users or members that is empty or has no match for the filters. */
export function EmptyUserList({ icon, texts, isFiltered, onClear, action }: Props) {
  if (!isFiltered) {
    return (
      <EmptyState icon={icon} title={t(`${texts}.emptyTitle`)} action={<Group>{action}</Group>}>
        {t(`${texts}.empty`)}
      </EmptyState>
    );
  }
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t('common.clearFilters')}
    </Button>
  );
  return (
    <EmptyState icon={icon} title={t(`${texts}.noneFoundTitle`)} action={clear}>
      {t(`${texts}.noneFound`)}
    </EmptyState>
  );
}
