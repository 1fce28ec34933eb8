import { Select } from '@mantine/core';
import { choices, t } from '../../texts';
import type { EventFilters } from './event-filters';
import { isPeriod, limitsOf } from './periods';

/** Fills the limits of a usual period, such as the last month, into the filters. */
export function PeriodSelect({ onChange }: { onChange: (limits: Pick<EventFilters, 'since' | 'until'>) => void }) {
  return (
    <Select
      label={t('events.period')}
      placeholder={t('events.choosePeriod')}
      data={choices('events.periods')}
      value={null}
      onChange={(value) => isPeriod(value) && onChange(limitsOf(value, new Date()))}
      w={170}
    />
  );
}
