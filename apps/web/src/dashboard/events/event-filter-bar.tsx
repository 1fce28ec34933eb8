import { Button, Checkbox, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { EVENT_GROUPS } from '../../api/event-types';
import { texts } from '../../texts';
import type { EventFilters } from './event-filters';

const words = texts.events;
const DEBOUNCE_MS = 300;

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
  const changeLater = useDebouncedCallback(onChange, DEBOUNCE_MS);
  const textOf = (name: 'actorId' | 'userId') => ({
    defaultValue: filters[name] ?? '',
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      changeLater({ [name]: event.currentTarget.value.trim() || undefined }),
  });
  const isFiltered = Object.keys(filters).some((name) => name !== 'live' && name !== 'event');
  // New inputs when the filters are cleared, since they keep what was typed.
  return (
    <Group align="flex-end" mb="md" gap="sm" key={String(isFiltered)}>
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
      <TextInput label={words.actorId} placeholder={words.actorIdPlaceholder} {...textOf('actorId')} w={220} />
      <TextInput label={words.userId} placeholder={words.userIdPlaceholder} {...textOf('userId')} w={220} />
      <TimeInput label={words.since} value={filters.since} onChange={(since) => onChange({ since })} />
      <TimeInput label={words.until} value={filters.until} onChange={(until) => onChange({ until })} />
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

function TimeInput({ label, value, onChange }: { label: string; value?: string; onChange: (value: string | undefined) => void }) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      defaultValue={value ? localTime(new Date(value)) : ''}
      onChange={({ currentTarget }) => {
        const moment = new Date(currentTarget.value);
        if (currentTarget.value === '') onChange(undefined);
        else if (!Number.isNaN(moment.getTime())) onChange(moment.toISOString());
      }}
      w={210}
    />
  );
}

/** As inputs of type `datetime-local` want it, to the minute. */
const localTime = (moment: Date): string =>
  new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
