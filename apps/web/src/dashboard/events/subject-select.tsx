import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../texts';
import { userQuery } from '../access/user-picker';
import { useOrganizationId } from '../organization';
import { covers, permissionsQuery } from '../permissions';
import type { Subject, SubjectSource } from './subject-sources';

const DEBOUNCE_MS = 250;
const ID = /^[a-z]{2,8}_[0-9a-z]{26}$/;

interface Props {
  readonly label: string;
  readonly placeholder: string;
  readonly sources: readonly SubjectSource[];
  /** The id of the selected person or resource. */
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

/** Selects a person or a resource by name. Also accepts an id, for what was deleted or belongs to another organization. */
export function SubjectSelect({ label, placeholder, sources, value, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [debounced] = useDebouncedValue(typed.trim(), DEBOUNCE_MS);
  const selected = useSelected(sources, value);
  // Mantine also reports the label of the selection as search text.
  const search = debounced === selected?.name ? '' : debounced;
  const { groups, isFetching } = useSubjects(sources, search, isOpen);
  const others = [selected, ID.test(search) ? { id: search, name: search } : undefined].filter((each) => each !== undefined);
  const listed = new Set(groups.flatMap(({ items }) => items.map((item) => item.value)));
  const unlisted = [...new Map(others.map(({ id, name }) => [id, { value: id, label: name }])).values()].filter(
    (item) => !listed.has(item.value),
  );
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={[...unlisted, ...groups]}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onSearchChange={setTyped}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      // Already filtered.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? t('common.loading') : t('events.noSubject')}
      rightSection={isFetching ? <Loader size={16} aria-hidden /> : undefined}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.remove') }}
      w={240}
    />
  );
}

/** Loads what the sources find, as groups of options, without the sources that the user can't read. */
function useSubjects(sources: readonly SubjectSource[], search: string, isOpen: boolean) {
  const org = useOrganizationId();
  const { data: permissions = [], isSuccess } = useQuery(permissionsQuery(org));
  const readable = sources.filter(({ permission }) => covers(permissions, permission));
  const queries = useQueries({
    queries: readable.map(({ group, load }) => ({
      queryKey: ['event-subjects', org, group, search],
      queryFn: () => load(org, search),
      enabled: isOpen,
      placeholderData: keepPreviousData,
    })),
  });
  const groups = readable.flatMap(({ group }, index) => {
    const items = (queries[index]?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
    return items.length > 0 ? [{ group: t(group), items }] : [];
  });
  const isFetching = queries.some((query) => query.isFetching);
  return { groups, isFetching, isLoaded: isSuccess && queries.every((query) => !query.isPending) };
}

/** Returns the selection with its name, or with its id as name if the user can't read it; undefined while it is loaded. */
function useSelected(sources: readonly SubjectSource[], id: string | undefined): Subject | undefined {
  const org = useOrganizationId();
  const isUser = id?.startsWith('usr_') ?? false;
  const user = useQuery({ ...userQuery(org, id ?? ''), enabled: isUser, retry: false });
  const { groups, isLoaded } = useSubjects(sources, '', id !== undefined && !isUser);
  // Mantine does not show a name that comes later.
  if (id === undefined || (isUser ? user.isPending : !isLoaded)) return undefined;
  const { displayName, email } = user.data ?? {};
  if (email !== undefined) return { id, name: displayName ? `${displayName} (${email})` : email };
  const listed = groups.flatMap(({ items }) => items).find((item) => item.value === id);
  return { id, name: listed?.label ?? id };
}
