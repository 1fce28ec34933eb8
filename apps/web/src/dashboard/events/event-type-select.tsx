import { type ComboboxItem, MultiSelect, type OptionsFilter } from '@mantine/core';
import { EVENT_GROUPS, eventTitle } from '../../api/event-types';
import { matchesSearch } from '../../app/search';
import { findText, t } from '../../texts';

const groupName = (name: string): string => findText(`webhookForm.groups.${name}`) ?? name;

const typeChoices = () =>
  EVENT_GROUPS.map(({ name, wildcard, types }) => ({
    group: groupName(name),
    items: [
      { value: wildcard, label: t('events.group', { name: groupName(name) }) },
      ...types.map((type) => ({ value: type, label: eventTitle(type) })),
    ],
  }));

/** Finds types by their title and by their name in the API. */
const filter: OptionsFilter = ({ options, search }) => {
  const isMatch = ({ label, value }: ComboboxItem): boolean => matchesSearch([label, value], search);
  return options
    .map((option) => ('items' in option ? { ...option, items: option.items.filter(isMatch) } : option))
    .filter((option) => ('items' in option ? option.items.length > 0 : isMatch(option)));
};

interface Props {
  /** Event types and groups, with commas between them. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Selects event types and groups of them. */
export function EventTypeSelect({ value, onChange }: Props) {
  const selected = value?.split(',') ?? [];
  return (
    <MultiSelect
      label={t('events.type')}
      placeholder={selected.length === 0 ? t('events.anyType') : undefined}
      data={typeChoices()}
      value={selected}
      onChange={(types) => onChange(types.join(',') || undefined)}
      filter={filter}
      nothingFoundMessage={t('events.noType')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.remove') }}
      miw={300}
      flex="1 1 0"
      maw={632}
    />
  );
}
