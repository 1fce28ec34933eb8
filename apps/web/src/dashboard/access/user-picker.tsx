import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../api/client';
import { t } from '../../texts';

const SHOWN_MAX = 20;
const SEARCH_DELAY_MS = 250;

type Person = Pick<Schema<'UserListItemResponse'>, 'id' | 'email' | 'displayName'>;

/** A user as an organization sees it. */
export const userQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: ['users', org, 'one', id],
    queryFn: async () => (await answerOf(api.GET('/v1/organizations/{org}/users/{id}', { params: { path: { org, id } } }))).data,
  });

/** What people call a user. */
export const nameOf = ({ displayName, email }: Pick<Person, 'displayName' | 'email'>): string => displayName || email;

const labelOf = ({ displayName, email }: Person): string => (displayName ? `${displayName} (${email})` : email);

interface Props {
  readonly org: string;
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

/** Finds a user by name or address. */
export function UserPicker({ org, value, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const { data: chosen } = useQuery({ ...userQuery(org, value ?? ''), enabled: value !== undefined });
  // The field shows who is chosen; that is no search.
  const isSearch = chosen === undefined || search !== labelOf(chosen);
  const found = useQuery({
    queryKey: ['users', org, 'search', isSearch ? search : ''],
    queryFn: () => {
      const query = { limit: SHOWN_MAX, ...(isSearch && search ? { search } : {}) };
      return answerOf(api.GET('/v1/organizations/{org}/users', { params: { path: { org }, query } }));
    },
    placeholderData: keepPreviousData,
  });
  const people: readonly Person[] = found.data?.data ?? [];
  const choices = chosen && !people.some(({ id }) => id === chosen.id) ? [chosen, ...people] : people;
  return (
    <Select
      label={t('permissionChecks.user')}
      placeholder={t('permissionChecks.userPlaceholder')}
      data={choices.map((person) => ({ value: person.id, label: labelOf(person) }))}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onSearchChange={setTyped}
      // The service has searched already.
      filter={({ options }) => options}
      nothingFoundMessage={found.isPending ? t('common.loading') : t('permissionChecks.noUser')}
      rightSection={found.isFetching ? <Loader size={16} /> : undefined}
      error={found.error?.message}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.remove') }}
    />
  );
}
