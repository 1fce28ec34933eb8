import { type ComboboxParsedItem, Loader, MultiSelect, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { type ListedUser, nameOf, userQuery } from './user-queries';

const DEBOUNCE_MS = 250;
const USERS_SHOWN = 10;

export interface ChosenUser {
  readonly id: string;
  readonly name: string;
}

interface Props {
  readonly org: string;
  readonly value: ChosenUser | null;
  readonly onChange: (user: ChosenUser | null) => void;
  readonly error?: string;
}

type Choice = Pick<ListedUser, 'id' | 'email' | 'firstName' | 'lastName' | 'displayName'>;

/** Selects a user of an organization by typing a name, an email address or an id. */
export function UserSelect({ org, value, onChange, error }: Props) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, DEBOUNCE_MS);
  const query = useFoundUsers(org, search, search.trim() !== '' && search !== value?.name);
  const matches = query.data ?? [];
  const emails = new Map(matches.map(({ id, email }) => [id, email]));
  const options = matches.map((user) => ({ value: user.id, label: nameOf(user) }));
  const shown =
    value && options.every((option) => option.value !== value.id)
      ? [{ value: value.id, label: value.name }, ...options]
      : options;
  return (
    <>
      <Select
        label={t('members.adding.user')}
        description={t('members.adding.userHint')}
        required
        data={shown}
        value={value?.id ?? null}
        onChange={(id) => {
          const chosen = shown.find((option) => option.value === id);
          onChange(chosen ? { id: chosen.value, name: chosen.label } : null);
        }}
        {...searchProps(query.isFetching, setTyped, emails)}
        nothingFoundMessage={typed.trim() === '' ? t('members.adding.typeToSearch') : noResultsText(query.isFetching)}
        error={error}
      />
      {query.error && <ErrorNotice error={query.error} />}
    </>
  );
}

interface MultiProps {
  readonly org: string;
  readonly value: readonly ChosenUser[];
  readonly onChange: (users: readonly ChosenUser[]) => void;
  readonly error?: string;
}

/** Selects several users of an organization. */
export function UsersSelect({ org, value, onChange, error }: MultiProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, DEBOUNCE_MS);
  const query = useFoundUsers(org, search, search.trim() !== '');
  // Without a text, the dropdown closes, so that it does not cover the buttons.
  const isTyped = typed.trim() !== '';
  const matches = isTyped ? (query.data ?? []) : [];
  const emails = new Map(matches.map(({ id, email }) => [id, email]));
  const chosen = new Set(value.map(({ id }) => id));
  const found = matches.filter(({ id }) => !chosen.has(id)).map((user) => ({ id: user.id, name: nameOf(user) }));
  const shown = [...value, ...found];
  return (
    <>
      <MultiSelect
        label={t('members.adding.users')}
        description={t('members.adding.userHint')}
        required
        data={shown.map(({ id, name }) => ({ value: id, label: name }))}
        value={[...chosen]}
        onChange={(ids) => onChange(shown.filter(({ id }) => ids.includes(id)))}
        {...searchProps(query.isFetching, setTyped, emails)}
        hidePickedOptions
        nothingFoundMessage={isTyped ? noResultsText(query.isFetching) : undefined}
        error={error}
      />
      {query.error && <ErrorNotice error={query.error} />}
    </>
  );
}

/** The properties of a field whose options are the people that the service finds. */
const searchProps = (isFetching: boolean, onSearchChange: (text: string) => void, emails: ReadonlyMap<string, string>) => ({
  searchable: true,
  onSearchChange,
  filter: ({ options }: { options: ComboboxParsedItem[] }) => options,
  rightSection: isFetching ? <Loader size="xs" aria-hidden /> : undefined,
  comboboxProps: { withinPortal: false },
  'data-autofocus': true,
  renderOption: ({ option }: { option: { value: string; label: string } }) => (
    <Stack gap={0}>
      <Text size="sm">{option.label}</Text>
      <Text size="xs" c="dimmed" className="breakable">
        {emails.get(option.value)}
      </Text>
    </Stack>
  ),
});

const noResultsText = (isFetching: boolean): string =>
  isFetching ? t('members.adding.searching') : t('members.adding.noResults');

function useFoundUsers(org: string, search: string, isEnabled: boolean) {
  return useQuery({
    queryKey: ['users', org, 'choice', search],
    queryFn: ({ client, signal }): Promise<readonly Choice[]> => {
      // The search of the API does not cover ids.
      if (/^usr_[0-9a-z]{26}$/.test(search)) return client.fetchQuery(userQuery(org, search)).then(({ user }) => [user]);
      return unwrap(
        api.GET('/v1/organizations/{org}/users', { params: { path: { org }, query: { search, limit: USERS_SHOWN } }, signal }),
      ).then(({ data }) => data);
    },
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
}
