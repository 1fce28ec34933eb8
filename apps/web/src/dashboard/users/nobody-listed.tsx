import { Button, Group } from '@mantine/core';
import type { Icon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { t } from '../../texts';
import { EmptyState } from '../../ui/empty-state';

interface Props {
  readonly icon: Icon;
  /** Where the texts about the list are. */
  readonly texts: 'members' | 'users';
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  /** The way to the first one, for those who may. */
  readonly action: ReactNode;
}

/** In place of a list of people without an entry: there is none yet, or none that the filters let through. */
export function NobodyListed({ icon, texts, isFiltered, onClear, action }: Props) {
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
