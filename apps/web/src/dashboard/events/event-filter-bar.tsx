import { Button, Checkbox, Group } from '@mantine/core';
import { SearchIcon } from '@primer/octicons-react';
import { t } from '../../texts';
import { DateTimeInput } from '../../ui/date-time-input';
import { DebouncedInput } from '../../ui/debounced-input';
import { FilterBar } from '../../ui/filter-bar';
import { countFilters, type EventFilters } from './event-filters';
import { EventTypeSelect } from './event-type-select';
import { PeriodSelect } from './period-select';
import { SubjectSelect } from './subject-select';
import { ACTORS, PEOPLE, TARGETS } from './subject-sources';

const NO_FILTERS = {
  type: undefined,
  search: undefined,
  actorId: undefined,
  userId: undefined,
  targetId: undefined,
  impersonatorId: undefined,
  since: undefined,
  until: undefined,
  includeDescendants: undefined,
} as const satisfies Partial<EventFilters>;

interface Props {
  readonly filters: EventFilters;
  readonly onChange: (changes: Partial<EventFilters>) => void;
}

/** Events about a child organization are in its own log. */
function targetOf(id: string | undefined): Partial<EventFilters> {
  if (id?.startsWith('usr_')) return { userId: id, targetId: undefined };
  return { userId: undefined, targetId: id, ...(id?.startsWith('org_') ? { includeDescendants: true } : {}) };
}

export function EventFilterBar({ filters, onChange }: Props) {
  return (
    <FilterBar
      count={countFilters({ ...filters, search: undefined })}
      search={
        <DebouncedInput
          label={t('events.search')}
          placeholder={t('events.searchPlaceholder')}
          leftSection={<SearchIcon size={16} />}
          value={filters.search}
          onChange={(search) => onChange({ search })}
          style={{ flex: '0 1 300px' }}
        />
      }
    >
      <PeopleFilters filters={filters} onChange={onChange} />
      <EventTypeSelect value={filters.type} onChange={(type) => onChange({ type })} />
      <PeriodSelect onChange={onChange} />
      <DateTimeInput label={t('events.since')} value={filters.since} onChange={(since) => onChange({ since })} w={210} />
      <DateTimeInput label={t('events.until')} value={filters.until} onChange={(until) => onChange({ until })} w={210} />
      <Group gap="sm" mih={36} w="100%">
        <Checkbox
          label={t('events.includeDescendants')}
          checked={Boolean(filters.includeDescendants)}
          onChange={(event) => onChange({ includeDescendants: event.currentTarget.checked || undefined })}
        />
        {countFilters(filters) > 0 && (
          <Button variant="subtle" onClick={() => onChange(NO_FILTERS)}>
            {t('common.clearFilters')}
          </Button>
        )}
      </Group>
    </FilterBar>
  );
}

/** The filters by who caused an event, what it is about, and who acted for support. */
function PeopleFilters({ filters, onChange }: Props) {
  return (
    <>
      <SubjectSelect
        label={t('events.actor')}
        placeholder={t('events.anyActor')}
        sources={ACTORS}
        value={filters.actorId}
        onChange={(actorId) => onChange({ actorId })}
      />
      <SubjectSelect
        label={t('events.about')}
        placeholder={t('events.anyTarget')}
        sources={TARGETS}
        value={filters.userId ?? filters.targetId}
        onChange={(id) => onChange(targetOf(id))}
      />
      <SubjectSelect
        label={t('events.impersonatorId')}
        placeholder={t('events.anyImpersonator')}
        sources={[PEOPLE]}
        value={filters.impersonatorId}
        onChange={(impersonatorId) => onChange({ impersonatorId })}
      />
    </>
  );
}
