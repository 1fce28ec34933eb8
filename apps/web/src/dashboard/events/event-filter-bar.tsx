import { Button, Checkbox, Group, Select } from '@mantine/core';
import { EVENT_GROUPS } from '../../api/event-types';
import { texts } from '../../texts';
import { DebouncedInput } from '../../ui/debounced-input';
import { TimeField } from '../../ui/time-field';
import type { EventFilters } from './event-filters';

const words = texts.events;

const TYPE_CHOICES = EVENT_GROUPS.map(({ name, wildcard, types }) => ({
  group: name,
  items: [{ value: wildcard, label: words.group(name) }, ...types.map((type) => ({ value: type, label: type }))],
}));

interface Props {
  readonly filters: EventFilters;
  readonly onChange: (changes: Partial<EventFilters>) => void;
}

/** What to show of the log. */
export function EventFilterBar({ filters, onChange }: Props) {
  const isFiltered = Object.keys(filters).some((name) => name !== 'live' && name !== 'event');
  return (
    <Group align="flex-end" mb="md" gap="sm">
      <Select
        label={words.type}
        placeholder={words.anyType}
        data={TYPE_CHOICES}
        value={filters.type ?? null}
        onChange={(type) => onChange({ type: (type ?? undefined) as EventFilters['type'] })}
        searchable
        clearable
        w={260}
      />
      <DebouncedInput
        label={words.actorId}
        placeholder={words.actorIdPlaceholder}
        value={filters.actorId}
        onChange={(actorId) => onChange({ actorId })}
        w={220}
      />
      <DebouncedInput
        label={words.userId}
        placeholder={words.userIdPlaceholder}
        value={filters.userId}
        onChange={(userId) => onChange({ userId })}
        w={220}
      />
      <TimeField label={words.since} value={filters.since} onChange={(since) => onChange({ since })} w={210} />
      <TimeField label={words.until} value={filters.until} onChange={(until) => onChange({ until })} w={210} />
      <Checkbox
        label={words.includeDescendants}
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
              since: undefined,
              until: undefined,
              includeDescendants: undefined,
            })
          }
        >
          {texts.common.clearFilters}
        </Button>
      )}
    </Group>
  );
}
