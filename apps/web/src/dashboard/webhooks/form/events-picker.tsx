import { Checkbox, Fieldset, Input, ScrollArea, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { SearchIcon } from '@primer/octicons-react';
import { useId, useState } from 'react';
import { EVENT_CATALOG } from '../../../api/event-catalog.gen';
import { EVENT_GROUPS, eventTitle } from '../../../api/event-types';
import { matchesSearch } from '../../../app/search';
import { findText, t } from '../../../texts';

const ALL = '*';

interface Props {
  /** Event types, groups such as `user.*`, or `*`. */
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly error?: React.ReactNode;
}

/** Returns whether `*` includes a group. `*` excludes events about webhooks. */
const allCovers = (group: string): boolean => group !== 'webhook';

const covers = (subscriptions: readonly string[], { type, group }: { type: string; group: string }): boolean =>
  subscriptions.some((each) => (each === ALL && allCovers(group)) || each === `${group}.*` || each === type);

/** Selects events: all, by group, or one by one, with a search. */
export function EventsPicker({ value, onChange, error }: Props) {
  const [search, setSearch] = useState('');
  const errorId = useId();
  const matches = EVENT_CATALOG.filter(({ type }) => matchesSearch([`${type} ${eventTitle(type)}`], search));
  const selectedCount = EVENT_CATALOG.filter((event) => covers(value, event)).length;
  const isAll = value.includes(ALL);
  return (
    <Stack gap="sm" role="group" aria-label={t('webhookForm.events')} aria-describedby={error ? errorId : undefined}>
      <Checkbox
        label={t('webhookForm.eventsAll')}
        description={t('webhookForm.eventsAllHint')}
        checked={isAll}
        onChange={(event) => onChange(event.currentTarget.checked ? [ALL] : [])}
      />
      <TextInput
        label={t('webhookForm.eventsSearch')}
        placeholder={t('webhookForm.eventsSearchPlaceholder')}
        leftSection={<SearchIcon size={16} />}
        type="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        // Enter would submit the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <ScrollArea.Autosize
        mah={460}
        type="auto"
        viewportProps={{ tabIndex: 0, 'aria-label': t('webhookForm.eventsList'), role: 'region' }}
      >
        <Stack gap="sm" pr="sm">
          {EVENT_GROUPS.map(({ name }) => (
            <EventGroup
              key={name}
              group={name}
              events={matches.filter((event) => event.group === name)}
              isComplete={search.trim() === ''}
              value={value}
              onChange={onChange}
            />
          ))}
          {matches.length === 0 && <Text c="dimmed">{t('webhookForm.eventsNoMatch', { search })}</Text>}
        </Stack>
      </ScrollArea.Autosize>
      <Text size="sm" c="dimmed" aria-live="polite">
        {t('webhookForm.eventsChosen', { chosen: selectedCount, total: EVENT_CATALOG.length })}
      </Text>
      {error && <Input.Error id={errorId}>{error}</Input.Error>}
    </Stack>
  );
}

interface GroupProps {
  readonly group: string;
  readonly events: readonly (typeof EVENT_CATALOG)[number][];
  /** Whether all events of the group are visible. Only a complete group can be selected. */
  readonly isComplete: boolean;
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
}

function EventGroup({ group, events, isComplete, value, onChange }: GroupProps) {
  if (events.length === 0) return null;
  const isAll = value.includes(ALL) && allCovers(group);
  const isGroup = isAll || value.includes(`${group}.*`);
  const selectedCount = events.filter(({ type }) => value.includes(type)).length;
  const toggleGroup = (isChosen: boolean) => {
    const others = value.filter((each) => !each.startsWith(`${group}.`));
    onChange(isChosen ? [...others, `${group}.*`] : others);
  };
  const toggle = (type: string, isChosen: boolean) =>
    onChange(isChosen ? [...value, type] : value.filter((each) => each !== type));
  return (
    <Fieldset legend={findText(`webhookForm.groups.${group}`) ?? group} p="sm">
      {isComplete && (
        <Checkbox
          label={t('webhookForm.groupAll', { group })}
          description={t('webhookForm.groupHint')}
          checked={isGroup}
          indeterminate={!isGroup && selectedCount > 0}
          disabled={isAll}
          onChange={(event) => toggleGroup(event.currentTarget.checked)}
          mb="sm"
          fw={600}
        />
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm" verticalSpacing="sm">
        {events.map(({ type }) => (
          <Checkbox
            key={type}
            label={type}
            description={eventTitle(type)}
            checked={isGroup || value.includes(type)}
            disabled={isGroup}
            onChange={(event) => toggle(type, event.currentTarget.checked)}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
