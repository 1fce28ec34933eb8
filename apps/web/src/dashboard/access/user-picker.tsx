import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';

const SHOWN_MAX = 20;
const DEBOUNCE_MS = 250;

type Person = Pick<Schema<'UserListItemResponse'>, 'id' | 'email' | 'displayName'>;

export const userQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: ['users', org, 'one', id],
    queryFn: async () => (await unwrap(api.GET('/v1/organizations/{org}/users/{id}', { params: { path: { org, id } } }))).data,
  });

export const nameOf = ({ displayName, email }: Pick<Person, 'displayName' | 'email'>): string => displayName || email;

const labelOf = ({ displayName, email }: Person): string => (displayName ? `${displayName} (${email})` : email);

interface Props {
  readonly org: string;
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

/** Selects a user by name or email address. */
export function UserPicker({ org, value, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), DEBOUNCE_MS);
  const { data: chosen } = useQuery({ ...userQuery(org, value ?? ''), enabled: value !== undefined });
  // Mantine also reports the label of the selected user as search text.
  const isSearch = chosen === undefined || search !== labelOf(chosen);
  const matches = useQuery({
    queryKey: ['users', org, 'search', isSearch ? search : ''],
    queryFn: () => {
      const query = { limit: SHOWN_MAX, ...(isSearch && search ? { search } : {}) };
      return unwrap(api.GET('/v1/organizations/{org}/users', { params: { path: { org }, query } }));
    },
    placeholderData: keepPreviousData,
  });
  const people: readonly Person[] = matches.data?.data ?? [];
  const choices = chosen && !people.some(({ id }) => id === chosen.id) ? [chosen, ...people] : people;
  return (
    <Select
      label={t('permissionChecks.user')}
      placeholder={t('permissionChecks.userPlaceholder')}
      data={choices.map((person) => ({ value: person.id, label: labelOf(person) }))}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onSearchChange={setTyped}
      // The API has already filtered the options.
      filter={({ options }) => options}
      nothingFoundMessage={matches.isPending ? t('common.loading') : t('permissionChecks.noUser')}
      rightSection={matches.isFetching ? <Loader size={16} /> : undefined}
      error={matches.error?.message}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.remove') }}
    />
  );
}
