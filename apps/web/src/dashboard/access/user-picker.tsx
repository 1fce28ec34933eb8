import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { asOfKey } from '../as-of/as-of-search';

const SHOWN_MAX = 20;
const DEBOUNCE_MS = 250;

type Person = Pick<Schema<'UserListItemResponse'>, 'id' | 'email' | 'displayName'>;

/** Loads a user, now or as of a past moment. */
export const userQuery = (org: string, id: string, asOf?: string) =>
  queryOptions({
    queryKey: ['users', org, 'one', id, ...asOfKey(asOf)],
    queryFn: async () => {
      const params = { path: { org, id }, query: { asOf } };
      return (await unwrap(api.GET('/v1/organizations/{org}/users/{id}', { params }))).data;
    },
  });

/** Loads the users that match a search, now or as of a past moment. An empty search matches all users. */
export const matchesQuery = (org: string, search: string, asOf?: string) =>
  queryOptions({
    queryKey: ['users', org, 'search', search, ...asOfKey(asOf)],
    queryFn: () => {
      const query = { limit: SHOWN_MAX, ...(search ? { search } : {}), asOf };
      return unwrap(api.GET('/v1/organizations/{org}/users', { params: { path: { org }, query } }));
    },
  });

export const nameOf = ({ displayName, email }: Pick<Person, 'displayName' | 'email'>): string => displayName || email;

const labelOf = ({ displayName, email }: Person): string => (displayName ? `${displayName} (${email})` : email);

interface Props {
  readonly org: string;
  /** The past moment whose users the picker shows. */
  readonly asOf: string | undefined;
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

/** Selects a user by name or email address. */
export function UserPicker({ org, asOf, value, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), DEBOUNCE_MS);
  const { data: chosen } = useQuery({ ...userQuery(org, value ?? '', asOf), enabled: value !== undefined });
  // Mantine also reports the label of the selected user as search text.
  const isSearch = chosen === undefined || search !== labelOf(chosen);
  const matches = useQuery({ ...matchesQuery(org, isSearch ? search : '', asOf), placeholderData: keepPreviousData });
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
      error={asOf === undefined ? matches.error?.message : undefined}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.remove') }}
    />
  );
}
