import { Button, Checkbox, Group, Select } from '@mantine/core';
import { EVENT_GROUPS } from '../../api/event-types';
import { findText, t } from '../../texts';
import { DebouncedInput } from '../../ui/debounced-input';
import { DateTimeInput } from '../../ui/date-time-input';
import type { EventFilters } from './event-filters';

const typeChoices = () =>
  EVENT_GROUPS.map(({ name, wildcard, types }) => ({
    group: findText(`webhookForm.groups.${name}`) ?? name,
    items: [{ value: wildcard, label: t('events.group', { name }) }, ...types.map((type) => ({ value: type, label: type }))],
  }));

interface Props {
  readonly filters: EventFilters;
  readonly onChange: (changes: Partial<EventFilters>) => void;
}

export function EventFilterBar({ filters, onChange }: Props) {
  const isFiltered = Object.keys(filters).some((name) => name !== 'live' && name !== 'event');
  return (
    <Group align="flex-end" mb="md" gap="sm">
      <Select
        label={t('events.type')}
        placeholder={t('events.anyType')}
        data={typeChoices()}
        value={filters.type ?? null}
        onChange={(type) => onChange({ type: (type ?? undefined) as EventFilters['type'] })}
        searchable
        clearable
        w={260}
      />
      <IdFilters filters={filters} onChange={onChange} />
      <DateTimeInput label={t('events.since')} value={filters.since} onChange={(since) => onChange({ since })} w={210} />
      <DateTimeInput label={t('events.until')} value={filters.until} onChange={(until) => onChange({ until })} w={210} />
      <Checkbox
        label={t('events.includeDescendants')}
        checked={Boolean(filters.includeDescendants)}
        onChange={(event) => onChange({ includeDescendants: event.currentTarget.checked || undefined })}
        mb={8}
      />
      {isFiltered && (
        <Button
          variant="subtle"
          onClick={() =>
            onChange({
              type: undefined,
              actorId: undefined,
              userId: undefined,
              impersonatorId: undefined,
              since: undefined,
              until: undefined,
              includeDescendants: undefined,
            })
          }
        >
          {t('common.clearFilters')}
        </Button>
      )}
    </Group>
  );
}

/** The filters by who caused an event, who acted for support, and whom the event is about. */
function IdFilters({ filters, onChange }: Props) {
  return (
    <>
      <DebouncedInput
        label={t('events.actorId')}
        placeholder={t('events.actorIdPlaceholder')}
        value={filters.actorId}
        onChange={(actorId) => onChange({ actorId })}
        w={220}
      />
      <DebouncedInput
        label={t('events.userId')}
        placeholder={t('events.userIdPlaceholder')}
        value={filters.userId}
        onChange={(userId) => onChange({ userId })}
        w={220}
      />
      <DebouncedInput
        label={t('events.impersonatorId')}
        placeholder={t('events.impersonatorIdPlaceholder')}
        value={filters.impersonatorId}
        onChange={(impersonatorId) => onChange({ impersonatorId })}
        w={220}
      />
    </>
  );
}
